package dir

import (
	"context"

	"golang.org/x/sys/unix"
)

func (f Descriptor) Lock(ctx context.Context) (*Lock, error) {
	// It needs its own open file description: a flock belongs to the description, and other users
	// of this descriptor would share it.
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd, ".", unix.O_RDONLY|openFolderFlags, 0)
	})
	if err != nil {
		return nil, err
	}
	own := Descriptor{fd}
	return lockOf(ctx, own, !own.isShared(), func() error { return flock(fd) }, own.Close)
}

// isShared reports a file system that others may use through another mount, or one that isn't
// known.
func (f Descriptor) isShared() bool { return !fileSystemOf(f.fd).alone }

func (f Descriptor) openOnce(name string, flag int) (*File, error) {
	return fileOf(retry(func() (int, error) { return f.open(name, flag) }))
}

// Refresh asks for three things that the system, or a FUSE server, may only remember. It asks which
// file has the name with a call that would make a link, and that always fails because of the slash.
// Then it opens the file, since sshfs and NFS ask their server only then, and asks for its size,
// for the system would read no further than to the size that it knows.
func (f Descriptor) Refresh(name string) {
	_ = unix.Symlinkat("none", f.fd, name+"/")
	var st unix.Statx_t
	fd, err := retry(func() (int, error) { return f.open(name, unix.O_RDONLY) })
	if err != nil {
		_ = unix.Statx(f.fd, name, unix.AT_SYMLINK_NOFOLLOW|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
		return
	}
	_ = unix.Statx(fd, "", unix.AT_EMPTY_PATH|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
	unix.Close(fd)
}
