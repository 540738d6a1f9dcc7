//go:build unix

package system

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSyncFailed: what a sync returns never tells of the state of a name.
func TestSyncFailed(t *testing.T) {
	for _, errno := range []syscall.Errno{unix.ENOENT, unix.EEXIST, unix.EXDEV} {
		err := SyncFailed(errno)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, unix.EXDEV) || !errors.Is(err, unix.EIO) {
			t.Errorf("%v became %v", errno, err)
		}
	}
	for _, err := range []error{nil, unix.EIO, unix.ENOSPC, unix.EINVAL} {
		if got := SyncFailed(err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}
