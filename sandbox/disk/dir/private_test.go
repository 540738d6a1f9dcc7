package dir

import (
	"errors"
	"io/fs"
	"testing"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
)

// unseen is a file that the system tells nothing about.
type unseen struct{ openfile.Handle }

var errUnseen = errors.New("not told")

func (unseen) Stat() (stat.Info, error) { return stat.Info{}, errUnseen }

// TestCreatedLeavesNoName: a file that was made and can't be looked at is removed again.
func TestCreatedLeavesNoName(t *testing.T) {
	for _, portable := range []bool{false, true} {
		folder := disktest.Open(t, Open, t.TempDir(), portable)
		made, err := folder.Create("new", 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := created(folder, "new", unseen{made.Handle}); !errors.Is(err, errUnseen) {
			t.Errorf("error %v", err)
		}
		if _, err := folder.Lstat("new"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the name is still there: %v", err)
		}
	}
}
