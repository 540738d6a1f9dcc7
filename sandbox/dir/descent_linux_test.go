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
		d := Descend(opened(t, root, portable))
		t.Cleanup(d.Close)
		var ids []string
		for range 256 {
			must(t, d.Here().Mkdir(name, 0o777))
			must(t, d.Down(name))
			ids = append(ids, d.Levels[len(d.Levels)-1].ID)
		}
		for i := len(ids) - 1; i > 0; i-- {
			must(t, d.Up())
			if id, err := FolderID(d.Here()); err != nil || id != ids[i-1] {
				t.Fatalf("level %d is %s, %v, want %s", i, id, err, ids[i-1])
			}
		}
		must(t, d.Up())
		must(t, os.RemoveAll(filepath.Join(root, name)))
	}
}

// A descent refuses a folder that isn't the one that it came through.
func TestDescentReplaced(t *testing.T) {
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		d := Descend(opened(t, root, portable))
		t.Cleanup(d.Close)
		const levels = 64 // all but the lowest must be opened again
		for range levels {
			must(t, d.Here().Mkdir("d", 0o777))
			must(t, d.Down("d"))
		}
		must(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "away")))
		must(t, os.MkdirAll(filepath.Join(root, strings.Repeat("d/", levels)), 0o777))
		var err error
		for err == nil && len(d.Levels) > 1 {
			err = d.Up()
		}
		if !errors.Is(err, ErrBusy) {
			t.Errorf("error %v", err)
		}
	}
}
