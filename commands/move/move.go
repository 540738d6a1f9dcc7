package move

import (
	"context"
	"errors"
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/tree"
)

var Command = command.Command{
	Name: "move", Help: "Move or rename a file or a directory.", Writes: true, Deletes: true, Repeats: true,
	New:     func() command.Request { return new(Request) },
	Aliases: []string{"move_file", "rename"},
	Title:   "Move or rename", Results: []answer.Result{(*Result)(nil)},
	Text: "Move or rename a file, a link or a directory.",
	Examples: []string{"fsbox move old.go src/new.go --allow-write --allow-delete",
		"fsbox move draft.md README.md --overwrite --allow-write --allow-delete"},
	Codes:     []answer.Code{answer.CodeFileExists, answer.CodeNotEmpty, answer.CodeFileTooLarge},
	FlagHints: TransferHabits[:],
}

// Request gives a file, a symbolic link itself, or a folder another name.
type Request struct {
	From          string `arg:"" optional:"" need:"" json:"from" help:"File, link or directory."`
	To            string `arg:"" optional:"" need:"" json:"to" help:"New path, including the name."`
	Overwrite     bool   `json:"overwrite" help:"Replace a file, link or empty directory."`
	CreateParents bool   `json:"create_parents" rare:"" default:"true" negatable:"" help:"Create missing parent directories."`
	DryRun        bool   `json:"dry_run" help:"Preview."`
	Approval      string `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what was moved, and where to.
type Result struct {
	From           string  `json:"from"`
	FromBase64     string  `json:"from_base64,omitzero"` // the exact name, if it isn't UTF-8
	To             string  `json:"to"`
	ToBase64       string  `json:"to_base64,omitzero"` // the exact name, if it isn't UTF-8
	Type           string  `json:"type"`               // file, directory, symlink or other
	Entries        int     `json:"entries,omitzero"`   // number of files and directories in a directory
	Replaced       bool    `json:"replaced"`           // the destination existed and was replaced
	ParentsCreated int     `json:"parents_created"`
	BackupID       *string `json:"backup_id"` // null: no backup is kept
	Etag           *string `json:"etag"`      // of a file, else null
	DryRun         bool    `json:"dry_run,omitzero"`
}

// Creates reports whether a path is the new one.
func (m *Request) Creates(path string) bool { return path == m.To }

// Run moves what is at from.
func (m *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	t := transaction.Transfer{From: m.From, To: m.To, Overwrite: m.Overwrite, Parents: m.CreateParents, DryRun: m.DryRun, Tool: "move"}
	done, err := transaction.Move(ctx, env.Workspace, t)
	if err != nil {
		return nil, HintTransfer(env, err, t)
	}
	env.WarnLost(done.Lost)
	env.WarnIf(done.LeadsOutside, "the link escapes the workspace from its new path, so it can't be followed")
	r := TransferResult(done, t)
	return &r, nil
}

func TransferResult(done *transaction.Done, t transaction.Transfer) Result {
	return Result{From: done.From, FromBase64: words.Base64(done.From), To: done.Path, ToBase64: words.Base64(done.Path),
		Type: command.TypeName(done.Mode), Entries: done.Entries, Replaced: done.Existed, ParentsCreated: done.ParentsCreated,
		BackupID: words.OrNull(done.BackupID), Etag: words.OrNull(done.ETag), DryRun: t.DryRun}
}

// HintTransfer says what to do about a name that is taken, or about a folder that isn't allowed
// there or is missing.
func HintTransfer(env *command.Env, err error, t transaction.Transfer) error {
	f := command.FailureOf(err)
	taken, isTaken := errors.AsType[*transaction.TakenError](err)
	large, isLarge := errors.AsType[*tree.LimitError](err)
	switch {
	case isTaken && taken.Inside != "" && f.Code == answer.CodeFileExists:
		return f.WithHint("it is a directory; to put it inside, set to to %q", taken.Inside)
	case isTaken && taken.Inside != "":
		return f.WithHint("a file can't replace a directory; to put it inside, set to to %q", taken.Inside)
	case f.Code == answer.CodeNotADirectory && t.Overwrite && isAbout(env, f, t.To):
		return f.WithHint("a directory can't replace a file; choose another name, or delete the file first")
	case f.Code == answer.CodeFileExists && !t.Overwrite:
		return f.WithHint("set overwrite to replace it")
	case f.Code == answer.CodeNotEmpty:
		return f.WithHint("only an empty directory is replaced; remove its contents first, or choose another name")
	case isLarge && large.Entries > large.MaxEntries:
		return f.WithHint("copy its contents in several calls; the operator can raise --max-results")
	case isLarge:
		return f.WithHint("copy its contents in several calls")
	case f.Code == answer.CodeFileTooLarge:
		return f.WithHint("move it, or leave it where it is; the operator can raise --max-read-bytes")
	case f.Code == answer.CodeNotFound && isAbout(env, f, t.From):
		return f
	}
	return change.HintParents(err, t.Parents)
}

// isAbout reports whether a failure is about a path of the request.
func isAbout(env *command.Env, f *answer.Failure, path string) bool {
	d, ok := f.Details.(*answer.PathDetails)
	asked, err := env.Workspace.Clean(path)
	return ok && err == nil && d.Path == asked
}

func (r *Result) Change() command.Change {
	return r.Overwriting(command.Change{Paths: []string{r.From, r.To}})
}

// Overwriting adds what a move or a copy replaces.
func (r *Result) Overwriting(c command.Change) command.Change {
	if c.Whole = true; r.Replaced {
		c.Over, c.Source = r.To, r.From
	}
	return c
}

// Summary says what was moved, and where to.
func (r *Result) Summary() string { return r.Sentence("moved") }

func (r *Result) Sentence(command string) string {
	text := fmt.Sprintf("%s %q to %q", command, r.From, r.To)
	if r.Replaced {
		text += ", replacing what was there"
	}
	return text + words.DryRun(r.DryRun)
}

func (r *Result) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

// TransferHabits are those of cp and mv.
var TransferHabits = [...]string{"rRa a directory includes its contents anyway", "f to replace an existing file: --overwrite",
	"n nothing is replaced without --overwrite", "iv to preview the change: --dry-run",
	"p parents are made, and a copy has the mode of the original, anyway; times are not kept"}
