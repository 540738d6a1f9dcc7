package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"fsbox/sandbox/dir"
)

// culprit is the target that an error of the system is about.
func (s *step) culprit(err error) *Target {
	if s.from == nil || isAboutNew(err, s.p.Folder) {
		return s.p
	}
	return s.from
}

// isAboutNew reports whether an error of the system is about the new name of what is moved or
// copied: no space, no such name, or no permission to add one. Everything else is about the old
// one.
func isAboutNew(err error, to dir.Folder) bool {
	kind := dir.Classify(err)
	isRefusal := dir.IsAny(kind, dir.ErrPermission, dir.ErrReadOnly)
	return dir.IsAny(kind, dir.ErrNoSpace, dir.NameTooLong, dir.NameUnfit) || isRefusal && !to.May(".", dir.Writing)
}

// apply makes one step.
func (p *plan) apply(s *step) (err error) {
	switch {
	case s.from != nil:
		err = p.rename(s)
	case s.creates == nil:
		err = p.take(s)
	case s.p.Exists:
		err = p.exchange(s)
	default:
		err = p.give(s)
	}
	s.done = s.done || err == nil
	if s.from != nil {
		err = s.from.TellMount(err)
	}
	return s.p.TellMount(err)
}

// give gives what arrives its name, unless the name is taken.
func (p *plan) give(s *step) error {
	err := moveFree(s.p.Folder, s.temp, s.p.Name, s.made)
	s.hasTemp = err != nil
	switch {
	case errors.Is(err, fs.ErrExist) && s.mayExist, errors.Is(err, fs.ErrNotExist): // or its folder is gone
		return dir.ErrCollision
	}
	return err
}

// exchange swaps the names of what arrives and of the file that it replaces, and checks whether
// that file is the one that was read. If not, somebody else has changed it, and it gets its name
// back.
func (p *plan) exchange(s *step) error {
	if err := p.unchanged(s); err != nil {
		return err
	}
	if err := s.endStaging(); err != nil {
		return err
	}
	folder := s.p.Folder
	err := folder.Move(s.temp, folder, s.p.Name, dir.Swapping)
	switch {
	case errors.Is(err, dir.ErrUnsupported):
		return p.exchangeInTwo(s)
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision // it is gone
	case err != nil:
		return err
	}
	if p.isDisplaced(s) {
		return nil
	}
	return p.putBack(s, dir.Swapping)
}

// exchangeInTwo is for file systems that can't exchange two names. The only new file of a plan is
// renamed over the old one. With several steps, the old one must be kept to be put back, so for a
// moment no file has the name.
func (p *plan) exchangeInTwo(s *step) error {
	if _, isSecond := s.creates.(secondName); isSecond {
		return dir.ErrUnsupported // to move the file itself takes one step
	}
	folder := s.p.Folder
	if err := p.unchanged(s); err != nil {
		return err
	}
	if len(p.steps) == 1 {
		err := folder.Move(s.temp, folder, s.p.Name, dir.Over)
		err = dir.Arrived(err, folder, s.temp, folder, s.p.Name, s.made)
		s.hasTemp = err != nil
		return err
	}
	aside := s.temp + oldSuffix
	if err := moveFree(folder, s.p.Name, aside, s.info); err != nil {
		return err
	}
	s.done = true // counts as done: restore handles every state from here on
	if err := moveFree(folder, s.temp, s.p.Name, s.made); err != nil {
		return err
	}
	return moveFree(folder, aside, s.temp, s.info)
}

// moveFree renames a file within a folder, unless the new name is taken.
func moveFree(in dir.Folder, name, to string, file dir.Info) error {
	return dir.Arrived(dir.MoveFree(in, name, to), in, name, in, to, file)
}

// oldSuffix ends the name of the old file while it has neither its own name nor the temporary one.
const oldSuffix = "-old"

