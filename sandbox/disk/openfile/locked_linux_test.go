package openfile

import (
	"errors"
	"testing"

	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/unix"
)

// TestReplaced: an open file that another machine has replaced is read again, or busy.
func TestReplaced(t *testing.T) {
	if err := replaced(unix.ESTALE); !errors.Is(err, fserr.ErrCollision) || !errors.Is(err, fserr.ErrBusy) {
		t.Error(err)
	}
	if err := replaced(unix.EIO); err != unix.EIO {
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
