package dir

import (
	"errors"
	"io/fs"
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
