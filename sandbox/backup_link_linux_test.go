package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsbox/sandbox/dir"

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

// openToWrite and nameTwice get access to a file; the function that they return changes the file
// through it.
func openToWrite(t *testing.T, path string) (change func()) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	check(t, err)
	return func() {
		_, err := f.WriteString("theirs")
		check(t, err)
		check(t, f.Close())
	}
}

func nameTwice(t *testing.T, path string) (change func()) {
	check(t, os.Link(path, path+"2"))
	return func() { check(t, os.WriteFile(path+"2", []byte("theirs"), 0o666)) }
}

// TestKeptByLink: a file that nobody else can change is kept without a copy, and the second name
// doesn't count as a hard link.
func TestKeptByLink(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(t *testing.T, path string) (after func())
		linked bool
	}{
		{"a file of its own", func(*testing.T, string) func() { return func() {} }, true},
		{"another name", func(t *testing.T, path string) func() {
			return nameTwice(t, path)
		}, false},
		{"open for writing", func(t *testing.T, path string) func() {
			return openToWrite(t, path)
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
			_, err := w.Rewrite(context.Background(), WriteOptions{Path: "a"}, content("new"))
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
			_, err = w.Undo(context.Background(), "", "", false, nil)
			check(t, err)
			if got := read(t, path); got != "old" {
				t.Errorf("undo left %q", got)
			}
		})
	}
}

