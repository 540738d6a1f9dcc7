package plan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
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
		err = dir.Arrived(err, folder, s.Temp, folder, s.Target.Name, p.isMade(s))
		s.HasTemp = err != nil
		if errors.Is(err, fs.ErrNotExist) { // another machine has the lock by now, and has removed it
			return fserr.ErrCollision
		}
		return err
	}
	aside, err := s.putAside(s.Info)
	if err != nil {
		return err
	}
	err = moveFree(folder, s.Temp, s.Target.Name, p.isMade(s))
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

// putAside gives the file that is replaced the name of an old one, and checks whether it is the one
// that was found. If not, somebody was faster, and the file gets its name back. The step counts as
// done: restore handles every state from here on, also if the answer of a server is lost.
func (s *Step) putAside(found stat.Info) (aside string, err error) {
	folder := s.Target.Folder
	aside, s.Done = AsideOf(s.Temp), true
	err = moveFree(folder, s.Target.Name, aside, found.HasID)
	switch {
	case err != nil && (errors.Is(err, fs.ErrExist) || isFolder(folder, aside)): // another machine has the lock by now: see bar
		return "", fserr.ErrCollision
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EIO) && s.isRead(aside):
		return "", fserr.ErrCollision
	case err != nil:
		return "", err
	}
	now, err := folder.LstatNow(aside)
	switch {
	case err != nil:
		return "", err
	case !sandbox.SameState(now, found):
		return "", fserr.ErrCollision
	}
	return aside, nil
}

// isRead reports whether a failed rename to aside wasn't made, as far as the server answers: on SMB
// the cause is then another machine that reads the file all the time (Linux 6.12).
func (s *Step) isRead(aside string) bool {
	return s.Target.Folder.System().LosesTarget && !dir.Exists(s.Target.Folder, aside)
}

// moveFree renames a file within a folder, unless the new name is taken.
func moveFree(in dir.Folder, name, to string, isMoved func(stat.Info) bool) error {
	return dir.Arrived(dir.MoveFree(in, name, to), in, name, in, to, isMoved)
}

// isMade tells what a step has made from what another machine has put in its place, even if that
// has the same content: by the time of the last write, or on SMB, where the server may tell that
// late, by the folder that the other machine has made. See Arrived and bar.
func (p *Plan) isMade(s *Step) func(stat.Info) bool {
	return func(now stat.Info) bool {
		on := s.Target.Folder.System()
		isOther := !on.LosesTarget && !now.Modified.Equal(s.Made.Modified) || on.LosesTarget && isFolder(s.Target.Folder, AsideOf(s.Temp))
		if isOther || !s.Made.HasID(now) && !on.Renumbers {
			return false
		}
		isNew, err := tree.Fits(context.WithoutCancel(p.Ctx), s.Target.Folder, s.Target.Name, s.NewTag)
		return err == nil && isNew
	}
}

// Where two names may not be exchanged, and others may use the folder through another mount, the
// temporary name of what replaces a file ends with newMark and the name of that, unless it gets too
// long. The old file gets the same temporary name with policy.OldMark instead, and so does what is
// removed there. So another machine can put the old file back: see putOldBack.
const newMark = "-new-"

// tempOf adds what follows a temporary name to that of a step.
func (s *Step) tempOf(temp string) string {
	on := s.Target.Folder.System()
	if s.kind() != history.Replace || !on.Shared && !on.NoExchange {
		return temp
	}
	return withNewMark(temp, s.Target.Name)
}

func withNewMark(temp, name string) string {
	temp += newMark
	if len(temp)+len(name) <= maxName {
		temp += name
	}
	return temp
}

// AsideOf is the name of the old file of a step with a temporary name, which may be that already.
func AsideOf(temp string) string {
	base, _, isNew := strings.Cut(temp, newMark)
	if !isNew && strings.HasSuffix(temp, policy.OldMark) {
		return temp
	}
	return base + policy.OldMark
}

// putOldBack gives old files their names again that a killed call has taken from them, where
// nothing has the name, and the new file hasn't got it yet. It is for a folder whose lock was taken
// from another machine: only that has the record of the call. Where names can't be exchanged, it
// then removes the new files: the call may only have been stopped, and would give one of them a
// name at a moment when nothing has it.
func putOldBack(ctx context.Context, in dir.Folder, all []dir.Dirent) (left error) {
	for _, e := range all {
		if !strings.HasPrefix(e.Name, policy.TransPrefix) || AsideOf(e.Name) == e.Name {
			continue
		}
		in.Renew(e.Name) // SMB lists what is removed as long as somebody has it open
		if !dir.Exists(in, e.Name) {
			continue
		}
		if _, name, found := strings.Cut(e.Name, newMark); found {
			if !bar(in, AsideOf(e.Name), name, isListed(all, name)) {
				left = errNotBack
				continue
			}
			if !in.System().LosesTarget && !dir.Exists(in, e.Name) { // the call has undone itself, and looks for no folder any more
				_ = in.RemoveFolder(AsideOf(e.Name))
			}
		}
		if in.System().NoExchange {
			left = cmp.Or(left, discard(ctx, in, e.Name))
		}
	}
	return left
}

// errNotBack says that an old file on SMB can't get its name back yet: this machine takes that name
// for the same file, which one of its programs has open.
var errNotBack = errors.New("an old file hasn't got its name back")

// bar puts an old file back, and then makes an empty folder with the temporary name of the file:
// if a call was stopped, or cut off from its server, its rename may come seconds late, and take
// away a newer file. The call removes the folder: see restoreOld. It is false if the old file has
// to be put back later. isListed says whether the name was listed.
func bar(in dir.Folder, aside, name string, isListed bool) bool {
	for range 2 {
		if in.System().NoExchange && in.Mkdir(aside, 0o700) == nil || isFolder(in, aside) {
			return true
		}
		in.Renew(name) // a client of SMB may still know the old file by it
		switch {
		case name == "":
			return true // it stays until its own machine undoes the call
		case dir.Exists(in, name) || dir.MoveFree(in, aside, name) != nil:
			return isListed || !in.System().LosesTarget
		}
	}
	return true
}

func isFolder(in dir.Folder, name string) bool {
	found, err := in.Lstat(name)
	return err == nil && found.Mode.IsDir()
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
