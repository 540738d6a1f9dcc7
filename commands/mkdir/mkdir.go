package mkdir

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
	Name: "mkdir", Help: "Create a directory.", Writes: true, Adds: true, Repeats: true,
	New:     func() command.Request { return new(Request) },
	Aliases: []string{"create_directory"},
	Title:   "Create a directory", Results: []answer.Result{(*Result)(nil)},
	Text:      "Create a directory (folder) and missing parents.",
	Examples:  []string{"fsbox mkdir src/new/deep --allow-write", "fsbox mkdir src/new --no-parents --allow-write"},
	Extra:     request.OnePath,
	FlagHints: []string{"p missing parents are created anyway"},
}

// Request creates a folder.
type Request struct {
	Path     string `arg:"" optional:"" need:"" json:"path" help:"Directory to create."`
	Parents  bool   `json:"parents" rare:"" default:"true" negatable:"" help:"Create missing parent directories."`
	Approval string `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what changed.
type Result struct {
	words.PathName
	Created        bool `json:"created"` // false if it already existed
	ParentsCreated int  `json:"parents_created"`
}

// Creates says that the path need not lead to anything.
func (*Request) Creates(string) bool { return true }

// Run makes the folder, and syncs its parent so that it survives a power cut.
func (m *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	made, err := transaction.Mkdir(ctx, env.Workspace, m.Path, m.Parents)
	switch {
	case err != nil && !m.Parents:
		return nil, command.HintIf(err, answer.CodeNotFound, "its parent directory doesn't exist; set parents to create it")
	case err != nil:
		return nil, err
	}
	return &Result{PathName: words.PathOf(made.Path), Created: !made.Existed, ParentsCreated: made.ParentsCreated}, nil
}

func (r *Result) Change() command.Change {
	return command.Change{Paths: []string{r.Path}, Nothing: !r.Created, Folder: true}
}

// Summary says whether the folder is new.
func (r *Result) Summary() string {
	if !r.Created {
		return fmt.Sprintf("%q already exists", r.Path)
	}
	return fmt.Sprintf("created directory %q", r.Path)
}

// Preview is the dry run of a mkdir, which has no field dry_run.
func (m *Request) Preview(env *command.Env) (answer.Result, error) {
	path, err := env.Workspace.Clean(m.Path)
	if err != nil {
		return nil, err
	}
	st, err := env.Workspace.Stat(m.Path)
	return &Result{PathName: words.PathOf(path), Created: err == nil && !st.Exists}, err
}

func (r *Result) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }
