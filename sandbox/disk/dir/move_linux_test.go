package dir

import (
	"errors"
	"io/fs"
	"testing"

	"fsbox/sandbox/disk/disktest"

	"golang.org/x/sys/unix"
)

// The empty file that claims a name is removed if the rename fails, and never replaces anything.
func TestMoveOverClaim(t *testing.T) {
	root := disktest.Grow(t, "f", "taken", "d/x", "empty/")
	to := disktest.Open(t, Open, root, false)
	for _, c := range []struct {
		from, to string
		want     error
	}{
		{"f", "taken", fs.ErrExist}, {"f", "empty", fs.ErrExist}, {"d", "empty", fs.ErrExist}, {"d", "taken", fs.ErrExist},
		{"none", "new", fs.ErrNotExist},
	} {
		if err := MoveOverClaim(to, c.from, to, c.to); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: %v, want %v", c.from, c.to, err, c.want)
		}
	}
	if other, err := Open("/proc", false); err == nil { // the rename fails after the name was claimed
		defer other.Close()
		if err := MoveOverClaim(other, "version", to, "new"); !errors.Is(err, unix.EXDEV) {
			t.Errorf("from another file system: %v", err)
		}
	}
	if got := disktest.Names(t, root); got != "d/, d/x, empty/, f, taken" {
		t.Errorf("left: %s", got)
	}
}

// TestPresent: a file that the system doesn't find at first is opened on a second try, as long as
// it exists.
func TestPresent(t *testing.T) {
	in := disktest.Open(t, Open, disktest.Grow(t, "f"), false).(Descriptor)
	for name, want := range map[string]int{"f": 3, "missing": 1} {
		tries := 0
		_, err := in.present(name, func() (int, error) {
			if tries++; tries < 3 {
				return -1, unix.ENOENT
			}
			return 0, nil
		})
		if tries != want || (err == nil) != (name == "f") {
			t.Errorf("%s: %d tries, error %v", name, tries, err)
		}
	}
}
