package walk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/stat"
)

// TestRemoveDeepTree: a call that hasn't the time to come to the lowest folder of a tree removes a
// part of it all the same, so that in the end nothing is left.
func TestRemoveDeepTree(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	depth, left := 1000, 1000
	if runtime.GOOS == "windows" {
		depth, left = 300, 600 // under Wine, each look at a folder takes as long as there are folders above it
	}
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		in := disktest.Open(t, dir.Open, root, portable)
		d := Descend(in)
		for range depth {
			deeper(t, d, "d")
		}
		d.Close()
		rounds := 0
		for err := error(context.DeadlineExceeded); err != nil; rounds++ {
			if err = Remove(&shortContext{Context: t.Context(), left: left}, in, "d"); err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if rounds == 100 {
				t.Fatal("nothing is removed in part of the time")
			}
		}
		if _, err := os.Lstat(filepath.Join(root, "d")); !errors.Is(err, os.ErrNotExist) || rounds == 1 {
			t.Errorf("after %d rounds: %v", rounds, err)
		}
	}
}

// TestWalkPastOwn: a temporary file of another call that goes away during a walk is no error, and
// neither is one below such a folder; any other name is one.
func TestWalkPastOwn(t *testing.T) {
	for goes, want := range map[string]error{".fsbox-tmp-1": nil, ".fsbox-txn-2-0/e": nil, "f": os.ErrNotExist} {
		for _, portable := range []bool{false, true} {
			root := disktest.Grow(t, "d/-a", "d/.fsbox-tmp-1", "d/.fsbox-txn-2-0/e", "d/f")
			err := Tree(t.Context(), disktest.Open(t, dir.Open, root, portable), "d", Visitor{Enter: func(e Entry) error {
				if e.Name == "-a" || e.Name == ".fsbox-txn-2-0" {
					return fserr.IgnoreMissing(os.Remove(filepath.Join(root, "d", goes)))
				}
				return nil
			}})
			if !errors.Is(err, want) {
				t.Errorf("%s goes: %v, want %v", goes, err, want)
			}
		}
	}
}

// shortContext is over after it was asked some times.
type shortContext struct {
	context.Context
	left int
}

func (c *shortContext) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// swapped is a folder in which somebody puts another folder in the place of "d" once it has been
// walked.
type swapped struct {
	dir.Folder
	root  string
	walks int
}

func (s *swapped) Examine(name string) (stat.Info, bool, error) {
	if s.walks++; s.walks == 2 {
		if err := os.Rename(filepath.Join(s.root, "d"), filepath.Join(s.root, "old")); err != nil {
			return stat.Info{}, false, err
		}
		if err := os.MkdirAll(filepath.Join(s.root, "d", "kept"), 0o777); err != nil {
			return stat.Info{}, false, err
		}
	}
	return s.Folder.Examine(name)
}

// TestRemoveSwappedTree: a folder that takes the name of a tree between two walks isn't removed.
func TestRemoveSwappedTree(t *testing.T) {
	for _, portable := range []bool{false, true} {
		root := t.TempDir()
		in := &swapped{Folder: disktest.Open(t, dir.Open, root, portable), root: root}
		d := Descend(in.Folder)
		for range maxRemoved + 10 {
			deeper(t, d, "d")
		}
		d.Close()
		if err := Remove(t.Context(), in, "d"); !errors.Is(err, fserr.ErrBusy) {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(root, "d", "kept")); err != nil {
			t.Error(err)
		}
	}
}

// deeper makes a folder in the lowest one, and goes there.
func deeper(t testing.TB, d *Descent, name string) {
	t.Helper()
	here, err := d.Here()
	disktest.Must(t, err)
	disktest.Must(t, here.Mkdir(name, 0o777))
	_, err = d.Down(name)
	disktest.Must(t, err)
}
