package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestUndoSkipsKilled: an append that was killed before it added anything is passed over, and so is its undo.
func TestUndoSkipsKilled(t *testing.T) {
	for _, killed := range []Saved{
		{Path: "a", Action: Extended, Size: 1, Added: 3, New: contentETag([]byte("abc"))},
		{Path: "a", Action: Cut, Size: 1, Added: 1, Old: contentETag([]byte("1"))},
	} {
		root := makefs(t, []string{"a = 1", "b = 1"})
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		_, err := w.Commit(context.Background(), []Change{put("b", "2", MustExist)})
		check(t, err)
		_, err = w.keep(context.Background(), newBackup("append", killed), []source{{empty: true}}, true)
		check(t, err)
		_, err = w.Undo(context.Background(), "", "", false)
		check(t, err)
		if got := holdings(t, root); got != "a=1, b=1" {
			t.Errorf("%s: left %q", killed.Action, got)
		}
	}
}

// TestUndoAppendGrown: what a logger adds while the undo of an append is under way is not cut off.
func TestUndoAppendGrown(t *testing.T) {
	change := map[string]func(path string) error{
		"grown": func(path string) error { return os.WriteFile(path, []byte("1+2theirs"), 0o666) },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("1+2"), 0o666))
		},
	}
	for name, theirs := range change {
		root := makefs(t, []string{"log = 1+2"})
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		f := Saved{Path: "log", Action: Extended, Size: 1, Added: 2}
		h, err := w.hold(context.Background(), f, 3)
		check(t, err)
		check(t, theirs(filepath.Join(root, "log")))
		before := read(t, filepath.Join(root, "log"))
		if err := w.truncateHeld(context.Background(), h, f); !errors.Is(err, ErrStale) {
			t.Errorf("%s: got %v", name, err)
		}
		h.close()
		if after := read(t, filepath.Join(root, "log")); after != before {
			t.Errorf("%s: left %q", name, after)
		}
	}
}

// TestRetainedCut: the undo of an append keeps what was cut off, and counts as that, however large the file.
func TestRetainedCut(t *testing.T) {
	now := time.Now()
	cut := &Backup{ID: "cut", Time: now, Files: []Saved{{Path: "log", Action: Cut, Kept: "cut-0", Size: maxKeptBytes, Added: 10}}}
	other := &Backup{ID: "other", Time: now, Files: []Saved{{Path: "x", Action: Replaced, Kept: "other-0", Size: 300 << 10}}}
	for _, all := range [][]*Backup{{cut, other}, {other, cut}} {
		if kept := retained(all, now); len(kept) != len(all) {
			t.Errorf("%d of %d are kept", len(kept), len(all))
		}
	}
}
