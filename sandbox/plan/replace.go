package plan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
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
	aside := AsideOf(s.Temp, s.Target.Name)
	s.Done = true // counts as done: restore handles every state from here on, also if the answer of a server is lost
	if err := moveFree(folder, s.Target.Name, aside, s.Info); err != nil {
		return err
	}
	err := moveFree(folder, s.Temp, s.Target.Name, s.Made)
	switch {
	case errors.Is(err, fs.ErrExist): // somebody has given a file the name meanwhile
		return fserr.ErrBusy
	case errors.Is(err, fs.ErrNotExist): // another machine has the lock by now
		return fserr.ErrCollision
	case err != nil:
		return err
	}
	s.Temp = aside
	return nil
}

// moveFree renames a file within a folder, unless the new name is taken.
func moveFree(in dir.Folder, name, to string, file stat.Info) error {
	return dir.Arrived(dir.MoveFree(in, name, to), in, name, in, to, file)
}

// oldMark follows the temporary name of what replaces a file, in the name that the old file gets by
// replaceInTwo, or what is removed where names can't be exchanged. Then comes the name that the old
// file had, unless that is too long, so that another machine can put it back: see putOldBack.
const oldMark = "-old"

// AsideOf is the name of an old file.
func AsideOf(temp, name string) string {
	aside := temp + oldMark
	if whole := aside + "-" + name; len(whole) <= maxName {
		return whole
	}
	return aside
}

// putOldBack gives old files their names again that a killed call has taken from them, where
// nothing has the name, and the new file hasn't got it yet. It is for a folder whose lock was taken
// from another machine: only that has the record of the call. Where names can't be exchanged, it
// then removes the new files: the call may only have been stopped, and would give one of them a
// name at a moment when nothing has it.
func putOldBack(ctx context.Context, in dir.Folder, all []dir.Dirent) (left error) {
	for _, e := range all {
		temp, name, found := strings.Cut(e.Name, oldMark+"-")
		if !found || name == "" || !strings.HasPrefix(temp, policy.TransPrefix) || !dir.Exists(in, temp) {
			continue
		}
		in.Renew(name) // a client of SMB still knows the file by it, after another one has taken it away
		if !dir.Exists(in, name) {
			_ = dir.MoveFree(in, e.Name, name) // else it stays until its own machine undoes the call
		}
	}
	for _, e := range all {
		if in.System().NoExchange && strings.HasPrefix(e.Name, policy.TransPrefix) && !strings.Contains(e.Name, oldMark) {
			left = cmp.Or(left, discard(ctx, in, e.Name))
		}
	}
	return left
}

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
