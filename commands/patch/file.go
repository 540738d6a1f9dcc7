package patch

import (
	"context"
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/diff"
	"fsbox/textio/patch"
)

// Plan is what a patch does to one file, and, once the file is read, what the answer has to
// tell of it. Its texts are not among that: a patch may be about 10,000 files.
type Plan struct {
	*patch.FilePlan
	moved                bool               // a hunk isn't where the patch said, or its lines aren't those of the file
	crlf                 bool               // CRLF was put into a file that had LF only
	mixed                bool               // UTF-8 was put into a file in another encoding
	hunks                []patch.HunkResult // as many as an answer may have
	hunkCount            int
	additions, deletions int32
}

// plan finds the files of a patch, and checks that deletes are allowed.
func (p *Request) plan(env *command.Env, parsed *patch.Patch) ([]*Plan, error) {
	files, err := parsed.FilePlans(func(f *patch.File) (path, from string, err error) {
		if f.Removes() && !env.Settings.AllowDelete {
			return "", "", answer.Failf(answer.CodeDeletesDisabled,
				"line %d of the patch removes or renames a file, and that is disabled", f.Line).
				WithHint("the operator can allow it with --allow-delete")
		}
		if path, err = env.Workspace.Clean(f.Path); err == nil && f.From != "" {
			from, err = env.Workspace.Clean(f.From)
		}
		return path, from, err
	}, env.Workspace.Exists)
	return words.Mapped(files, func(f *patch.FilePlan) *Plan { return &Plan{FilePlan: f} }), patchSyntaxFailure(err)
}

// Change is the file's part of the transaction. shown is for all files of the patch: see
// patch.Options. planned gets the texts of the file that was planned last.
func (f *Plan) Change(ctx context.Context, p *Request, env *command.Env, shown *int, planned *textio.Changed) transaction.Change {
	c := transaction.Change{WriteOptions: transaction.WriteOptions{Path: f.Path, DryRun: p.DryRun, Tool: "patch", Exec: f.Exec()},
		From: f.From}
	switch {
	case f.Action() == patch.Add, f.From != "":
		c.Creation, c.Parents = transaction.MustCreate, true
	case f.Sections[0].MayCreate():
		c.Creation, c.Parents = transaction.MayCreate, true
	}
	options := patch.Options{Lenient: p.Match == "lenient", Shown: shown}
	mayCreate := c.Creation == transaction.MayCreate
	c.Make = func(old []byte, existed bool) (content []byte, err error) {
		if f.Created = !existed && mayCreate; existed && len(old) > 0 && f.Sections[0].Creates() {
			return nil, &fserr.PathError{Path: f.Path, Err: fserr.ErrExists}
		}
		*planned, err = textio.Patch(ctx, f.FilePlan, old, env.Limits.MaxReadBytes, options)
		return planned.Content, change.TextFailure(f.Path, err)
	}
	c.Remake = func(old []byte, _ bool) ([]byte, error) {
		text, err := textio.Patch(ctx, f.FilePlan, old, env.Limits.MaxReadBytes, patch.Options{Lenient: p.Match == "lenient"})
		return text.Content, err
	}
	c.Remove = f.Action() == patch.Delete
	return c
}

// patchedFiles notes what the answer has to tell of each file, before its texts are let go.
type patchedFiles struct {
	env      *command.Env
	diff     bool // it is to be shown
	dryRun   bool
	printed  command.Diffs
	warnings command.Env // only its warnings
	left     int         // hunks that the answer may still have
	text     *textio.Changed
	again    bool // files were told of more than once
}

// hunkBytes is the least that the place of a hunk takes in an answer: no more of them are held than
// may fit.
const hunkBytes = 40

// add notes a file that was planned.
func (s *patchedFiles) add(n int, f *Plan, done *transaction.Done) {
	if n == 0 {
		limits := s.env.Limits
		*s = patchedFiles{env: s.env, diff: s.diff, dryRun: s.dryRun, text: s.text, again: s.left > 0,
			left:    int(limits.MaxOutputBytes / hunkBytes),
			printed: command.Diffs{Lines: command.LinesOfDiff(s.diff), Budget: command.DiffBudget(limits)}}
	}
	text := s.text
	own := s.printed.Add(func(maxLines int) diff.Printed { return text.Diff(f.names(done.Path), maxLines) })
	f.additions, f.deletions = int32(own.Additions), int32(own.Deletions)
	f.moved = slices.ContainsFunc(text.Hunks, func(h patch.HunkResult) bool { return h.Offset != 0 || change.IsNews(h.Match) })
	f.crlf, f.mixed, f.hunkCount = text.CRLF, text.Mixed, len(text.Hunks)
	f.hunks = slices.Clone(text.Hunks[:min(len(text.Hunks), s.left)])
	s.left -= len(f.hunks)
	warnAgain(&s.warnings, f, text.Hunks, s.dryRun)
	change.WarnElision(&s.warnings, text.Elision)
	change.WarnMangled(&s.warnings, f.Path, text.Added, text.Before)
	if s.env.Show != nil {
		s.env.Show(f.changed(done))
	}
	*text = textio.Changed{} // before the next file is read
}

// changed is the file for who approves the patch.
func (f *Plan) changed(done *transaction.Done) command.ChangedFile {
	one, exec := command.ChangedBy(done, ""), f.Exec()
	one.Runs, one.From = exec != nil && *exec, f.From
	one.Created, one.Removed = one.Created && f.From == "", f.Action() == patch.Delete
	return one
}

// list adds a file and as many of its hunks as fit into the answer. It is false if not even the
// file fits.
func (r *Result) list(f PatchedFile, plan *Plan, budget *answer.Budget) bool {
	if !budget.Add(f) {
		return false
	}
	for _, h := range plan.hunks {
		if !budget.Add(h) {
			break
		}
		f.Hunks = append(f.Hunks, h)
	}
	f.HunksCut = len(f.Hunks) < plan.hunkCount
	r.Files = append(r.Files, f)
	return true
}

// answer is what became of a file, without its hunks.
func (f *Plan) answer(done *transaction.Done) PatchedFile {
	return PatchedFile{PathName: words.PathOf(done.Path), Action: f.Action(), From: f.From, FromBase64: words.Base64(f.From),
		Additions: int(f.additions), Deletions: int(f.deletions), Hunks: []patch.HunkResult{},
		Etag: words.OrNull(done.ETag), BackupID: words.OrNull(done.BackupID)}
}

// names are those that the diff of the file has; path is its path after the patch.
func (f *Plan) names(path string) textio.Contents {
	return textio.Contents{Path: path, From: f.From, Created: f.Action() == patch.Add, Removed: f.Action() == patch.Delete}
}
