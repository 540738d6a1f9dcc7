package rewrite

import (
	"context"
	"errors"

	"fsbox/commands/answer"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/dir"
	"fsbox/textio"
	"fsbox/textio/diff"
	"fsbox/textio/patch"
)

// PatchPlan is what a patch does to one file, and, once the file is read, what becomes of its text.
type PatchPlan struct {
	*patch.FilePlan
	textio.Changed
}

// plan finds the files of a patch, and checks that deletes are allowed.
func (p *Patch) plan(env *verb.Env, parsed *patch.Patch) ([]*PatchPlan, error) {
	files, err := parsed.FilePlans(func(f *patch.File) (path, from string, err error) {
		if f.Removes() && !env.Settings.AllowDelete {
			return "", "", answer.Failf(answer.CodeDeletesDisabled,
				"line %d of the patch takes a file from its place, and that is switched off", f.Line).
				WithHint("the operator can switch it on with --allow-delete")
		}
		if path, err = env.Workspace.Clean(f.Path); err == nil && f.From != "" {
			from, err = env.Workspace.Clean(f.From)
		}
		return path, from, err
	})
	return words.Mapped(files, func(f *patch.FilePlan) *PatchPlan { return &PatchPlan{FilePlan: f} }), patchSyntaxFailure(err)
}

// Change is the file's part of the transaction. shown is for all files of the patch: see
// patch.Options.
func (f *PatchPlan) Change(ctx context.Context, p *Patch, env *verb.Env, shown *int) sandbox.Change {
	c := sandbox.Change{Target: sandbox.Target{Path: f.Path, DryRun: p.DryRun, Tool: "patch", Exec: f.Exec()}, From: f.From}
	switch {
	case f.Action() == patch.Add, f.From != "":
		c.Creation, c.Parents = sandbox.MustCreate, true
	case f.Sections[0].MayCreate():
		c.Creation, c.Parents = sandbox.MayCreate, true
	}
	options := patch.Options{Lenient: p.Match == "lenient", Shown: shown}
	c.Make = func(old []byte, existed bool) (content []byte, err error) {
		if f.Created = !existed && c.Creation == sandbox.MayCreate; existed && len(old) > 0 && f.Sections[0].Creates() {
			return nil, &dir.PathError{Path: f.Path, Err: dir.ErrExists}
		}
		f.Changed, err = textio.Patch(ctx, f.FilePlan, old, env.Limits.MaxReadBytes, options)
		return f.Content, textFailure(f.Path, err)
	}
	c.Remove = f.Action() == patch.Delete
	return c
}

// textFailure says what is wrong with a file whose text can't be changed in places.
func textFailure(path string, err error) error {
	if binary, ok := errors.AsType[*textio.BinaryError](err); ok {
		return verb.BinaryFailure(path, binary.Head).WithHint("only text files can be edited; replace the file with write")
	}
	if invalid, ok := errors.AsType[*textio.InvalidTextError](err); ok {
		return answer.Failf(answer.CodeInvalidEncoding, "%q is not valid %s", path, invalid.Encoding)
	}
	return err
}

// list adds a file and as many of its hunks as fit into the answer. It is false if not even the
// file fits.
func (r *PatchResult) list(f PatchedFile, hunks []patch.HunkResult, budget *answer.Budget) bool {
	if !budget.Add(f) {
		return false
	}
	for _, h := range hunks {
		if f.HunksCut = !budget.Add(h); f.HunksCut {
			break
		}
		f.Hunks = append(f.Hunks, h)
	}
	r.Files = append(r.Files, f)
	return true
}

// answer is what became of a file, without its hunks.
func (f *PatchPlan) answer(done *sandbox.Done, shown diff.Printed) PatchedFile {
	return PatchedFile{PathName: words.PathOf(done.Path), Action: f.Action(), From: f.From, FromBase64: words.Base64(f.From),
		Additions: shown.Additions,
		Deletions: shown.Deletions, Hunks: []patch.HunkResult{}, Etag: words.OrNull(done.ETag), BackupID: words.OrNull(done.BackupID)}
}

// names are those that the diff of the file has; path is its path after the patch.
func (f *PatchPlan) names(path string) textio.Contents {
	return textio.Contents{Path: path, From: f.From, Created: f.Action() == patch.Add, Removed: f.Action() == patch.Delete}
}
