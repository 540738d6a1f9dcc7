package rights

import (
	"errors"
	"strings"

	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/unix"
)

// carriedOn reports whether an extended attribute is one that new content under the same name must
// get: the user's own, the access control lists, the security label. A capability to run with more
// rights is not given to content that somebody else wrote.
func carriedOn(name string) bool {
	return strings.HasPrefix(name, "user.") || isList(name) || name == "security.selinux"
}

// isMissed reports whether an attribute that is not carried on is one that somebody gave the file,
// and will miss.
func isMissed(name string) bool {
	return name == "security.capability" || strings.HasPrefix(name, "trusted.")
}

func isList(name string) bool { return name == accessList || name == defaultList }

// attributeNames lists the attributes of a file; none where there is no such thing.
func attributeNames(fd int) ([]string, error) {
	var small [256]byte
	names := small[:]
	n, err := unix.Flistxattr(fd, names)
	if errors.Is(err, unix.ERANGE) {
		names = make([]byte, 64<<10) // XATTR_LIST_MAX
		n, err = unix.Flistxattr(fd, names)
	}
	switch {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EIO) && filesystem.IsFUSE(fd):
		return nil, nil
	case err != nil, n == 0:
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00"), nil
}

func ReadAttributes(fd int) (Attributes, error) {
	names, err := attributeNames(fd)
	if len(names) == 0 {
		return nil, err
	}
	a := Attributes{}
	for _, name := range names {
		switch {
		case isMissed(name):
			a[name] = nil
		case !carriedOn(name):
			continue
		default:
			err = a.read(fd, name)
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a Attributes) read(fd int, name string) error {
	value := make([]byte, 64<<10) // XATTR_SIZE_MAX
	n, err := unix.Fgetxattr(fd, name, value)
	switch {
	case err == nil:
		a[name] = value[:n:n]
	case errors.Is(err, unix.ENODATA): // it is gone by now
		return nil
	}
	return err
}

func WriteAttributes(fd int, a Attributes) (lost Attributes, err error) {
	if err := removeLists(fd); err != nil {
		return nil, err
	}
	lost = Attributes{}
	var full error
	for name, value := range a {
		if isMissed(name) {
			lost[name] = nil
			continue
		}
		err := unix.Fsetxattr(fd, name, value, 0)
		switch {
		case name == "security.selinux": // only the system decides about labels
		case fserr.IsFull(err):
			lost[name], full = value, err
		case fserr.IsRefused(err), errors.Is(err, unix.E2BIG): // copied to a file system without such attributes, or with less space for them
			lost[name] = value
		case err != nil:
			return nil, err
		}
	}
	return lost, full
}

// removeLists takes away the access control lists that a new file or folder got from the folder it
// was made in. Its own may be lost. Most have none, and then a list of all attributes, which may
// take a call over the wire, isn't asked for.
func removeLists(fd int) error {
	if lacks(fd, accessList) && lacks(fd, defaultList) {
		return nil
	}
	names, err := attributeNames(fd)
	for _, name := range names {
		if !isList(name) {
			continue
		}
		if err := unix.Fremovexattr(fd, name); err != nil {
			return err
		}
	}
	return err
}

// lacks reports whether a file certainly doesn't have an attribute.
func lacks(fd int, name string) bool {
	_, err := unix.Fgetxattr(fd, name, nil)
	return errors.Is(err, unix.ENODATA) || errors.Is(err, unix.EOPNOTSUPP)
}
