package plan

import (
	"errors"
	"io/fs"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/tree"
)

// rename moves a file or folder, and checks that it is the one that was found.
func (p *Plan) rename(s *Step) error {
	from, to := s.From, s.Target
	err := dir.Arrived(s.move(), from.Folder, from.Name, to.Folder, to.Name, func(now stat.Info) bool {
		return s.Info.HasID(now) && sandbox.SameState(now, s.Info) && p.IsHeld() // else another machine may have made the same move
	})
	switch {
	case errors.Is(err, fs.ErrNotExist),
		errors.Is(err, syscall.EINVAL) && s.Info.Mode.IsDir(), // the new path is inside the moved folder by now
		fserr.IsAny(err, syscall.EISDIR, syscall.ENOTDIR):     // one of the two is of another kind by now
		return fserr.ErrCollision
	case err != nil:
		return err
	}
	now, err := to.Folder.Lstat(to.Name)
	if err != nil || s.replacesFile() || p.isRenamed(s, now) {
		return nil
	}
	if from.Path == "" && now.ID() != s.Info.ID() {
		return nil // nobody else renames in the state folder: it arrived, and somebody has moved it since
	}
	if err := to.Folder.Move(to.Name, from.Folder, from.Name, dir.IfFree); err != nil {
		return fserr.LeftBehind(err)
	}
	return fserr.ErrCollision // somebody put it there at the last moment
}

// isRenamed reports whether what was renamed is what was found. If somebody agreed to the change,
// its state must be the same, too.
func (p *Plan) isRenamed(s *Step, now stat.Info) bool {
	switch {
	case now.ID() != s.Info.ID():
		return false
	case s.Tree != "":
		return tree.IsUnchanged(s.Target.Folder, s.Target.Name, s.Tree)
	}
	return !p.Workspace.IsView() || now.Mode.IsDir() || sandbox.SameState(now, s.Info)
}

// replacesFile reports whether a rename goes over a file or link.
func (s *Step) replacesFile() bool {
	return s.Replaces && !s.Target.Info.Mode.IsDir() && s.Target.Info.ID() != s.Info.ID()
}

func (s *Step) move() error {
	from, to := s.From, s.Target
	if !s.Replaces {
		return from.Folder.Move(from.Name, to.Folder, to.Name, dir.IfFree)
	}
	if s.replacesFile() { // the last look before it is gone
		if err := sandbox.CheckUnchanged(to, to.Info); err != nil {
			return to.Fail(err)
		}
	}
	err := s.moveOver()
	if err != nil && to.Info.Mode.IsDir() && to.Info.ID() != s.Info.ID() && IsTaken(err) {
		return s.moveOverEmpty()
	}
	return err
}

// moveOver renames over what has the new name. Where that could lose a file that some program has
// open, the file is renamed first. It is removed when the program closes it, and gets its name back
// if the call is killed before the second rename.
func (s *Step) moveOver() error {
	from, to := s.From, s.Target
	if !to.Folder.System().LosesTarget || !s.replacesFile() {
		return from.Folder.Move(from.Name, to.Folder, to.Name, dir.Over)
	}
	old, err := s.putAside(to.Info)
	if err != nil {
		return err
	}
	s.Temp, s.HasTemp = old, true // it is removed when all is done
	return from.Folder.Move(from.Name, to.Folder, to.Name, dir.IfFree)
}

// IsTaken reports whether a rename failed because something has the new name, and changed nothing.
func IsTaken(err error) bool {
	return fserr.IsClean(fserr.Classify(err), fs.ErrExist, fserr.ErrNotEmpty)
}

// moveOverEmpty is for Windows, which can't rename over a folder: the empty folder is removed
// first.
func (s *Step) moveOverEmpty() error {
	folder, name := s.Target.Folder, s.Target.Name
	if err := sandbox.CheckUnchanged(s.Target, s.Target.Info); err != nil {
		return err
	}
	if folder.RemoveFolder(name) != nil {
		return fserr.ErrCollision
	}
	err := s.From.Folder.Move(s.From.Name, folder, name, dir.IfFree)
	if err != nil {
		_ = folder.Mkdir(name, s.Target.Info.Mode)
	}
	return err
}

// IsAboutNew reports whether an error of the system is about the new name of what is moved or
// copied: no space, no such name, or no permission to add one. Everything else is about the old
// one.
func IsAboutNew(err error, to dir.Folder) bool {
	kind := fserr.Classify(err)
	isRefusal := fserr.IsAny(kind, fserr.ErrPermission, fserr.ErrReadOnly)
	return fserr.IsAny(kind, fserr.ErrNoSpace, fserr.NameTooLong, fserr.NameUnfit) || isRefusal && !to.May(".", rights.Writing)
}
