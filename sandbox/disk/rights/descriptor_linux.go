package rights

import (
	"io/fs"

	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// Descriptor is an open file or folder as a bare descriptor.
type Descriptor struct{ FD int }

func (n Descriptor) Chmod(mode fs.FileMode) error {
	return system.IgnoreInterrupts(func() error { return unix.Fchmod(n.FD, stat.UnixBits(mode)) })
}

func (n Descriptor) Chown(owner stat.Info) error {
	return unix.Fchown(n.FD, int(owner.UID), int(owner.GID))
}

func (n Descriptor) Attributes() (Attributes, error) { return ReadAttributes(n.FD) }

func (n Descriptor) SetAttributes(a Attributes) (lost Attributes, err error) {
	return WriteAttributes(n.FD, a)
}
