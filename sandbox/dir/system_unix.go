//go:build unix

package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

const (
	nonBlocking = unix.O_NONBLOCK | unix.O_NOCTTY
	noFollow    = unix.O_NOFOLLOW
)

func hostWritable(path string) error { return unix.Access(path, unix.W_OK) }

// SyncTakesWriter says that only a file that is open for writing can be synced.
const SyncTakesWriter = false

func syncFolder(dir *os.File) error { return ifSyncable(dir.Sync()) }

// ifSyncable returns what fsync returned for a folder, or nil if it can't be synced.
func ifSyncable(err error) error {
	if IsAny(err, unix.EINVAL, unix.ENOTSUP, unix.ENOTTY, unix.ENOSYS) {
		return nil // a file system that can't sync folders
	}
	return syncFailed(err)
}

// syncFailed returns what a sync returned. A network file system may answer with what callers take
// for the state of a name, after which they begin again in another way: that becomes EIO.
func syncFailed(err error) error {
	if IsAny(err, fs.ErrNotExist, fs.ErrExist, unix.EXDEV) {
		return fmt.Errorf("%w: sync: %v", unix.EIO, err)
	}
	return err
}

// foldersLock says that the system can lock folders.
const foldersLock = true

func tryLock(dir *os.File) error { return flock(int(dir.Fd())) }

func flock(fd int) error {
	err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB)
	if IsAny(err, unix.EWOULDBLOCK, unix.EINTR) {
		return ErrBusy
	}
	return err
}

func ignoreInterrupts(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
