package patch

import (
	"context"
	"fmt"
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/patch"
)

var Command = command.Command{
	Name: "patch", Help: "Apply a patch (diff) to one or many files, all or nothing.", Writes: true, Several: true,
	New:     func() command.Request { return new(Request) },
	Aliases: []string{"apply_patch"},
	Title:   "Apply a patch", Results: []answer.Result{(*Result)(nil)},
	Text:     "Apply a patch (diff) to one or many files, all or nothing. Line numbers needn't match; context lines must.",
	Examples: []string{"git diff | fsbox patch --allow-write", "fsbox patch --patch-file fix.diff --dry-run --allow-write"},
	Codes: []answer.Code{answer.CodeInvalidPatch, answer.CodePatchConflict, answer.CodeAmbiguousPatch, answer.CodeFileExists,
		answer.CodeIsBinary, answer.CodeInvalidEncoding,
		answer.CodeFileTooLarge, answer.CodeWriteTooLarge, answer.CodeNoChange},
}

// Request applies a diff to one file or many.
type Request struct {
	Patch         string `arg:"" optional:"" need:"json" json:"patch" aliases:"patchText,patch_text,input" help:"Unified or git diff, or *** Begin Patch ... *** End Patch."`
	ContinuePatch string `json:"continue_patch" placeholder:"ID" help:"ID of a failed patch: send only corrected hunks (batch, MCP)."`
	PatchFile     string `json:"-" name:"patch-file" placeholder:"FILE" help:"Read the patch from a file in the workspace; - reads stdin."`
	Match         string `json:"match" default:"exact" oneof:"exact,lenient" placeholder:"WORD" help:"exact (default), or lenient about whitespace, quotes and dashes."`
	Diff          bool   `json:"diff" rare:"" default:"true" negatable:"" help:"Include a diff of the change. The text form shows it only if it adds information, or on request."`
	DryRun        bool   `json:"dry_run" help:"Preview."`
	Approval      string `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what changed.
type Result struct {
	Format         string        `json:"format"` // unified, git or begin_patch
	Files          []PatchedFile `json:"files"`
	FilesTruncated bool          `json:"files_truncated,omitzero"` // cut because of max_output_bytes
	FilesModified  int           `json:"files_modified"`
	answer.ShownDiff
	DryRun bool `json:"dry_run,omitzero"`

	moved bool     // a hunk isn't where the patch said, or its lines aren't those of the file
	paths []string // of all files, old ones of moved files included
	count int      // of all files
	lines int      // that changed in all of them
}

// PatchedFile is what became of one file.
type PatchedFile struct {
	words.PathName
	Action     string             `json:"action"`               // add, update, delete, move or mode
	From       string             `json:"from,omitzero"`        // a moved file's old path
	FromBase64 string             `json:"from_base64,omitzero"` // the exact name, if it isn't UTF-8
	Additions  int                `json:"additions"`
	Deletions  int                `json:"deletions"`
	Hunks      []patch.HunkResult `json:"hunks"`
	HunksCut   bool               `json:"hunks_truncated,omitzero"` // cut because of max_output_bytes
	Etag       *string            `json:"etag"`                     // null for a deleted file
	BackupID   *string            `json:"backup_id"`                // one for the whole patch; null: no backup is kept
}

// Run applies the whole patch or nothing of it.
func (p *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	parsed, err := p.parse(ctx, env)
	if err != nil {
		return nil, err
	}
	plan, err := p.plan(env, parsed)
	if err != nil {
		return nil, err
	}
	changes, shown := make([]transaction.Change, len(plan)), new(int)
	seen := &patchedFiles{env: env, diff: p.Diff, dryRun: p.DryRun, text: new(textio.Changed)}
	for i, f := range plan {
		changes[i] = f.Change(ctx, p, env, shown, seen.text)
		changes[i].Planned = func(d *transaction.Done) { seen.add(i, f, d) }
	}
	done, err := transaction.Commit(ctx, env.Workspace, changes)
	switch {
	case err != nil:
		return nil, p.failure(ctx, env, err, parsed, plan)
	case seen.again && env.Show != nil:
		return nil, &fserr.PathError{Path: plan[0].Path, Err: fserr.ErrBusy}
	}
	p.drop(env)
	warnPatched(env, parsed, plan, done, seen)
	return p.result(parsed, plan, done, seen)
}

// parse reads the patch, from where the request has it.
func (p *Request) parse(ctx context.Context, env *command.Env) (*patch.Patch, error) {
	text, err := p.text(ctx, env)
	if err != nil {
		return nil, err
	}
	parsed, err := patch.Parse(text)
	if err != nil {
		return nil, hintFileName(env, err, text)
	}
	if added := parsed.Added(); added > env.Limits.MaxWriteBytes {
		return nil, change.TooMuchAdded(env, added).WithHint(request.HintParts)
	}
	return p.continued(env, parsed)
}

// Deletes reports whether a patch removes or renames a file. It is false for a patch that can't be
// read, or that isn't in the request.
func (p *Request) Deletes() bool {
	parsed, err := patch.Parse(p.bytes())
	return err == nil && slices.ContainsFunc(parsed.Files, patch.File.Removes)
}

// Creates reports whether a patch makes a file of this name.
func (p *Request) Creates(path string) bool {
	parsed, err := patch.Parse(p.bytes())
	return err == nil && slices.ContainsFunc(parsed.Files, func(f patch.File) bool {
		return f.Path == path && f.From != path && (f.Action != patch.Update && f.Action != patch.Delete || f.MayCreate())
	})
}

// LacksText reports whether the request came without a patch, so that stdin may bring one.
func (p *Request) LacksText() bool { return p.Patch == "" && p.PatchFile == "" }

// TakeStdin makes the text on stdin the patch.
func (p *Request) TakeStdin() { p.PatchFile = "-" }

func (p *Request) result(parsed *patch.Patch, plan []*Plan, done []*transaction.Done, seen *patchedFiles) (answer.Result, error) {
	r := &Result{Format: parsed.Format, Files: []PatchedFile{}, DryRun: p.DryRun, count: len(plan)}
	budget := command.WholeBudget(seen.env.Limits)
	for i, f := range plan {
		if done[i].Changed || f.Action() == patch.Delete { // what takes the name of a deleted file counts as its change
			r.FilesModified++
		}
		r.note(f, done[i])
		r.lines += int(f.additions + f.deletions)
		if !r.FilesTruncated {
			r.FilesTruncated = !r.list(f.answer(done[i]), f, budget)
		}
	}
	r.ShownDiff = command.ShownDiff(p.Diff, command.CutDiff(seen.printed.All(), budget))
	if r.FilesModified == 0 {
		return nil, answer.Failf(answer.CodeNoChange, "the patch doesn't change any file").WithHint(hintNoChange)
	}
	return r, nil
}

// note keeps what approval and the text form have to know of a file, however long the answer.
func (r *Result) note(f *Plan, done *transaction.Done) {
	r.moved = r.moved || f.moved
	if f.From != "" {
		r.paths = append(r.paths, f.From)
	}
	r.paths = append(r.paths, done.Path)
}

func (r *Result) Change() command.Change { return command.Change{Paths: r.paths} }

// Summary says how many files changed.
func (r *Result) Summary() string {
	if r.count == 1 {
		return fmt.Sprintf("patched %q%s", r.paths[len(r.paths)-1], words.DryRun(r.DryRun))
	}
	return fmt.Sprintf("patched %s%s", words.Plural(int64(r.FilesModified), "file"), words.DryRun(r.DryRun))
}

func (r *Result) AddLogStats(m *command.LogStats) {
	m.Add("lines", int64(r.lines))
	m.Paths = r.paths
}

// NamedPaths are the files that a patch names; none if it can't be read.
func (p *Request) NamedPaths() (paths []string) {
	parsed, err := patch.Parse(p.bytes())
	if p.Patch == "" || err != nil {
		return nil
	}
	for _, f := range parsed.Files {
		if f.From != "" && f.From != f.Path {
			paths = append(paths, f.From)
		}
		paths = append(paths, f.Path)
	}
	return paths
}
