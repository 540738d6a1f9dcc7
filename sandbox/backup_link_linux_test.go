package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// keptFiles opens the state folder of a workspace.
func keptFiles(t *testing.T, w *Workspace) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(w.StateDir(), "kept"))
	check(t, err)
	return all
}

func inode(t *testing.T, path string) (ino, links uint64) {
	t.Helper()
	var st unix.Stat_t
	check(t, unix.Lstat(path, &st))
	return st.Ino, uint64(st.Nlink)
}

// TestKeptByLink: what nobody else can change is kept without a copy, and no longer counts as a file with several names.
func TestKeptByLink(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(t *testing.T, path string) (after func())
		linked bool
	}{
		{"a file of its own", func(*testing.T, string) func() { return func() {} }, true},
		{"another name", func(t *testing.T, path string) func() {
			check(t, os.Link(path, path+"2"))
			return func() { check(t, os.WriteFile(path+"2", []byte("theirs"), 0o666)) }
		}, false},
		{"open for writing", func(t *testing.T, path string) func() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			check(t, err)
			return func() {
				_, err := f.WriteString("theirs")
				check(t, err)
				check(t, f.Close())
			}
		}, false},
		{"open for reading", func(t *testing.T, path string) func() {
			f, err := os.Open(path)
			check(t, err)
			return func() { f.Close() }
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := makefs(t, []string{"a = old"})
			path := filepath.Join(root, "a")
			w := open(t, root, withState(t, Options{Whole: 1 << 20}))
			old, _ := inode(t, path)
			after := test.before(t, path)
			_, err := w.Rewrite(context.Background(), Target{Path: "a"}, content("new"))
			check(t, err)
			kept := keptFiles(t, w)
			if len(kept) != 1 {
				t.Fatalf("%d are kept", len(kept))
			}
			ino, links := inode(t, filepath.Join(w.StateDir(), "kept", kept[0].Name()))
			if linked := ino == old; linked != test.linked || links != 1 {
				t.Errorf("linked: %v, %d names", linked, links)
			}
			if _, links := inode(t, path); links != 1 {
				t.Errorf("the new file has %d names", links)
			}
			after()
			_, err = w.Undo(context.Background(), "", "", false)
			check(t, err)
			if got := read(t, path); got != "old" {
				t.Errorf("undo left %q", got)
			}
		})
	}
}

// TestUnlinkKept: a call that was killed between the second name of a file and the exchange leaves a file that is in use with a
// name in the state folder. The next call takes that away, so that nothing changes the file by it, and an append stays in place.
func TestUnlinkKept(t *testing.T) {
	for _, call := range []func(w *Workspace) error{
		func(w *Workspace) error {
			_, err := w.Append(context.Background(), Target{Path: "a"}, more("+"))
			return err
		},
		func(w *Workspace) error {
			done, err := w.Rewrite(context.Background(), Target{Path: "a"}, content("new"))
			if err == nil && done.Links != 1 {
				t.Errorf("told of %d names", done.Links)
			}
			return err
		},
	} {
		root := makefs(t, []string{"a = old", "b = 1"})
		path := filepath.Join(root, "a")
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		_, err := w.Rewrite(context.Background(), Target{Path: "b"}, content("2")) // makes the state folder
		check(t, err)
		left := filepath.Join(w.StateDir(), "kept", "killed-0")
		check(t, os.Link(path, left))
		before, _ := inode(t, path)
		check(t, call(w))
		if _, err := os.Lstat(left); err == nil {
			t.Error("the name that a kill left is still there")
		}
		if now, _ := inode(t, path); now != before && read(t, path) == "old+" {
			t.Error("the append made a new file")
		}
	}
}
