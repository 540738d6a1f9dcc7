package plan

import (
	"errors"
	"io/fs"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
)

// replace swaps the names of what arrives and of the file that it replaces, and checks whether
// that file is the one that was read. If not, somebody else has changed it, and it gets its name
// back.
func (p *Plan) replace(s *Step) error {
	if s.Target.Folder.System().NoExchange {
		return p.replaceInTwo(s)
	}
	if err := p.unchanged(s); err != nil {
		return err
	}
	if err := s.endStaging(); err != nil {
		return err
	}
	folder := s.Target.Folder
	err := folder.Move(s.Temp, folder, s.Target.Name, dir.Swapping)
	switch {
	case errors.Is(err, fserr.ErrUnsupported):
		return p.replaceInTwo(s)
	case errors.Is(err, fs.ErrNotExist):
		return fserr.ErrCollision // it is gone
	case err != nil:
		return err
	}
	if p.isDisplaced(s) {
		return nil
	}
	return p.putBack(s, dir.Swapping)
}

// replaceInTwo is for file systems that can't exchange two names. The only new file of a plan is
// renamed over the old one. With several steps, the old one must be kept to be put back, and on SMB
// it would be deleted if some program has it open: so for a moment no file has the name.
func (p *Plan) replaceInTwo(s *Step) error {
	if _, isSecond := s.Creates.(SecondName); isSecond {
		return fserr.ErrUnsupported // to move the file itself takes one step
	}
	folder := s.Target.Folder
	if err := p.unchanged(s); err != nil {
		return err
	}
	if p.isSingle() {
		err := folder.Move(s.Temp, folder, s.Target.Name, dir.Over)
		err = dir.Arrived(err, folder, s.Temp, folder, s.Target.Name, s.Made)
		s.HasTemp = err != nil
		if errors.Is(err, fs.ErrNotExist) { // another machine has the lock by now, and has removed it
			return fserr.ErrCollision
		}
		return err
	}
	aside := s.Temp + OldSuffix
	if err := moveFree(folder, s.Target.Name, aside, s.Info); err != nil {
		return err
	}
	s.Done = true // counts as done: restore handles every state from here on
	if err := moveFree(folder, s.Temp, s.Target.Name, s.Made); err != nil {
		return err
	}
	return moveFree(folder, aside, s.Temp, s.Info)
}

// moveFree renames a file within a folder, unless the new name is taken.
func moveFree(in dir.Folder, name, to string, file stat.Info) error {
	return dir.Arrived(dir.MoveFree(in, name, to), in, name, in, to, file)
}

// OldSuffix ends the name of the old file while it has neither its own name nor the temporary one.
const OldSuffix = "-old"

// putBack gives somebody else's file, which was displaced, its name again. If that can't be done,
// the file gets a name that nothing removes.
func (p *Plan) putBack(s *Step, how dir.Moving) error {
	err := s.Target.Folder.Move(s.Temp, s.Target.Folder, s.Target.Name, how)
	if err == nil && (how != dir.Swapping || p.isAsStaged(s)) {
		return fserr.ErrCollision
	}
	if err == nil {
		err = fserr.ErrBusy // somebody was faster again: the file with the temporary name is theirs
	}
	s.HasTemp = false
	return fserr.LeftBehind(setAside(s.Target, s.Temp, err))
}
