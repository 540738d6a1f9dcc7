//go:build unix

package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/unix"
)

// Flags for opening: NonBlocking never waits for a FIFO or a terminal, NoFollow refuses a link.
const (
	NonBlocking = unix.O_NONBLOCK | unix.O_NOCTTY
	NoFollow    = unix.O_NOFOLLOW
)

// Writable fails if this user may not write to a path of the host.
func Writable(path string) error { return unix.Access(path, unix.W_OK) }

// SyncTakesWriter says that only a file that is open for writing can be synced.
const SyncTakesWriter = false

// SyncDir syncs a folder, where the file system can do that.
func SyncDir(dir *os.File) error { return IfSyncable(dir.Sync()) }

// IfSyncable returns what fsync returned for a folder, or nil if it can't be synced.
func IfSyncable(err error) error {
	if fserr.IsAny(err, unix.EINVAL, unix.ENOTSUP, unix.ENOTTY, unix.ENOSYS) {
		return nil // a file system that can't sync folders
	}
	return SyncFailed(err)
}

// SyncFailed returns what a sync returned. A network file system may answer with what callers take
// for the state of a name, after which they begin again in another way: that becomes EIO.
func SyncFailed(err error) error {
	if fserr.IsAny(err, fs.ErrNotExist, fs.ErrExist, unix.EXDEV) {
		return fmt.Errorf("%w: sync: %v", unix.EIO, err)
	}
	return err
}

// LocksDirs says that the system can lock folders.
const LocksDirs = true

func TryLock(dir *os.File) error { return Flock(int(dir.Fd())) }

// Flock takes the lock of an open file or folder, or fails with ErrBusy.
func Flock(fd int) error {
	err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	if fserr.IsAny(err, unix.EWOULDBLOCK, unix.EINTR) || errors.Is(err, unix.EACCES) && isSMB(fd) {
		return fserr.ErrBusy
	}
	return err
}

func IgnoreInterrupts(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
