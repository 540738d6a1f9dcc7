package dir

import (
	"errors"
	"io/fs"

	"fsbox/sandbox/policy"

	"golang.org/x/sys/unix"
)

func (f Descriptor) Move(name string, to Folder, newName string, how Moving) error {
	dir, ok := to.(Descriptor)
	if !ok {
		return ErrUnsupported
	}
	var flags uint
	switch how {
	case Over:
		return f.Rename(name, dir, newName)
	case IfFree:
		flags = unix.RENAME_NOREPLACE
	case Swapping:
		flags = unix.RENAME_EXCHANGE
	}
	err := ignoreInterrupts(func() error { return unix.Renameat2(f.fd, name, dir.fd, newName, flags) })
	if !lacksFlags(err, flags) {
		return err
	}
	if how == Swapping {
		return ErrUnsupported
	}
	err = f.moveByLink(name, dir, newName)
	if errors.Is(err, ErrUnsupported) {
		err = f.MoveOverClaim(name, dir, newName)
	}
	return err
}

// Rename replaces what has the new name. Every file system and every kernel has this call.
func (f Descriptor) Rename(name string, dir Descriptor, newName string) error {
	return ignoreInterrupts(func() error { return unix.Renameat(f.fd, name, dir.fd, newName) })
}

// lacksFlags reports whether a rename failed because of its flags: the file system or the kernel
// doesn't know them, or a seccomp filter refuses the call, perhaps with these flags alone. A filter
// mostly says EPERM, and so does a folder that nothing may be removed from.
func lacksFlags(err error, flags uint) bool {
	if errors.Is(err, fs.ErrPermission) {
		return !takesFlags(flags)
	}
	return IsAny(err, unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP)
}

// takesFlags asks the system for a rename with these flags and without any folder, which is EBADF
// if it takes them.
func takesFlags(flags uint) bool {
	return errors.Is(unix.Renameat2(-1, "a", -1, "b", flags), unix.EBADF)
}

// moveByLink moves a file with a hard link, which also refuses a taken name. ErrUnsupported where
// there are no hard links, or where the two names don't show the same ID, as on sshfs: then nobody
// could tell later which file was moved.
func (f Descriptor) moveByLink(name string, dir Descriptor, newName string) error {
	err := f.HardLink(name, dir, newName)
	if errors.Is(err, unix.EXDEV) { // another file system, or a mount at the name: a rename tells which
		return ErrUnsupported
	}
	if err != nil {
		return err
	}
	then, err := f.Lstat(name)
	now, errNow := dir.Lstat(newName)
	switch {
	case err != nil || errNow != nil:
		err = errors.Join(err, errNow)
	case then.ID() != now.ID():
		err = ErrUnsupported
	default:
		err = f.Remove(name)
	}
	if err != nil {
		return errors.Join(err, dir.Remove(newName))
	}
	return nil
}

// MoveOverClaim is for file systems with neither rename flags nor hard links. It makes an empty
// file under the new name, which fails if the name is taken, and renames over that file. A kill
// between the two leaves the empty file. For a folder it only looks whether the name is taken,
// since a rename replaces at most an empty folder; so it does for names that nobody else uses.
func (f Descriptor) MoveOverClaim(name string, dir Descriptor, newName string) error {
	info, err := f.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode.IsDir() || policy.IsOwn(newName) {
		if Exists(dir, newName) {
			return fs.ErrExist
		}
		return f.Rename(name, dir, newName)
	}
	claim, err := dir.Create(newName, 0o600)
	if err != nil {
		return err
	}
	if err := claim.Close(); err != nil {
		return errors.Join(err, dir.Remove(newName))
	}
	if !IsEmptyFile(dir, newName) {
		return fs.ErrExist // somebody has written to it
	}
	err = f.Rename(name, dir, newName)
	if err != nil && IsEmptyFile(dir, newName) {
		return errors.Join(err, dir.Remove(newName))
	}
	return err
}
