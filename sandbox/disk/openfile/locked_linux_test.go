package openfile

import (
	"errors"
	"testing"

	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/unix"
)

// TestReplaced: an open file that another machine has replaced is opened again, or busy. What a disk
// says, or a file of the system's own, such as one of sysfs, is what it was.
func TestReplaced(t *testing.T) {
	for _, tt := range []struct {
		err     error
		mayLose bool
		want    error
	}{
		{unix.ESTALE, false, fserr.ErrReplaced}, {unix.ESTALE, true, fserr.ErrReplaced},
		{unix.ENOENT, false, unix.ENOENT}, {unix.ENOENT, true, fserr.ErrReplaced},
		{unix.EIO, false, unix.EIO}, {unix.EIO, true, unix.EIO}, {nil, true, nil},
	} {
		if got := replaced(tt.err, func() bool { return tt.mayLose }); got != tt.want {
			t.Errorf("%v, may be lost %v: %v", tt.err, tt.mayLose, got)
		}
	}
	if err := replaced(unix.ESTALE, func() bool { return false }); !errors.Is(err, fserr.ErrCollision) || !errors.Is(err, fserr.ErrBusy) {
		t.Error(err)
	}
}

// TestLocked: what a server of SMB says of a part of a file that another machine has locked isn't
// taken for missing rights.
func TestLocked(t *testing.T) {
	for _, tt := range []struct{ err, want error }{{unix.EACCES, fserr.ErrBusy}, {unix.EIO, unix.EIO}, {nil, nil}} {
		if got := locked(tt.err); !errors.Is(got, tt.want) || errors.Is(got, unix.EACCES) {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}
