package dir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestIdentity: names seen from outside and files that are open have the same ID, two files have
// two, and a rename keeps the ID and changes the stamp.
func TestIdentity(t *testing.T) {
	root := grow(t, "a", "b", "d/")
	in, err := Open(root, false)
	must(t, err)
	defer in.Close()
	a, err := in.Lstat("a")
	must(t, err)
	b, err := in.Lstat("b")
	must(t, err)
	host, err := HostLook(filepath.Join(root, "a"))
	must(t, err)
	open, err := in.Open("a", os.O_RDONLY)
	must(t, err)
	open.Close()
	must(t, in.Move("a", in, "c", Over))
	moved, err := in.Lstat("c")
	must(t, err)
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
	root := grow(t, "f")
	name, err := windows.UTF16PtrFromString(filepath.Join(root, "f"))
	must(t, err)
	held, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0)
	must(t, err)
	defer windows.CloseHandle(held)
	in, err := Open(root, false)
	must(t, err)
	defer in.Close()
	if info, err := in.Lstat("f"); err != nil || info.Size != 1 {
		t.Errorf("%+v %v", info, err)
	}
	if _, err := in.Open("f", os.O_RDONLY); !errors.Is(Classify(err), ErrBusy) {
		t.Errorf("open: %v", err)
	}
}

// TestReplaceTaken: a file that another program keeps for itself isn't replaced, which is no matter
// of permissions; once it is closed, it is.
func TestReplaceTaken(t *testing.T) {
	root := grow(t, "new", "old")
	name, err := windows.UTF16PtrFromString(filepath.Join(root, "old"))
	must(t, err)
	held, err := windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
	must(t, err)
	in, err := Open(root, false)
	must(t, err)
	defer in.Close()
	if err := in.Move("new", in, "old", Over); !errors.Is(Classify(err), ErrBusy) {
		t.Errorf("replaced: %v", err)
	}
	time.AfterFunc(inUseWait/4, func() { windows.CloseHandle(held) })
	must(t, in.Move("new", in, "old", Over))
}
