package walk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
)

// A descent gets back to every folder, with names so long that a path of forty of them is too long.
func TestDescent(t *testing.T) {
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		name := strings.Repeat("n", 255)
		d := Descend(disktest.Open(t, dir.Open, root, portable))
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
			disktest.Must(t, err)
			if id, err := dir.FolderID(here); err != nil || id != ids[i-1] {
				t.Fatalf("level %d is %s, %v, want %s", i, id, err, ids[i-1])
			}
		}
		d.Up()
		disktest.Must(t, os.RemoveAll(filepath.Join(root, name)))
	}
}

// A walk that only goes on leaves closed folders as they are: nothing is opened twice.
func TestDescentOpensOnce(t *testing.T) {
	root := t.TempDir()
	const levels = 100
	disktest.Must(t, os.MkdirAll(filepath.Join(root, strings.Repeat("d/", levels)), 0o777))
	in := &countedFolder{Folder: disktest.Open(t, dir.Open, root, false)}
	disktest.Must(t, Tree(t.Context(), in, "d", Visitor{Enter: func(Entry) error { return nil }}))
	if in.descended != 0 {
		t.Errorf("%d directories were opened again", in.descended)
	}
	disktest.Must(t, Tree(t.Context(), in, "d", Visitor{Enter: func(Entry) error { return nil }, Leave: func(Entry) error { return nil }}))
	if in.descended == 0 {
		t.Error("no closed directory was opened again, though each is left")
	}
}

// countedFolder counts how often a folder below it is opened again.
type countedFolder struct {
	dir.Folder
	descended int
}

func (f *countedFolder) Descend(path string) (dir.Folder, error) {
	f.descended++
	return f.Folder.Descend(path)
}

// A descent refuses a folder that isn't the one that it came through.
func TestDescentReplaced(t *testing.T) {
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		d := Descend(disktest.Open(t, dir.Open, root, portable))
		t.Cleanup(d.Close)
		const levels = 64 // all but the lowest must be opened again
		for range levels {
			deeper(t, d, "d")
		}
		disktest.Must(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "away")))
		disktest.Must(t, os.MkdirAll(filepath.Join(root, strings.Repeat("d/", levels)), 0o777))
		var err error
		for err == nil && len(d.Levels) > 1 {
			d.Up()
			_, err = d.Here()
		}
		if !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("error %v", err)
		}
	}
}
