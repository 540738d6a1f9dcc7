package dir

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// fdNode is an open file or folder as a bare descriptor.
type fdNode struct{ fd int }

func (n fdNode) Chmod(mode fs.FileMode) error {
	return ignoreInterrupts(func() error { return unix.Fchmod(n.fd, UnixBits(mode)) })
}

func (n fdNode) Chown(owner Info) error { return unix.Fchown(n.fd, int(owner.UID), int(owner.GID)) }

func (n fdNode) Attributes() (Attributes, error) { return readAttributes(n.fd) }

func (n fdNode) SetAttributes(a Attributes) (lost Attributes, err error) {
	return writeAttributes(n.fd, a)
}
