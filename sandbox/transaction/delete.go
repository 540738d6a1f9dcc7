package transaction

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// Delete removes a file, a symbolic link itself, or a folder. A folder disappears at once or not at
// all: first every path in it is checked against the policy, nothing may be mounted in it
// (ErrBusy), and without Recursive it must be empty (ErrNotEmpty). FIFOs, sockets and devices are
// removed without being opened; no backup is kept of one that is removed by itself.
func Delete(ctx context.Context, w *sandbox.Workspace, t WriteOptions) (*Done, error) {
	t.Large, t.Anything = true, true
	return commitOne(ctx, w, Change{WriteOptions: t, Remove: true})
}

// prepareRemoval is prepare for the removal of what isn't a regular file.
func (t *Transaction) prepareRemoval(s *write) error {
	s.changed, s.Info = true, s.Target.Info
	if err := sandbox.RefuseMount(s.Target); err != nil {
		return err
	}
	if err := expect(t.Ctx, s.Target, s.target.Left); err != nil {
		return err
	}
	if s.Info.Mode.IsDir() {
		return t.surveyRemoval(s)
	}
	return nil
}

// surveyRemoval looks through a folder, and refuses it if it can't be removed.
func (t *Transaction) surveyRemoval(s *write) error {
	names, err := namesIn(t.Ctx, s.Target)
	if err != nil {
		return err
	}
	if len(names) > 0 && !s.target.Recursive { // before the whole tree is read
		return fserr.ErrNotEmpty
	}
	through := tree.Surveyor{Workspace: t.Workspace, Tops: []tree.Top{tree.TopOf(s.Target, true)}, Remove: true, Move: true}
	if s.found, err = through.SurveyAt(t.Ctx, s.Target); err != nil {
		return err
	}
	if err := t.Workspace.CheckTag(s.Target, s.found.Tag); err != nil {
		return err
	}
	if s.found.Entries > 0 && !s.target.Recursive {
		return fserr.ErrNotEmpty
	}
	return nil
}

// RemovedItem describes the file at a target for the journal, before it is removed.
func RemovedItem(p *sandbox.Target) history.Item {
	return history.Item{Path: p.Path, Kind: history.Remove, Mode: p.Info.Mode, Size: p.Info.Size,
		Restores: history.RestoreAll, Stamp: p.Info.ChangeStamp()}
}

// addRemoval adds the removal of what isn't a regular file to a plan. Of a special file nothing is
// kept.
func (t *Transaction) addRemoval(p *plan.Plan, s *write) error {
	switch {
	case s.Info.Mode.IsDir():
		return t.addTree(p, s)
	case !s.Info.IsLink():
		p.Steps = append(p.Steps, &s.Step)
		return nil
	}
	saved, from, err := keepable(t.Ctx, s.Target)
	p.Add(&s.Step, saved, from)
	return err
}

// addTree adds the removal of a folder with everything in it. If the state folder is on the same
// file system, one rename turns the folder into its own backup. Else the folder is copied there
// first.
func (t *Transaction) addTree(p *plan.Plan, s *write) error {
	saved := RemovedItem(s.Target)
	saved.Size, saved.Entries, saved.Old, saved.Kept = s.found.Bytes, s.found.Entries, s.found.Tag, p.Entry.KeptName(0)
	if t.movesTree(s) {
		into, err := t.movingAway(s, saved.Kept)
		p.Add(into, saved, history.Source{Empty: true})
		return err
	}
	s.Tree = s.found.Tag
	p.Add(&s.Step, saved, history.Source{Link: func(kept dir.Folder, _ string) (bool, error) {
		return true, t.copyTree(s, kept, &p.Entry.Items[0])
	}})
	return nil
}

// movingAway is the step that moves a tree into the state folder. If somebody wrote into the tree
// after the survey, that is moved with it, and comes back with an undo; but if the folder was empty
// then, or somebody agreed to the removal of what was in it, it is moved back.
func (t *Transaction) movingAway(s *write, name string) (*plan.Step, error) {
	kept, err := t.Workspace.History().KeptFolder()
	into := &plan.Step{Target: &sandbox.Target{Asked: s.Target.Asked, Folder: kept, Name: name}, From: s.Target, Info: s.Info,
		Tree: t.Workspace.TreeAgreed(s.Target, s.found.Tag)}
	if s.found.Entries == 0 {
		into.Tree = s.found.Tag
	}
	return into, err
}

// isElsewhere reports errors of a rename into the state folder, or out of it, after which a copy
// may still work: another file system, a folder that may not be moved to another parent, no space
// in the state folder.
func isElsewhere(err error) bool {
	return err != nil && fserr.IsClean(fserr.Classify(err), syscall.EXDEV, fserr.ErrUnsupported, fserr.ErrPermission, fserr.ErrNoSpace)
}

// copyTree puts a copy of the tree into the state folder.
func (t *Transaction) copyTree(s *write, kept dir.Folder, f *history.Item) error {
	if s.found.Bytes > history.MaxBytes {
		return history.TooMuch(s.found.Bytes)
	}
	ctx, cancel := plan.HalfTime(t.Ctx)
	defer cancel()
	c := tree.Copier{From: s.Target.Folder, Name: s.Target.Name, To: kept, NewName: f.Kept, Faithful: true, Found: &s.Info}
	err := c.Copy(ctx)
	if s.unkept, f.Lost = c.LeftOut, c.Lost; err == nil {
		f.Old, err = tree.Fingerprint(ctx, kept, f.Kept)
	}
	if err != nil {
		clearing, cancel := plan.ClearingTime(t.Ctx)
		defer cancel()
		_ = walk.Remove(clearing, kept, f.Kept) // what is left has no entry in the journal, and is removed with others of that kind
	}
	if at, ok := errors.AsType[*walk.Error](err); ok && errors.Is(at.Err, fs.ErrPermission) { // the state folder is this user's
		return history.Failed(fmt.Errorf("%q: %v", s.Target.Asked+"/"+at.Path, fserr.Classify(at.Err)))
	}
	return tree.Unwrap(err)
}

// namesIn lists the folder at a target.
func namesIn(ctx context.Context, p *sandbox.Target) ([]dir.Dirent, error) {
	folder, err := p.Folder.Sub(p.Name)
	if err != nil {
		if fserr.IsAny(fserr.Classify(sandbox.NotFollowed(err)), fserr.ErrNotFound, fserr.ErrBusy, fserr.ErrNotFolder) {
			return nil, fserr.ErrCollision // it was a folder a moment ago
		}
		return nil, err
	}
	defer folder.Close()
	return dir.List(ctx, folder)
}

// expect makes sure that a target has the file or folder that a call left there; nil for anything.
func expect(ctx context.Context, p *sandbox.Target, left *history.Item) error {
	switch {
	case left == nil:
		return nil
	case !p.Exists || p.Info.Mode.Type() != left.Mode.Type():
		return p.Fail(&fserr.StaleError{})
	}
	now, err := tree.TagLike(ctx, p.Folder, p.Name, p.Info, left.New)
	if err == nil && now != left.New {
		err = &fserr.StaleError{}
	}
	return p.Fail(tree.Explain(p.Asked, err))
}