// TestUnlinkKept: a call that was killed between giving a file its second name and the exchange
// leaves a file in use with a name in the state folder. The next call removes that name, so that
// nothing can change the file through it, and an append stays in place.
func TestUnlinkKept(t *testing.T) {
	for _, call := range []func(w *Workspace) error{
		func(w *Workspace) error {
			_, err := w.Append(context.Background(), WriteOptions{Path: "a"}, more("+"))
			return err
		},
		func(w *Workspace) error {
			done, err := w.Rewrite(context.Background(), WriteOptions{Path: "a"}, content("new"))
			if err == nil && done.Links != 1 {
				t.Errorf("told of %d names", done.Links)
			}
			return err
		},
	} {
		root := makefs(t, []string{"a = old", "b = 1"})
		path := filepath.Join(root, "a")
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		_, err := w.Rewrite(context.Background(), WriteOptions{Path: "b"}, content("2")) // makes the state folder
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

// meddler is a context that runs a function whenever a call asks whether it was cancelled.
type meddler struct {
	context.Context
	act func()
}

func (m meddler) Err() error {
	m.act()
	return m.Context.Err()
}

// TestKeptThenReached: somebody gets access to a file, or the backup is lost, after the file was
// kept and before it is displaced. Then it is kept again, and what they do to it later doesn't
// change the backup.
func TestKeptThenReached(t *testing.T) {
	for _, test := range []struct {
		name string
		act  func(t *testing.T, path, kept string) (after func())
	}{
		{"open for writing", func(t *testing.T, path, _ string) func() {
			return openToWrite(t, path)
		}},
		{"another name", func(t *testing.T, path, _ string) func() {
			return nameTwice(t, path)
		}},
		{"the backup is gone", func(t *testing.T, _, kept string) func() {
			check(t, os.Remove(kept))
			return func() {}
		}},
	} {
		for _, changes := range [][]Change{{put("a", "new", MustExist)}, {gone("a")}, {put("a", "new", MustExist), put("b", "new", MayCreate)}} {
			t.Run(test.name, func(t *testing.T) {
				root := makefs(t, []string{"a = old"})
				path := filepath.Join(root, "a")
				w := open(t, root, withState(t, Options{Whole: 1 << 20}))
				var after func()
				ctx := meddler{context.Background(), func() {
					kept, _ := filepath.Glob(filepath.Join(w.StateDir(), "kept", "*"))
					if after == nil && len(kept) == 1 {
						after = test.act(t, path, kept[0])
					}
				}}
				_, err := w.Commit(ctx, changes)
				check(t, err)
				if after == nil {
					t.Fatal("the file was never kept")
				}
				after()
				_, err = w.Undo(context.Background(), "", "a", false, nil)
				check(t, err)
				if got := read(t, path); got != "old" {
					t.Errorf("undo left %q", got)
				}
			})
		}
	}
}

// TestChangedBeforeKept: the second name changes the time of a file's last change, so that time is
// checked before. Only that time shows a write of equal length by somebody who then sets the
// modification time back.
func TestChangedBeforeKept(t *testing.T) {
	for _, test := range []struct {
		name string
		act  func(t *testing.T, path string)
		want string // beginning of the file at a in the end
	}{
		{"as long and as old", func(t *testing.T, path string) {
			info, err := os.Stat(path)
			check(t, err)
			theirs := []byte(strings.Repeat("b", int(info.Size())))
			check(t, os.WriteFile(path, theirs, 0o666))
			for before := info.Sys().(*syscall.Stat_t).Ctim; info.Sys().(*syscall.Stat_t).Ctim == before; { // until the clock ticks
				check(t, os.Chtimes(path, time.Time{}, info.ModTime()))
				info, err = os.Stat(path)
				check(t, err)
			}
		}, "+b"},
		{"a link", func(t *testing.T, path string) {
			check(t, os.Remove(path))
			symlink(t, "other", path)
		}, "+other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := makefs(t, []string{"a = " + strings.Repeat("a", compareLimit+1), "other"})
			path := filepath.Join(root, "a")
			old := time.Now().Add(-time.Hour) // so that the two changes have different times
			check(t, os.Chtimes(path, old, old))
			w := open(t, root, withState(t, Options{Whole: 10 << 20}))
			done := false
			_, err := w.Rewrite(context.Background(), WriteOptions{Path: "a"}, func(old []byte, _ bool) ([]byte, error) {
				if !done {
					done = true
					test.act(t, path)
				}
				return append([]byte("+"), old...), nil
			})
			check(t, err)
			if got := read(t, path); !strings.HasPrefix(got, test.want) {
				t.Errorf("it begins with %q", got[:len(test.want)])
			}
		})
	}
}

// TestUnlinkKeptLocked: only while the folder is locked, a second name is certain to come from a
// killed call. A call that is refused before it locks anything leaves the second name that another
// call has just given.
func TestUnlinkKeptLocked(t *testing.T) {
	root := makefs(t, []string{"a = old", "b = 1"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	_, err := w.Rewrite(context.Background(), WriteOptions{Path: "b"}, content("2")) // makes the state folder
	check(t, err)
	theirs := filepath.Join(w.StateDir(), "kept", "theirs-0")
	check(t, os.Link(filepath.Join(root, "a"), theirs))
	_, err = w.Commit(context.Background(), []Change{put("a", "new", MustExist), put("gone", "new", MustExist)})
	if kind(t, err) != dir.ErrNotFound {
		t.Fatal(err)
	}
	_, err = os.Lstat(theirs)
	check(t, err)
}

// TestBackupStays: a displaced file that a call could not remove may be a backup. As long as nobody
// can tell whether it is, both of its names stay.
func TestBackupStays(t *testing.T) {
	root := makefs(t, []string{"a = old"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	done, err := w.Delete(context.Background(), WriteOptions{Path: "a"})
	check(t, err)
	kept := filepath.Join(w.StateDir(), "kept", keptFiles(t, w)[0].Name())
	check(t, os.Link(kept, filepath.Join(root, fixedTemp)))

	journal := filepath.Join(w.StateDir(), "journal")
	check(t, os.Rename(journal, journal+".away"))
	check(t, os.Mkdir(journal, 0o700)) // so it can't be read
	p, err := w.Locate("a", Purpose{Write: true})
	check(t, err)
	lock, err := lockPlace(context.Background(), w, p)
	check(t, err)
	lock.Release()
	p.Close()
	if _, links := inode(t, kept); links != 2 {
		t.Errorf("the kept file has %d names", links)
	}

	check(t, os.Remove(journal))
	check(t, os.Rename(journal+".away", journal))
	_, err = w.Undo(context.Background(), done.BackupID, "", false, nil)
	check(t, err)
	if got := read(t, filepath.Join(root, "a")); got != "old" {
		t.Errorf("a holds %q", got)
	}
	if got := names(t, root); got != "a" {
		t.Errorf("the root holds %s", got)
	}
}
