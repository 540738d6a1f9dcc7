package dir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A descent gets back to every folder, with names so long that a path of forty of them is too long.
func TestDescent(t *testing.T) {
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		name := strings.Repeat("n", 255)
		d := Descend(opened(t, Open, root, portable))
		t.Cleanup(d.Close)
		var ids []string
		for range 256 {
			deeper(t, d, name)
			ids = append(ids, d.Levels[len(d.Levels)-1].ID)
		}
		for i := len(ids) - 1; i > 0; i-- {
			d.Up()
			if i%100 < 50 { // it can be left without being used
				continue
			}
			here, err := d.Here()
			must(t, err)
			if id, err := FolderID(here); err != nil || id != ids[i-1] {
				t.Fatalf("level %d is %s, %v, want %s", i, id, err, ids[i-1])
			}
		}
		d.Up()
		must(t, os.RemoveAll(filepath.Join(root, name)))
	}
}

// A walk that only goes on leaves closed folders as they are: nothing is opened twice.
func TestDescentOpensOnce(t *testing.T) {
	root := t.TempDir()
	const levels = 100
	must(t, os.MkdirAll(filepath.Join(root, strings.Repeat("d/", levels)), 0o777))
	in := &countedFolder{Folder: opened(t, Open, root, false)}
	must(t, WalkTree(t.Context(), in, "d", Visitor{Enter: func(TreeEntry) error { return nil }}))
	if in.descended != 0 {
		t.Errorf("%d folders were opened again", in.descended)
	}
	must(t, WalkTree(t.Context(), in, "d", Visitor{Enter: func(TreeEntry) error { return nil }, Leave: func(TreeEntry) error { return nil }}))
	if in.descended == 0 {
		t.Error("no closed folder was opened again, though each is left")
	}
}

// countedFolder counts how often a folder below it is opened again.
type countedFolder struct {
	Folder
	descended int
}

func (f *countedFolder) Descend(path string) (Folder, error) {
	f.descended++
	return f.Folder.Descend(path)
}

// A descent refuses a folder that isn't the one that it came through.
func TestDescentReplaced(t *testing.T) {
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		d := Descend(opened(t, Open, root, portable))
		t.Cleanup(d.Close)
		const levels = 64 // all but the lowest must be opened again
		for range levels {
			deeper(t, d, "d")
		}
		must(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "away")))
		must(t, os.MkdirAll(filepath.Join(root, strings.Repeat("d/", levels)), 0o777))
		var err error
		for err == nil && len(d.Levels) > 1 {
			d.Up()
			_, err = d.Here()
		}
		if !errors.Is(err, ErrBusy) {
			t.Errorf("error %v", err)
		}
	}
}
