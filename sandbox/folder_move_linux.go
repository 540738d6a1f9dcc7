package sandbox

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

func (f fdFolder) move(name string, to folder, newName string, how moving) error {
	dir, ok := to.(fdFolder)
	if !ok {
		return ErrUnsupported
	}
	var flags uint
	switch how {
	case over:
		return f.rename(name, dir, newName)
	case ifFree:
		flags = unix.RENAME_NOREPLACE
	case swapping:
		flags = unix.RENAME_EXCHANGE
	}
	err := ignoreInterrupts(func() error { return unix.Renameat2(f.fd, name, dir.fd, newName, flags) })
	if !lacksFlags(err) {
		return err
	}
	if how == swapping {
		return ErrUnsupported
	}
	err = f.moveByLink(name, dir, newName)
	if errors.Is(err, ErrUnsupported) {
		err = f.moveOverClaim(name, dir, newName)
	}
	return err
}

// rename is the plain one, which every file system has, and every kernel.
func (f fdFolder) rename(name string, dir fdFolder, newName string) error {
	return ignoreInterrupts(func() error { return unix.Renameat(f.fd, name, dir.fd, newName) })
}

// lacksFlags reports that a rename failed for its flags: the file system doesn't know them, or the kernel, or a filter refuses the
// call. That one says EPERM, as folders do that nothing may be taken out of: then the same call on no folder at all tells.
func lacksFlags(err error) bool {
	if errors.Is(err, unix.EPERM) {
		return errors.Is(unix.Renameat2(-1, "a", -1, "b", unix.RENAME_NOREPLACE), unix.EPERM)
	}
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP)
}

// moveByLink moves a file by a hard link, which refuses a taken name as well. ErrUnsupported where there is none, or where the new
// name isn't seen to be of the same file, as on sshfs: nobody could tell later what was moved.
func (f fdFolder) moveByLink(name string, dir fdFolder, newName string) error {
	err := f.hardLink(name, dir, newName)
	if errors.Is(err, unix.EXDEV) { // another file system, or something mounted at the name: a rename tells which
		return ErrUnsupported
	}
	if err != nil {
		return err
	}
	then, err := f.lstat(name)
	now, errNow := dir.lstat(newName)
	switch {
	case err != nil || errNow != nil:
		err = errors.Join(err, errNow)
	case then.ID() != now.ID():
		err = ErrUnsupported
	default:
		err = f.remove(name)
	}
	if err != nil {
		return errors.Join(err, dir.remove(newName))
	}
	return nil
}

// moveOverClaim serves file systems with neither rename flags nor hard links: an empty file made under the new name, which fails if
// that is taken, and the rename goes over it. A kill between the two leaves the empty file. A look is enough for a folder, which a
// rename puts over nothing but an empty one, and for names that nobody else uses.
func (f fdFolder) moveOverClaim(name string, dir fdFolder, newName string) error {
	info, err := f.lstat(name)
	if err != nil {
		return err
	}
	if info.Mode.IsDir() || isOwnName(newName) {
		if exists(dir, newName) {
			return fs.ErrExist
		}
		return f.rename(name, dir, newName)
	}
	claim, err := dir.create(newName, 0o600)
	if err != nil {
		return err
	}
	if err := claim.Close(); err != nil {
		return errors.Join(err, dir.remove(newName))
	}
	if !dir.isEmptyFile(newName) {
		return fs.ErrExist // somebody has written to it
	}
	err = f.rename(name, dir, newName)
	if err != nil && dir.isEmptyFile(newName) {
		return errors.Join(err, dir.remove(newName))
	}
	return err
}

func (f fdFolder) isEmptyFile(name string) bool {
	now, err := f.lstat(name)
	return err == nil && now.Mode.IsRegular() && now.Size == 0
}