// take moves what has the name to the temporary name, where it stays until the plan is done.
func (p *plan) take(s *step) error {
	folder := s.p.Folder
	if err := p.unchanged(s); err != nil {
		return err
	}
	err := moveFree(folder, s.p.Name, s.temp, s.info)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision
	case errors.Is(err, fs.ErrExist): // something that can't be removed has the temporary name
		return dir.ErrBusy
	case errors.Is(err, syscall.EXDEV) && s.tree != "": // overlayfs can't rename a folder of a lower layer
		if s.inPlace = isTreeAt(folder, s.p.Name, s.tree); !s.inPlace {
			return dir.ErrCollision
		}
		return nil
	case err != nil:
		return err
	}
	if p.isDisplaced(s) {
		s.hasTemp = true
		return nil
	}
	return p.putBack(s, dir.IfFree)
}

// putBack gives somebody else's file, which was displaced, its name again. If that can't be done,
// the file gets a name that nothing removes.
func (p *plan) putBack(s *step, how dir.Moving) error {
	err := s.p.Folder.Move(s.temp, s.p.Folder, s.p.Name, how)
	if err == nil && (how != dir.Swapping || p.isAsStaged(s)) {
		return dir.ErrCollision
	}
	if err == nil {
		err = dir.ErrBusy // somebody was faster again: the file with the temporary name is theirs
	}
	s.hasTemp = false
	return dir.LeftBehind(setAside(s.p, s.temp, err))
}

// rename moves a file or folder, and checks that it is the one that was found.
func (p *plan) rename(s *step) error {
	from, to := s.from, s.p
	err := dir.Arrived(s.move(), from.Folder, from.Name, to.Folder, to.Name, s.info)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision
	case errors.Is(err, syscall.EINVAL) && s.info.Mode.IsDir(): // the new path is inside the moved folder by now
		return dir.ErrCollision
	case dir.IsAny(err, syscall.EISDIR, syscall.ENOTDIR): // one of the two is of another kind by now
		return dir.ErrCollision
	case err != nil:
		return err
	}
	now, err := to.Folder.Lstat(to.Name)
	if err != nil || s.replacesFile() || p.isRenamed(s, now) {
		return nil
	}
	if from.Path == "" && now.ID() != s.info.ID() {
		return nil // nobody else renames in the state folder: it arrived, and somebody has moved it since
	}
	if err := to.Folder.Move(to.Name, from.Folder, from.Name, dir.IfFree); err != nil {
		return dir.LeftBehind(err)
	}
	return dir.ErrCollision // somebody put it there at the last moment
}

// isRenamed reports whether what was renamed is what was found. If somebody agreed to the change,
// its state must be the same, too.
func (p *plan) isRenamed(s *step, now dir.Info) bool {
	switch {
	case now.ID() != s.info.ID():
		return false
	case s.tree != "":
		return isTreeAt(s.p.Folder, s.p.Name, s.tree)
	}
	return p.w.only == nil || now.Mode.IsDir() || SameState(now, s.info)
}

// replacesFile reports whether a rename goes over a file or link.
func (s *step) replacesFile() bool {
	return s.replaces && !s.p.Info.Mode.IsDir() && s.p.Info.ID() != s.info.ID()
}

func (s *step) move() error {
	from, to := s.from, s.p
	if !s.replaces {
		return from.Folder.Move(from.Name, to.Folder, to.Name, dir.IfFree)
	}
	if s.replacesFile() { // the last look before it is gone
		if err := CheckUnchanged(to, to.Info); err != nil {
			return to.Fail(err)
		}
	}
	err := from.Folder.Move(from.Name, to.Folder, to.Name, dir.Over)
	if err != nil && to.Info.Mode.IsDir() && to.Info.ID() != s.info.ID() && isTaken(err) {
		return s.moveOverEmpty()
	}
	return err
}

// isTaken reports whether a rename failed because something has the new name, and changed nothing.
func isTaken(err error) bool {
	return dir.IsClean(dir.Classify(err), fs.ErrExist, dir.ErrNotEmpty)
}

