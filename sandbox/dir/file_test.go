package dir

import (
	"errors"
	"io/fs"
	"testing"
)

// unseen is a file that the system tells nothing about.
type unseen struct{ Handle }

var errUnseen = errors.New("not told")

func (unseen) Stat() (Info, error) { return Info{}, errUnseen }

// TestCreatedLeavesNoName: a file that was made and can't be looked at is removed again.
func TestCreatedLeavesNoName(t *testing.T) {
	for _, portable := range []bool{false, true} {
		folder := opened(t, Open, t.TempDir(), portable)
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
