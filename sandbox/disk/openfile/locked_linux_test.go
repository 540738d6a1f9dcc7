package openfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"

	"fsbox/sandbox/disk/disktest"
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

// TestOfReplaceable: a read that ends before the size that a file had when it was opened fails if
// the file has changed since, and not if the system states a size that the content doesn't have, as
// sysfs does.
func TestOfReplaceable(t *testing.T) {
	path := t.TempDir() + "/a"
	disktest.Must(t, os.WriteFile(path, []byte("content"), 0o644))
	for _, tt := range []struct {
		path string
		cut  bool // after it was opened
		want error
	}{{path, false, io.EOF}, {path, true, fserr.ErrReplaced}, {"/sys/devices/system/cpu/online", false, io.EOF}} {
		f, err := os.Open(tt.path)
		if tt.path != path && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		disktest.Must(t, err)
		defer f.Close()
		plain := OfDescriptor(int(f.Fd()))
		opened, err := plain.Stat()
		disktest.Must(t, err)
		if tt.cut {
			disktest.Must(t, os.Truncate(path, 3))
		}
		b := make([]byte, opened.Size+1)
		n, err := OfReplaceable(int(f.Fd()), opened).ReadAt(b, 0)
		m, plainErr := plain.ReadAt(b, 0)
		if err != tt.want || plainErr != io.EOF || n != m || n == 0 {
			t.Errorf("%s, cut %v: %d bytes, %v; without its size %d, %v", tt.path, tt.cut, n, err, m, plainErr)
		}
	}
}
