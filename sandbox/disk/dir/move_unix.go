//go:build unix

package dir

import (
	"cmp"
	"errors"
	"io/fs"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"
	"fsbox/sandbox/policy"

	"golang.org/x/sys/unix"
)

// moveName is Folder.Move.
func moveName(f Folder, name string, to Folder, newName string, how Moving) error {
	if how == Over { // every file system and every kernel has this call
		return system.IgnoreInterrupts(func() error { return unix.Renameat(f.Number(), name, to.Number(), newName) })
	}
	err := system.IgnoreInterrupts(func() error { return system.RenameWith(how == Swapping, f.Number(), name, to.Number(), newName) })
	if !lacksFlag(err, how) {
		return err
	}
	if how == Swapping {
		return fserr.ErrUnsupported
	}
	if policy.IsOwn(newName) {
		// Nobody else uses that name, and one rename takes whatever has the old one by now: a link
		// and then a removal may be of two files, of which the second is lost.
		return MoveOverClaim(f, name, to, newName)
	}
	err = moveByLink(f, name, to, newName)
	if errors.Is(err, fserr.ErrUnsupported) {
		err = MoveOverClaim(f, name, to, newName)
	}
	return err
}

// lacksFlag reports whether a rename failed because of its flag: the file system or the kernel
// doesn't know it, or a seccomp filter refuses the call, perhaps with this flag alone. A filter
// mostly says EPERM, and so does a folder that nothing may be removed from.
func lacksFlag(err error, how Moving) bool {
	if errors.Is(err, fs.ErrPermission) {
		return !takesFlag(how)
	}
	return fserr.IsAny(err, unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP, unix.ENOTSUP)
}

// takesFlag asks the system for a rename with a flag and without any folder, which is EBADF if it
// takes that.
func takesFlag(how Moving) bool {
	return errors.Is(system.RenameWith(how == Swapping, -1, "a", -1, "b"), unix.EBADF)
}

// linkName is Folder.HardLink.
func linkName(f Folder, name string, to Folder, newName string) error {
	err := system.IgnoreInterrupts(func() error { return unix.Linkat(f.Number(), name, to.Number(), newName, 0) })
	if hasNoLinks(f, err) || errors.Is(err, unix.EMLINK) { // EPERM also for files of other users: see proc(5)
		return fserr.ErrUnsupported
	}
	return err
}

// hasNoLinks reports whether an error of linkat says that there are no hard links: such errors
// differ by file system and sandbox. FUSE has all four, but on other file systems EIO means that
// the disk fails.
func hasNoLinks(f Folder, err error) bool {
	return fserr.IsAny(err, unix.EPERM, unix.EOPNOTSUPP, unix.ENOTSUP, unix.ENOSYS) || errors.Is(err, unix.EIO) && f.System().FUSE
}

// moveByLink moves a file with a hard link, which also refuses a taken name. ErrUnsupported where
// there are no hard links, or where the two names don't show the same ID, as on sshfs: then nobody
// could tell later which file was moved.
//
// A network file system may make a call and answer an error, if the first answer of the server was
// lost. So the two names decide what was done.
func moveByLink(f Folder, name string, to Folder, newName string) error {
	if _, err := to.Lstat(newName); err == nil { // before the link: afterwards it may be this one
		return fs.ErrExist
	}
	linkErr := f.HardLink(name, to, newName)
	if fserr.IsAny(linkErr, unix.EXDEV, fserr.ErrUnsupported) { // another file system, or a mount at the name: a rename tells which
		return fserr.ErrUnsupported
	}
	then, err := f.Lstat(name)
	now, errNow := to.Lstat(newName)
	isSame := err == nil && errNow == nil && then.Ino != 0 && then.ID() == now.ID()
	switch {
	case isSame:
		return removeFirst(f, name, to, newName, then)
	case linkErr != nil:
		return linkErr
	case err != nil || errNow != nil:
		return errors.Join(err, errNow)
	}
	if policy.IsOwn(name) {
		return errors.Join(fserr.ErrUnsupported, withdraw(to, newName, then))
	}
	return errors.Join(fserr.ErrUnsupported, to.Remove(newName)) // a program may be writing to the file
}

// withdraw removes a name that this call has given to its own new file. Another machine may have
// the lock by now, and have given the name to another file: so it is looked at by a name of its
// own. File systems that number files by their names tell two apart by size and time only.
func withdraw(in Folder, name string, file stat.Info) error {
	away := policy.AsideName()
	if in.Move(name, in, away, Over) != nil {
		away = name // nothing may be renamed here, or it is gone
	}
	now, err := in.Lstat(away)
	switch {
	case err == nil && now.Size == file.Size && now.Modified.Equal(file.Modified):
		return in.Remove(away)
	case away == name:
		return fserr.IgnoreMissing(err)
	}
	return errors.Join(err, MoveOverClaim(in, away, in, name))
}

// removeFirst removes the first of two names of a file. If that can't be done, the second one goes.
func removeFirst(f Folder, name string, to Folder, newName string, file stat.Info) error {
	err := f.Remove(name)
	if err == nil {
		return nil
	}
	now, errNow := f.Lstat(name)
	switch {
	case errors.Is(errNow, fs.ErrNotExist), errNow == nil && now.ID() != file.ID():
		return nil // it is gone: the other name is the only one
	case errNow != nil: // unknown, so both stay
		return errors.Join(err, errNow)
	}
	return errors.Join(err, to.Remove(newName))
}

// MoveOverClaim is for file systems with neither rename flags nor hard links. It makes an empty
// file under the new name, which fails if the name is taken, and renames over that file. A kill
// between the two leaves the empty file. For a folder it only looks whether the name is taken,
// since a rename replaces at most an empty folder; so it does for names that nobody else uses.
func MoveOverClaim(f Folder, name string, to Folder, newName string) error {
	info, err := f.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode.IsDir() || policy.IsOwn(newName) {
		if Exists(to, newName) {
			return fs.ErrExist
		}
		return f.Move(name, to, newName, Over)
	}
	claim, err := to.Create(newName, 0o600)
	if err != nil {
		return err
	}
	if err := claim.Close(); err != nil {
		return errors.Join(err, to.Remove(newName))
	}
	made, err := to.Lstat(newName)
	if err != nil || !made.Mode.IsRegular() || made.Size > 0 {
		return cmp.Or(err, fs.ErrExist) // somebody has written to it
	}
	err = f.Move(name, to, newName, Over)
	if err != nil && IsEmptyFile(to, newName) {
		return errors.Join(err, withdraw(to, newName, made))
	}
	return err
}
