package plan_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"

	"golang.org/x/sys/unix"
)

// keptFiles opens the state folder of a workspace.
func keptFiles(t *testing.T, w *sandbox.Workspace) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(w.StateDir(), "kept"))
	disktest.Must(t, err)
	return all
}

func inode(t *testing.T, path string) (ino, links uint64) {
	t.Helper()
	var st unix.Stat_t
	disktest.Must(t, unix.Lstat(path, &st))
	return st.Ino, uint64(st.Nlink)
}

// openToWrite and nameTwice get access to a file; the function that they return changes the file
// through it.
func openToWrite(t *testing.T, path string) (change func()) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	disktest.Must(t, err)
	return func() {
		_, err := f.WriteString("theirs")
		disktest.Must(t, err)
		disktest.Must(t, f.Close())
	}
}

func nameTwice(t *testing.T, path string) (change func()) {
	disktest.Must(t, os.Link(path, path+"2"))
	return func() { disktest.Must(t, os.WriteFile(path+"2", []byte("theirs"), 0o666)) }
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
			disktest.Must(t, err)
			return func() { f.Close() }
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := fixture.MakeTree(t, []string{"a = old"})
			path := filepath.Join(root, "a")
			w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
			old, _ := inode(t, path)
			after := test.before(t, path)
			_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "a"}, fixture.Content("new"))
			disktest.Must(t, err)
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
			_, err = undo.Undo(context.Background(), w, "", "", false, nil)
			disktest.Must(t, err)
			if got := fixture.Read(t, path); got != "old" {
				t.Errorf("undo left %q", got)
			}
		})
	}
}

// TestUnlinkKept: a call that was killed between giving a file its second name and the exchange
// leaves a file in use with a name in the state folder. The next call removes that name, so that
// nothing can change the file through it, and an append stays in place.
func TestUnlinkKept(t *testing.T) {
	for _, call := range []func(w *sandbox.Workspace) error{
		func(w *sandbox.Workspace) error {
			_, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "a"}, fixture.More("+"))
			return err
		},
		func(w *sandbox.Workspace) error {
			done, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "a"}, fixture.Content("new"))
			if err == nil && done.Links != 1 {
				t.Errorf("told of %d names", done.Links)
			}
			return err
		},
	} {
		root := fixture.MakeTree(t, []string{"a = old", "b = 1"})
		path := filepath.Join(root, "a")
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "b"}, fixture.Content("2")) // makes the state folder
		disktest.Must(t, err)
		left := filepath.Join(w.StateDir(), "kept", "killed-0")
		disktest.Must(t, os.Link(path, left))
		before, _ := inode(t, path)
		disktest.Must(t, call(w))
		if _, err := os.Lstat(left); err == nil {
			t.Error("the name that a kill left is still there")
		}
		if now, _ := inode(t, path); now != before && fixture.Read(t, path) == "old+" {
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
			disktest.Must(t, os.Remove(kept))
			return func() {}
		}},
	} {
		for _, changes := range [][]transaction.Change{{fixture.Put("a", "new", transaction.MustExist)}, {fixture.Gone("a")}, {fixture.Put("a", "new", transaction.MustExist), fixture.Put("b", "new", transaction.MayCreate)}} {
			t.Run(test.name, func(t *testing.T) {
				root := fixture.MakeTree(t, []string{"a = old"})
				path := filepath.Join(root, "a")
				w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
				var after func()
				ctx := meddler{context.Background(), func() {
					kept, _ := filepath.Glob(filepath.Join(w.StateDir(), "kept", "*"))
					if after == nil && len(kept) == 1 {
						after = test.act(t, path, kept[0])
					}
				}}
				_, err := transaction.Commit(ctx, w, changes)
				disktest.Must(t, err)
				if after == nil {
					t.Fatal("the file was never kept")
				}
				after()
				_, err = undo.Undo(context.Background(), w, "", "a", false, nil)
				disktest.Must(t, err)
				if got := fixture.Read(t, path); got != "old" {
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
			disktest.Must(t, err)
			theirs := []byte(strings.Repeat("b", int(info.Size())))
			disktest.Must(t, os.WriteFile(path, theirs, 0o666))
			for before := info.Sys().(*syscall.Stat_t).Ctim; info.Sys().(*syscall.Stat_t).Ctim == before; { // until the clock ticks
				disktest.Must(t, os.Chtimes(path, time.Time{}, info.ModTime()))
				info, err = os.Stat(path)
				disktest.Must(t, err)
			}
		}, "+b"},
		{"a link", func(t *testing.T, path string) {
			disktest.Must(t, os.Remove(path))
			disktest.Symlink(t, "other", path)
		}, "+other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := fixture.MakeTree(t, []string{"a = " + strings.Repeat("a", plan.CompareLimit+1), "other"})
			path := filepath.Join(root, "a")
			old := time.Now().Add(-time.Hour) // so that the two changes have different times
			disktest.Must(t, os.Chtimes(path, old, old))
			w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 10 << 20}))
			done := false
			_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "a"}, func(old []byte, _ bool) ([]byte, error) {
				if !done {
					done = true
					test.act(t, path)
				}
				return append([]byte("+"), old...), nil
			})
			disktest.Must(t, err)
			if got := fixture.Read(t, path); !strings.HasPrefix(got, test.want) {
				t.Errorf("it begins with %q", got[:len(test.want)])
			}
		})
	}
}

// TestUnlinkKeptLocked: only while the folder is locked, a second name is certain to come from a
// killed call. A call that is refused before it locks anything leaves the second name that another
// call has just given.
func TestUnlinkKeptLocked(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = old", "b = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "b"}, fixture.Content("2")) // makes the state folder
	disktest.Must(t, err)
	theirs := filepath.Join(w.StateDir(), "kept", "theirs-0")
	disktest.Must(t, os.Link(filepath.Join(root, "a"), theirs))
	_, err = transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put("a", "new", transaction.MustExist), fixture.Put("gone", "new", transaction.MustExist)})
	if fixture.Kind(t, err) != fserr.ErrNotFound {
		t.Fatal(err)
	}
	_, err = os.Lstat(theirs)
	disktest.Must(t, err)
}

// TestBackupStays: a displaced file that a call could not remove may be a backup. As long as nobody
// can tell whether it is, both of its names stay.
func TestBackupStays(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = old"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	done, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: "a"})
	disktest.Must(t, err)
	kept := filepath.Join(w.StateDir(), "kept", keptFiles(t, w)[0].Name())
	disktest.Must(t, os.Link(kept, filepath.Join(root, plan.FixedTemp)))

	journal := filepath.Join(w.StateDir(), "journal")
	disktest.Must(t, os.Rename(journal, journal+".away"))
	disktest.Must(t, os.Mkdir(journal, 0o700)) // so it can't be read
	p, err := w.Locate("a", sandbox.Purpose{Write: true})
	disktest.Must(t, err)
	lock, _, err := plan.LockTarget(context.Background(), w, p, false)
	disktest.Must(t, err)
	lock.Release()
	p.Close()
	if _, links := inode(t, kept); links != 2 {
		t.Errorf("the kept file has %d names", links)
	}

	disktest.Must(t, os.Remove(journal))
	disktest.Must(t, os.Rename(journal+".away", journal))
	_, err = undo.Undo(context.Background(), w, done.BackupID, "", false, nil)
	disktest.Must(t, err)
	if got := fixture.Read(t, filepath.Join(root, "a")); got != "old" {
		t.Errorf("a holds %q", got)
	}
	if got := disktest.Names(t, root); got != "a" {
		t.Errorf("the root holds %s", got)
	}
}
