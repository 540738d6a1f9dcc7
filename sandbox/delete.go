package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Delete removes a file, a symbolic link itself, or a folder. A folder disappears at once or not at
// all: first every path in it is checked against the policy, nothing may be mounted in it
// (ErrBusy), and without Recursive it must be empty (ErrNotEmpty). FIFOs, sockets and devices are
// removed without being opened; no backup is kept of one that is removed by itself.
func (w *Workspace) Delete(ctx context.Context, t WriteOptions) (*Done, error) {
	t.Large, t.Anything = true, true
	return commitOne(ctx, w, Change{WriteOptions: t, Remove: true})
}

// prepareRemoval is prepare for the removal of what isn't a regular file.
func (t *transaction) prepareRemoval(s *write) error {
	s.changed, s.info = true, s.p.Info
	if err := RefuseMount(s.p); err != nil {
		return err
	}
	if err := t.expect(s.p, s.target.left); err != nil {
		return err
	}
	if s.info.Mode.IsDir() {
		return t.surveyRemoval(s)
	}
	return nil
}

// surveyRemoval looks through a folder, and refuses it if it can't be removed.
func (t *transaction) surveyRemoval(s *write) error {
	names, err := namesIn(t.ctx, s.p)
	if err != nil {
		return err
	}
	if len(names) > 0 && !s.target.Recursive { // before the whole tree is read
		return dir.ErrNotEmpty
	}
	through := surveyor{w: t.w, tops: []treeTop{{s.p.Asked, s.p.Path, true}}, remove: true, move: true}
	if s.found, err = through.surveyAt(t.ctx, s.p); err != nil {
		return err
	}
	if err := t.w.CheckTag(s.p, s.found.tag); err != nil {
		return err
	}
	if s.found.entries > 0 && !s.target.Recursive {
		return dir.ErrNotEmpty
	}
	return nil
}

// removed describes the file at a target for the journal, before it is removed.
func (p *Target) removed() history.Item {
	return history.Item{Path: p.Path, Kind: history.Take, Mode: p.Info.Mode, Size: p.Info.Size,
		Restores: history.RestoreAll, Stamp: p.Info.ChangeStamp()}
}

// addRemoval adds the removal of what isn't a regular file to a plan. Of a special file nothing is
// kept.
func (t *transaction) addRemoval(p *plan, s *write) error {
	switch {
	case s.info.Mode.IsDir():
		return t.addTree(p, s)
	case !s.info.IsLink():
		p.steps = append(p.steps, &s.step)
		return nil
	}
	saved, from, err := t.keepable(s.p)
	p.add(&s.step, saved, from)
	return err
}

// addTree adds the removal of a folder with everything in it. If the state folder is on the same
// file system, one rename turns the folder into its own backup. Else the folder is copied there
// first.
func (t *transaction) addTree(p *plan, s *write) error {
	saved := s.p.removed()
	saved.Size, saved.Entries, saved.Old, saved.Kept = s.found.bytes, s.found.entries, s.found.tag, p.entry.KeptName(0)
	if t.moved = !t.w.history.Off && !t.trees; t.moved {
		into, err := t.movingAway(s, saved.Kept)
		p.add(into, saved, history.Source{Empty: true})
		return err
	}
	s.tree = s.found.tag
	p.add(&s.step, saved, history.Source{Link: func(kept dir.Folder, _ string) (bool, error) {
		return true, t.copyTree(s, kept, &p.entry.Items[0])
	}})
	return nil
}

// movingAway is the step that moves a tree into the state folder. If somebody wrote into the tree
// after the survey, that is moved with it, and comes back with an undo; but if the folder was empty
// then, or somebody agreed to the removal of what was in it, it is moved back.
func (t *transaction) movingAway(s *write, name string) (*step, error) {
	kept, err := t.w.history.KeptFolder()
	into := &step{p: &Target{Asked: s.p.Asked, Folder: kept, Name: name}, from: s.p, info: s.info, tree: t.w.TreeAgreed(s.p, s.found)}
	if s.found.entries == 0 {
		into.tree = s.found.tag
	}
	return into, err
}

// isElsewhere reports errors of a rename into the state folder, or out of it, after which a copy
// may still work: another file system, a folder that may not be moved to another parent, no space
// in the state folder.
func isElsewhere(err error) bool {
	return err != nil && dir.IsClean(dir.Classify(err), syscall.EXDEV, dir.ErrUnsupported, dir.ErrPermission, dir.ErrNoSpace)
}

// copyTree puts a copy of the tree into the state folder.
func (t *transaction) copyTree(s *write, kept dir.Folder, f *history.Item) error {
	if s.found.bytes > history.MaxBytes {
		return history.TooMuch(s.found.bytes)
	}
	ctx, cancel := halfTime(t.ctx)
	defer cancel()
	c := treeCopy{from: s.p.Folder, name: s.p.Name, to: kept, newName: f.Kept, faithful: true, found: &s.info}
	err := c.copy(ctx)
	if s.unkept, f.Lost = c.leftOut, c.lost; err == nil {
		f.Old, err = fingerprint(ctx, kept, f.Kept)
	}
	if err != nil {
		clearing, cancel := clearingTime(t.ctx)
		defer cancel()
		_ = dir.RemoveTree(clearing, kept, f.Kept) // what is left has no entry in the journal, and is removed with others of that kind
	}
	if at, ok := errors.AsType[*dir.TreeError](err); ok && errors.Is(at.Err, fs.ErrPermission) { // the state folder is this user's
		return history.Failed(fmt.Errorf("%q: %v", s.p.Asked+"/"+at.Path, dir.Classify(at.Err)))
	}
	return unwrapTree(err)
}

// namesIn lists the folder at a target.
func namesIn(ctx context.Context, p *Target) ([]dir.Dirent, error) {
	folder, err := p.Folder.Sub(p.Name)
	if err != nil {
		if dir.IsAny(dir.Classify(NotFollowed(err)), dir.ErrNotFound, dir.ErrBusy, dir.ErrNotFolder) {
			return nil, dir.ErrCollision // it was a folder a moment ago
		}
		return nil, err
	}
	defer folder.Close()
	return dir.List(ctx, folder)
}
