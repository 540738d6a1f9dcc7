package copy

import (
	"context"
	"fmt"
	"io/fs"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/move"
	"fsbox/sandbox/transaction"
)

var Command = command.Command{
	Name: "copy", Help: "Copy a file or a directory.", Writes: true, Repeats: true, New: func() command.Request { return new(Request) },
	Aliases: []string{"copy_file"},
	Title:   "Copy a file or directory", Results: []answer.Result{(*Result)(nil)},
	Text:      "Copy a file, or a directory with its contents.",
	Examples:  []string{"fsbox copy config.sample config.json --allow-write", "fsbox copy templates site --dry-run --allow-write"},
	Codes:     []answer.Code{answer.CodeFileExists, answer.CodeNotEmpty, answer.CodeFileTooLarge},
	FlagHints: move.TransferHabits[:],
}

// Request copies a file or a folder.
type Request struct {
	From          string `arg:"" optional:"" need:"" json:"from" help:"File or directory; links are followed."`
	To            string `arg:"" optional:"" need:"" json:"to" help:"Path of the copy, including its name."`
	Overwrite     bool   `json:"overwrite" help:"Replace an existing file."`
	CreateParents bool   `json:"create_parents" rare:"" default:"true" negatable:"" help:"Create missing parent directories."`
	DryRun        bool   `json:"dry_run" help:"Preview."`
	Approval      string `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what was copied.
type Result struct {
	move.Result
	isSame  bool        // the file that has the path has this content already
	newMode fs.FileMode // of a new file
}

// Creates reports whether a path is the new one.
func (c *Request) Creates(path string) bool { return path == c.To }

// Run copies what is at from.
func (c *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	t := transaction.Transfer{From: c.From, To: c.To, Overwrite: c.Overwrite, Parents: c.CreateParents, DryRun: c.DryRun,
		Entries: int(env.Limits.MaxResults), Tool: "copy"}
	done, err := transaction.Copy(ctx, env.Workspace, t)
	if err != nil {
		return nil, move.HintTransfer(env, err, t)
	}
	env.WarnLost(done.Lost)
	r := &Result{Result: move.TransferResult(done, t), isSame: done.Existed && !done.Changed}
	r.Replaced = done.Existed && done.Changed
	if !done.Existed {
		r.newMode = done.NewMode
	}
	return r, nil
}

func (r *Result) Change() command.Change {
	return r.Overwriting(command.Change{Paths: []string{r.To}, Read: []string{r.From}, NewMode: r.newMode, Nothing: r.isSame})
}

// Summary says what was copied.
func (r *Result) Summary() string {
	if r.isSame {
		return fmt.Sprintf("%q already has this content", r.To)
	}
	return r.Sentence("copied")
}
