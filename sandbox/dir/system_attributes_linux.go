package dir

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// carriedOn reports whether an extended attribute is one that new content under the same name must
// get: the user's own, the access control list, the security label. A capability to run with more
// rights is not given to content that somebody else wrote.
func carriedOn(name string) bool {
	return strings.HasPrefix(name, "user.") || name == "system.posix_acl_access" || name == "security.selinux"
}

func readAttributes(fd int) (Attributes, error) {
	var small [256]byte
	names := small[:]
	n, err := unix.Flistxattr(fd, names)
	if errors.Is(err, unix.ERANGE) {
		names = make([]byte, 64<<10) // XATTR_LIST_MAX
		n, err = unix.Flistxattr(fd, names)
	}
	switch {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EIO) && isFUSE(fd):
		return nil, nil
	case err != nil, n == 0:
		return nil, err
	}
	a := Attributes{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00") {
		if !carriedOn(name) {
			continue
		}
		if err := a.read(fd, name); err != nil {
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

func writeAttributes(fd int, a Attributes) error {
	for name, value := range a {
		err := unix.Fsetxattr(fd, name, value, 0)
		switch {
		case name == "security.selinux": // only the system decides about labels
		case errors.Is(err, unix.EOPNOTSUPP) && strings.HasPrefix(name, "user."): // copied to a file system without user attributes
		case err != nil:
			return err
		}
	}
	return nil
}