// moveOverEmpty is for Windows, which can't rename over a folder: the empty folder is removed
// first.
func (s *step) moveOverEmpty() error {
	folder, name := s.p.Folder, s.p.Name
	if err := CheckUnchanged(s.p, s.p.Info); err != nil {
		return err
	}
	if folder.RemoveFolder(name) != nil {
		return dir.ErrCollision
	}
	err := s.from.Folder.Move(s.from.Name, folder, name, dir.IfFree)
	if err != nil {
		_ = folder.Mkdir(name, s.p.Info.Mode)
	}
	return err
}

// unchanged is the function of the same name for a step. If an earlier step has renamed the same
// file under another name, the time of the last change may differ.
func (p *plan) unchanged(s *step) error {
	err := CheckUnchanged(s.p, s.info)
	renamed := func(o *step) bool {
		return o.done && s.info.Ino != 0 && (o.info.ID() == s.info.ID() || o.made.ID() == s.info.ID())
	}
	if err == nil || !s.moved && !slices.ContainsFunc(p.steps, renamed) {
		return err
	}
	if now, err := s.p.Folder.Lstat(s.p.Name); err == nil && s.isState(now) {
		return nil
	}
	return err
}

// isState reports whether a description fits what has the name of a step.
func (s *step) isState(now dir.Info) bool {
	return s.moved && now.ID() == s.info.ID() || SameState(now, s.info)
}

// isTreeAt reports whether a name has the tree whose state was read, unchanged except for its own
// name.
func isTreeAt(in dir.Folder, name, tag string) bool {
	now, err := new(surveyor).survey(context.Background(), in, name)
	return err == nil && now.tag == tag
}

// compareLimit is the size, in bytes, up to which the content of a displaced file is compared with
// what was read, not only its times: a change within one tick of the file system's clock leaves the
// times as they were.
const compareLimit = 1 << 20

// isDisplaced reports whether what has the temporary name is what was read, unchanged. If the file
// itself is kept as the backup, nobody may be able to change it any more.
func (p *plan) isDisplaced(s *step) bool {
	now, err := s.p.Folder.Lstat(s.temp)
	switch {
	case err != nil || !s.isState(now):
		return false
	case s.moved:
		return true
	case s.tree != "":
		return isTreeAt(s.p.Folder, s.temp, s.tree)
	case !s.linked:
		return s.hasContent(p.ctx, s.oldTag)
	}
	f := p.openSettled(s) // the same file by its other name
	if f == nil {
		return false
	}
	defer f.Close()
	return isContent(p.ctx, f, s.oldTag)
}

// isAsStaged reports whether what has the temporary name is what arrived, as it was made.
func (p *plan) isAsStaged(s *step) bool {
	now, err := s.p.Folder.Lstat(s.temp)
	if err != nil || now.ID() != s.made.ID() {
		return false
	}
	if now.Mode.IsRegular() && (now.Size != s.made.Size || !now.Modified.Equal(s.made.Modified)) {
		return false
	}
	return s.hasContent(p.ctx, s.newTag)
}

// hasContent compares the file with the temporary name with the tag of a content, unless it is
// long.
func (s *step) hasContent(ctx context.Context, tag string) bool {
	if !isContentTag(tag) || !s.info.Mode.IsRegular() {
		return true
	}
	f, err := s.p.Folder.Open(s.temp, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	return isContent(ctx, f, tag)
}

// isContent compares a file with the tag of a content, unless it is long.
func isContent(ctx context.Context, f *dir.File, tag string) bool {
	if !isContentTag(tag) || f.Info.Size > compareLimit {
		return true
	}
	found, err := f.ReadAll(context.WithoutCancel(ctx), compareLimit)
	return err == nil && dir.ContentETag(found) == tag
}

// endStaging gives what arrives the temporary name of what is whole: what is displaced gets it
// next.
func (s *step) endStaging() error {
	if s.temp != stagedTemp {
		return nil
	}
	err := s.p.Folder.Move(stagedTemp, s.p.Folder, fixedTemp, dir.Over)
	err = dir.Arrived(err, s.p.Folder, stagedTemp, s.p.Folder, fixedTemp, s.made)
	if err == nil {
		s.temp = fixedTemp
	}
	return err
}
