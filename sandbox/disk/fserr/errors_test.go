package fserr

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// TestUnsynced: the error of a change that is made never tells of the state of a name.
func TestUnsynced(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOENT, syscall.EEXIST, syscall.EXDEV} {
		err := Unsynced(errno)
		if !errors.Is(err, ErrDurability) || IsAny(err, fs.ErrNotExist, fs.ErrExist, errno) {
			t.Errorf("%v became %v", errno, err)
		}
	}
	if err := Unsynced(nil); err != nil {
		t.Errorf("nil became %v", err)
	}
}

// TestIsRefused: a system that gives no such owner, mode or attribute is told from a disk that
// fails.
func TestIsRefused(t *testing.T) {
	for err, want := range map[error]bool{
		nil: false, syscall.EPERM: true, syscall.EACCES: true, syscall.EINVAL: true, syscall.ENOSYS: true,
		syscall.EOVERFLOW: true,
		syscall.EIO:       false, syscall.ENOSPC: false, syscall.EROFS: false, syscall.EEXIST: false,
		&os.PathError{Op: "chown", Path: "f", Err: syscall.EPERM}: true,
	} {
		if got := IsRefused(err); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}
