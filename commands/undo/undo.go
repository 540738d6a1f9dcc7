package undo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/undo"
)

var Command = command.Command{
	Name: "undo", Help: "Undo what an earlier call changed.", Writes: true, New: func() command.Request { return new(Request) },
	Title: "Undo a change", Results: []answer.Result{(*Result)(nil), (*ListResult)(nil)},
	Text:     "Undo the newest change (from any session) or an earlier one; fails if a file changed since.",
	Examples: []string{"fsbox undo --list --allow-write", "fsbox undo --allow-write"},
	Codes:    []answer.Code{answer.CodeFileExists, answer.CodeNotEmpty, answer.CodeInvalidCursor},
	Extra:    "a call is named with --backup-id, a path with --path",
}

// Request undoes what an earlier call changed.
type Request struct {
	BackupID string `json:"backup_id" placeholder:"ID" help:"Call to undo (default: the newest)."`
	Since    string `json:"since" placeholder:"ID" help:"Undo this call and all later ones."`
	List     bool   `json:"list" help:"List what can be undone."`
	Cursor   string `json:"cursor" placeholder:"CURSOR" help:"Last page's next_cursor."`
	Path     string `json:"path" aliases:"file_path,filePath,filepath,dirPath,dir_path,dirpath,filename,notebook_path,paths" placeholder:"PATH" help:"Only changes to this path."`
	Diff     bool   `json:"diff" rare:"" default:"true" negatable:"" help:"Show the changes as a unified diff."`
	DryRun   bool   `json:"dry_run" help:"Preview."`
	Approval string `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what was restored.
type Result struct {
	Restored []RestoredPath `json:"restored"`
	Cut      bool           `json:"restored_truncated,omitzero"` // paths were omitted because of max_output_bytes
	BackupID *string        `json:"backup_id"`                   // ID to undo this undo; null: no backup is kept
	DryRun   bool           `json:"dry_run,omitzero"`

	answer.ShownDiff

	undid    []*history.Entry // newest first
	count    int              // number of all restored paths
	repaired bool             // the call had been cut short, and was undone already
	change   command.Change   // as far as seenPaths notes it
}

// RestoredPath is what became of one path: update (it has its old content), add (it is there
// again), delete (it is gone again) or move (it has its old name).
type RestoredPath struct {
	words.PathName
	Action string  `json:"action"`
	Etag   *string `json:"etag"` // null for a deleted path, and for directories and links
}

// Run lists, or undoes one call: all of it or nothing.
func (u *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if env.Settings.StateFolder == "" {
		return nil, answer.Failf(answer.CodeBackupFailed, "undo needs the backups of earlier calls, and there is no state directory for them").
			WithHint("nothing was changed; the operator can name a directory with --state-dir, or set HOME")
	}
	if err := u.check(ctx, env); err != nil {
		return nil, err
	}
	if u.List {
		return u.list(ctx, env)
	}
	seen := &seenPaths{undo: u, env: env}
	var report *undo.Report
	var err error
	if u.Since != "" {
		report, err = undo.Since(ctx, env.Workspace, u.Since, u.DryRun, seen.add)
	} else {
		report, err = undo.Undo(ctx, env.Workspace, u.BackupID, u.Path, u.DryRun, seen.add)
	}
	switch {
	case err != nil:
		return nil, u.failure(err)
	case seen.again && env.Show != nil:
		return nil, &fserr.PathError{Path: seen.change.Paths[0], Err: fserr.ErrBusy}
	}
	env.WarnLost(report.Lost)
	return u.result(report, seen, env.Limits), nil
}

// seenPaths is what is noted of each path when it is told of, since no contents are held.
type seenPaths struct {
	undo    *Request
	env     *command.Env
	printed command.Diffs
	again   bool           // all was told more than once
	change  command.Change // its Paths; Takes are folders that are removed, Over and Source of a move that is made again
}

// add notes a path.
func (s *seenPaths) add(first bool, one undo.Undone) {
	if first {
		*s = seenPaths{undo: s.undo, env: s.env, again: s.change.Paths != nil,
			printed: command.Diffs{Lines: command.LinesOfDiff(s.undo.Diff), Budget: command.DiffBudget(s.env.Limits)}}
	}
	c := command.ChangedBy(&one.Done, "")
	c.From, c.Created, c.Removed = one.From, one.Kind == history.Create, one.Kind == history.Remove
	s.note(one, c)
	s.printed.Add(c.Diff)
}

func (u *Request) result(report *undo.Report, seen *seenPaths, limits request.Limits) *Result {
	r := &Result{Restored: []RestoredPath{}, BackupID: words.OrNull(report.BackupID), DryRun: u.DryRun, undid: report.Undid,
		count: len(report.Restored), repaired: report.Repaired, change: seen.change}
	budget := command.WholeBudget(limits)
	for _, one := range report.Restored {
		shown := RestoredPath{PathName: words.PathOf(one.Path), Action: undoAction(one.Kind), Etag: words.OrNull(one.ETag)}
		if r.Cut = !budget.Add(shown); r.Cut {
			break
		}
		r.Restored = append(r.Restored, shown)
	}
	r.ShownDiff = command.ShownDiff(u.Diff, command.CutDiff(seen.printed.All(), budget))
	return r
}

// note tells an approval what it has to know of a path, however long the answer.
func (s *seenPaths) note(one undo.Undone, c command.ChangedFile) {
	s.change.Paths = append(s.change.Paths, one.Path)
	if one.From != "" {
		s.change.Paths = append(s.change.Paths, one.From)
	}
	if c.Removed && one.Partial {
		s.change.Takes = append(s.change.Takes, one.Path)
	}
	switch {
	case s.env.Show == nil:
		return
	case one.Kind == history.Rename && one.Partial: // over another file
		s.change.Over, s.change.Source = one.Path, one.From
		return
	case c.Created:
		c.Mode = 0
	}
	c.Kind = one.Type
	c.Link, c.Entries, c.Stamp = one.Link, one.Entries, one.Stamp
	s.env.Show(c)
}

func (r *Result) Change() command.Change {
	c := r.change
	c.Undoes = strings.Join(words.Mapped(r.undid, func(e *history.Entry) string { return e.ID }), " ")
	c.Nothing = r.count == 0 && !slices.ContainsFunc(r.undid, func(e *history.Entry) bool { return len(e.Made) > 0 })
	c.AddEnds(r.undid)
	return c
}

func undoAction(a history.Kind) string {
	switch a {
	case history.Create:
		return "add"
	case history.Remove:
		return "delete"
	case history.Rename:
		return "move"
	}
	return "update"
}

// Summary says which call was undone, or how many.
func (r *Result) Summary() string {
	oldest := r.undid[len(r.undid)-1]
	if r.repaired {
		return fmt.Sprintf("%s had been cut short (backup %s), and is undone; nothing else was undone", oldest, oldest.ID)
	}
	tool := oldest.Tool
	if len(r.undid) > 1 {
		tool = words.Plural(int64(len(r.undid)), "call")
	}
	what := fmt.Sprintf("undid %s of %s", tool, words.Plural(int64(r.count), "path"))
	if r.count == 1 && len(r.Restored) == 1 {
		what = fmt.Sprintf("undid %s of %q", tool, r.Restored[0].Path)
	}
	if len(r.undid) > 1 {
		return what + fmt.Sprintf(" (backup %s and all after it)", oldest.ID) + words.DryRun(r.DryRun)
	}
	return what + fmt.Sprintf(" (backup %s)", oldest.ID) + words.DryRun(r.DryRun)
}

func (r *Result) AddLogStats(m *command.LogStats) {
	m.Paths = r.change.Paths
}

// NextStep says how to see more of several calls, and how to go further back than the newest
// change, which is now the undo itself.
func (r *Result) NextStep() string {
	switch {
	case r.repaired:
		return "to undo the call before it, send undo once more"
	case r.DryRun && len(r.undid) > 1 && r.DiffTruncated != nil && *r.DiffTruncated:
		return "the diff is cut: a dry run of one call, by backup_id, shows what that changed, unless a later one changed the same file; " +
			"undo with list names them"
	case len(r.undid) > 1 || r.undid[0].Undoes == "":
		return ""
	case r.DryRun:
		return "this would undo an undo; to go further back, name an earlier backup_id from undo with list"
	}
	return "this undid an undo; to go further back, name an earlier backup_id from undo with list"
}

// Pin names the call that was shown, where the request means the newest.
func (u *Request) Pin(id string) {
	if u.BackupID == "" && u.Since == "" {
		u.BackupID = id
	}
}
