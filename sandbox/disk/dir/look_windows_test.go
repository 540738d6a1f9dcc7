package dir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"

	"golang.org/x/sys/windows"
)

// TestIdentity: names seen from outside and files that are open have the same ID, two files have
// two, and a rename keeps the ID and changes the stamp.
func TestIdentity(t *testing.T) {
	root := disktest.Grow(t, "a", "b", "d/")
	in, err := Open(root, false)
	disktest.Must(t, err)
	defer in.Close()
	a, err := in.Lstat("a")
	disktest.Must(t, err)
	b, err := in.Lstat("b")
	disktest.Must(t, err)
	host, err := stat.Look(filepath.Join(root, "a"))
	disktest.Must(t, err)
	open, err := in.Open("a", os.O_RDONLY)
	disktest.Must(t, err)
	open.Close()
	disktest.Must(t, in.Move("a", in, "c", Over))
	moved, err := in.Lstat("c")
	disktest.Must(t, err)
	if a.Ino == 0 || a.ID() == b.ID() || a.ID() != open.Info.ID() || a.ID() != moved.ID() || a.ID() != host.ID() {
		t.Errorf("a %+v, b %+v, open %+v, moved %+v, by its path %+v", a, b, open.Info, moved, host)
	}
	if a.Changed == 0 || a.ChangeStamp() == moved.ChangeStamp() {
		t.Errorf("stamp %s, and after a rename %s", a.ChangeStamp(), moved.ChangeStamp())
	}
}

// TestLooksAtTaken: a file can be looked at that another program keeps for itself, and to open it
// says that it is busy.
func TestLooksAtTaken(t *testing.T) {
	root := disktest.Grow(t, "f")
	name, err := windows.UTF16PtrFromString(filepath.Join(root, "f"))
	disktest.Must(t, err)
	held, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
	disktest.Must(t, err)
	defer windows.CloseHandle(held)
	in, err := Open(root, false)
	disktest.Must(t, err)
	defer in.Close()
	if info, err := in.Lstat("f"); err != nil || info.Size != 1 {
		t.Errorf("%+v %v", info, err)
	}
	if _, err := in.Open("f", os.O_RDONLY); !errors.Is(fserr.Classify(err), fserr.ErrBusy) {
		t.Errorf("open: %v", err)
	}
}

// TestReplaceTaken: a file that another program keeps for itself isn't replaced, which is no matter
// of permissions; once it is closed, it is.
func TestReplaceTaken(t *testing.T) {
	root := disktest.Grow(t, "new", "old")
	name, err := windows.UTF16PtrFromString(filepath.Join(root, "old"))
	disktest.Must(t, err)
	held, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	disktest.Must(t, err)
	in, err := Open(root, false)
	disktest.Must(t, err)
	defer in.Close()
	if err := in.Move("new", in, "old", Over); !errors.Is(fserr.Classify(err), fserr.ErrBusy) {
		t.Errorf("replaced: %v", err)
	}
	time.AfterFunc(inUseWait/4, func() { windows.CloseHandle(held) })
	disktest.Must(t, in.Move("new", in, "old", Over))
}
