package undo

import (
	"context"
	"slices"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/listing"
	"fsbox/commands/words"
	"fsbox/sandbox/history"
	"fsbox/sandbox/undo"
	"fsbox/textio"
)

// ListResult is one page of what can be undone, newest first.
type ListResult struct {
	Backups []BackupEntry `json:"backups"`
	listing.PageEnd

	pathsCut bool
	above    undo.Above // if there is none about the path
}

// BackupEntry is one call that changed something.
type BackupEntry struct {
	BackupID  string   `json:"backup_id"`
	Time      float64  `json:"time"` // Unix seconds
	Tool      string   `json:"tool"`
	Paths     []string `json:"paths"`
	Blocked   bool     `json:"blocked,omitzero"`    // a path was omitted, because policy denies it now
	MorePaths int      `json:"more_paths,omitzero"` // paths that did not fit
	Size      int64    `json:"size"`                // bytes that the backup takes

	ExactNames []words.PathName `json:"exact_names,omitzero"` // of paths that aren't UTF-8
}

// maxBackups is how many entries one page of the list has. backupBytes is about what an entry takes
// in an answer, without its paths.
const (
	maxBackups  = 200
	backupBytes = 128
)

// list gives one page. An entry whose paths don't fit on this page goes on the next one. If they
// fit on no page, only the first of them are listed.
func (u *Request) list(ctx context.Context, env *command.Env) (answer.Result, error) {
	all, err := undo.Backups(ctx, env.Workspace, u.Path, true)
	if err != nil {
		return nil, unlisted(err)
	}
	lost, err := env.Workspace.History().Lost(ctx)
	if err != nil {
		return nil, err
	}
	env.WarnIf(lost != "", "the journal lost a call newer than all of these (backup %s), perhaps in a power cut", lost)
	all, err = u.resume(all)
	if err != nil {
		return nil, err
	}
	r := u.page(env, all)
	if len(r.Backups) == 0 && u.Path != "" {
		r.above, err = undo.ChangedAbove(ctx, env.Workspace, u.Path)
	}
	return r, err
}

func (u *Request) page(env *command.Env, all []*history.Entry) *ListResult {
	r, page := &ListResult{Backups: []BackupEntry{}}, listing.NewPage(env, maxBackups, "max_entries")
	for i, b := range all {
		entry, taken := backupEntry(b, page.Left(), env.Workspace.Denies)
		if page.Count > 0 && entry.MorePaths > 0 {
			page.Fill()
		}
		if !page.Fits(listing.Item{JSON: func() int64 { return taken }, Text: entry.write, Cursor: cursorBytes}) {
			r.PageEnd = page.End(u.cursorAt(all[i-1]))
			break
		}
		r.Backups = append(r.Backups, entry)
		r.pathsCut = r.pathsCut || entry.MorePaths > 0
	}
	if r.pathsCut && !r.Truncated {
		page.Fill()
		r.PageEnd = page.End("")
	}
	return r
}

// cursorBytes is how many bytes a cursor of this list takes at most.
const cursorBytes = 80

// backupEntry describes a call in about budget bytes, and tells how many it takes.
func backupEntry(b *history.Entry, budget int64, denies func(path string) bool) (entry BackupEntry, taken int64) {
	entry = BackupEntry{BackupID: b.ID, Time: words.Seconds(b.Time), Tool: b.Tool, Paths: []string{}}
	taken = backupBytes
	var text []byte
	for _, f := range b.Items {
		entry.Size += f.KeptSize()
		isDenied := denies(f.Path)
		if entry.Blocked = entry.Blocked || isDenied || f.From != "" && denies(f.From); isDenied {
			continue
		}
		text = textio.AppendQuoted(text[:0], f.Path)
		size := int64(len(text)) + 1
		if exact := words.Base64(f.Path); exact != "" {
			size += size + int64(len(exact)) + int64(len(`{"path":,"path_base64":""},`))
		}
		if entry.MorePaths > 0 || taken+size > budget {
			entry.MorePaths++
			continue
		}
		taken += size
		entry.Paths = append(entry.Paths, f.Path)
		entry.ExactNames = append(entry.ExactNames, words.ExactNames(f.Path)...)
	}
	return entry, taken
}

func (u *Request) cursorAt(b *history.Entry) string {
	return listing.EncodeCursor(listing.UndoCursor, listing.Fingerprint(u.Path), b.ID, words.Int(b.Time.UnixNano()))
}

// resume drops the entries of earlier pages. If the last of these is no longer kept, entries are
// compared with its time.
func (u *Request) resume(all []*history.Entry) ([]*history.Entry, error) {
	parts, fail := listing.OpenCursor(listing.UndoCursor, u.Cursor, listing.Fingerprint(u.Path), 2)
	if fail != nil || parts == nil {
		return all, answer.AsError(fail)
	}
	nanos, ok := listing.Numbers(10, parts[1])
	if !ok {
		return nil, listing.ForeignCursor()
	}
	if i := slices.IndexFunc(all, func(b *history.Entry) bool { return b.ID == parts[0] }); i >= 0 {
		return all[i+1:], nil
	}
	last := time.Unix(0, nanos[0])
	return slices.DeleteFunc(all, func(b *history.Entry) bool { return !b.Time.Before(last) }), nil
}

// Summary counts what there is.
func (r *ListResult) Summary() string {
	if r.NextCursor != "" {
		return words.Plural(int64(len(r.Backups)), "backup") + ", and there is more"
	}
	return words.Plural(int64(len(r.Backups)), "backup")
}

// NextStep says how to see more.
func (r *ListResult) NextStep() string {
	switch {
	case r.NextCursor != "":
		return "pass next_cursor as cursor to see earlier calls"
	case r.pathsCut:
		return "more_paths counts the paths that did not fit; undo with path finds the newest call that changed one"
	}
	return aboveHint(r.above)
}
