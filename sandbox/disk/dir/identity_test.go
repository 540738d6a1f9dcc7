package dir

import (
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox/disk/disktest"
)

// TestIndex: two folders have two IDs, and one has the same however it was opened. Else a call
// that locks several folders would lock only one of them.
func TestIndex(t *testing.T) {
	disktest.BothWays(t, Open, disktest.Grow(t, "a/", "b/", "c/"), func(t *testing.T, in Folder) {
		ids := map[string]string{}
		for _, name := range []string{"a", "b", "c"} {
			for range 2 {
				sub, err := in.Sub(name)
				disktest.Must(t, err)
				id, err := sub.Index()
				disktest.Must(t, err)
				sub.Close()
				if other, known := ids[id]; known && other != name {
					t.Errorf("%s and %s have the ID %s", other, name, id)
				}
				ids[id] = name
			}
		}
		if len(ids) != 3 {
			t.Errorf("IDs of three directories: %v", ids)
		}
	})
}

// TestLinksOfOpenFile: an open file knows how many names it has, on every system: what is written
// in place would change the file under all of them.
func TestLinksOfOpenFile(t *testing.T) {
	root := disktest.Grow(t, "f")
	if err := os.Link(filepath.Join(root, "f"), filepath.Join(root, "g")); err != nil {
		t.Skip(err)
	}
	disktest.BothWays(t, Open, root, func(t *testing.T, in Folder) {
		f, err := in.Open("f", os.O_RDWR)
		disktest.Must(t, err)
		defer f.Close()
		if f.Info.Links != 2 || f.Info.AllowsInPlace() {
			t.Errorf("%d names", f.Info.Links)
		}
	})
}
