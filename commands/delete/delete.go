package delete

import (
	"context"
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/transaction"
)

var Command = command.Command{
	Name: "delete", Help: "Remove a file or a directory.", Writes: true, Deletes: true, Repeats: true,
	New:     func() command.Request { return new(Request) },
	Aliases: []string{"delete_file", "file_delete", "remove"},
	Idle:    []string{"explanation"},
	Title:   "Delete a file or directory", Results: []answer.Result{(*Result)(nil)},
	Text: "Delete a file, a link or a directory. undo can restore it.",
	Examples: []string{"fsbox delete old.go --allow-write --allow-delete",
		"fsbox delete build --recursive --allow-write --allow-delete"},
	Codes: []answer.Code{answer.CodeNotEmpty},
	Extra: request.OnePath,
	FlagHints: []string{"rR a directory and its contents: --recursive", "f delete never asks, and a missing path is not_found",
		"iv to preview the change: --dry-run"},
}

// Request removes a file, a symbolic link itself, or a folder.
type Request struct {
	Path      string `arg:"" optional:"" need:"" json:"path" help:"File, directory or link (not its target)."`
	Recursive bool   `json:"recursive" help:"Delete directory contents too."`
	IfMatch   string `json:"if_match" placeholder:"ETAG" help:"Fail if the etag differs."`
	DryRun    bool   `json:"dry_run" help:"Preview."`
	Approval  string `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what was removed.
type Result struct {
	words.PathName
	Type     string  `json:"type"`             // file, directory, symlink or other
	Deleted  bool    `json:"deleted"`          // false in a dry run
	Entries  int     `json:"entries,omitzero"` // number of files and directories in a deleted directory
	BackupID *string `json:"backup_id"`        // null: no backup is kept
	DryRun   bool    `json:"dry_run,omitzero"`
}

// Run removes what is at the path.
func (d *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	done, err := transaction.Delete(ctx, env.Workspace, transaction.WriteOptions{Path: d.Path, Recursive: d.Recursive,
		IfMatch: d.IfMatch, DryRun: d.DryRun,
		Tool: "delete"})
	if err != nil {
		return nil, command.HintIf(err, answer.CodeNotEmpty, "set recursive to remove it and its contents")
	}
	r := &Result{PathName: words.PathOf(done.Path), Type: command.TypeName(done.Mode), Deleted: !d.DryRun,
		Entries:  done.Entries,
		BackupID: words.OrNull(done.BackupID), DryRun: d.DryRun}
	switch {
	case r.Type == "other" && d.DryRun:
		env.Warn("a special file can't be restored by undo")
	case r.Type == "other":
		env.Warn("a special file can't be restored: undo reverts the call before this one")
	case done.Unkept > 0:
		env.Warn("%s in it can't be restored by undo", words.Plural(int64(done.Unkept), "special file"))
	}
	return r, nil
}

func (r *Result) Change() command.Change {
	return command.Change{Paths: []string{r.Path}, Takes: []string{r.Path}}
}

// Summary says what is gone.
func (r *Result) Summary() string {
	text := fmt.Sprintf("removed %s %q", words.Kind(r.Type), r.Path)
	if r.Entries > 0 {
		text += fmt.Sprintf(" with %s in it", words.Plural(int64(r.Entries), "name"))
	}
	return text + words.DryRun(r.DryRun)
}

func (r *Result) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }
