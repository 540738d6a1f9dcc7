package undo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"

	"golang.org/x/sys/unix"
)

// TestUndoAppendOfReplaced: an undo of an append says so if another machine has put a copy in the place
// of the file just before it is cut.
func TestUndoAppendOfReplaced(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	_, err := transaction.Append(t.Context(), w, transaction.WriteOptions{Path: "a"}, fixture.More("2"))
	disktest.Must(t, err)
	all, err := w.History().Entries(t.Context())
	disktest.Must(t, err)
	b := all[len(all)-1]
	r := appendUndo{undoing: &undoing{w: w, ctx: t.Context(), b: b}, f: b.Items[0], inverse: b.Items[0].Inverse()}
	p, err := w.Locate("a", sandbox.Purpose{Write: true})
	disktest.Must(t, err)
	defer p.Close()
	i, err := transaction.OpenInPlace(t.Context(), w, p, false)
	disktest.Must(t, err)
	defer i.Release()
	disktest.Must(t, r.check(i))
	err = i.Change(history.NewEntry("undo", b.ID, r.inverse), history.Source{Content: r.tail}, func() error {
		path := filepath.Join(root, "a")
		disktest.Must(t, os.WriteFile(path+"2", []byte("123"), 0o644))
		disktest.Must(t, os.Rename(path+"2", path))
		return r.cut(i)
	})
	if now := fixture.Read(t, filepath.Join(root, "a")); !errors.As(err, new(*fserr.RollbackError)) || now != "123" {
		t.Errorf("%v, left %q", err, now)
	}
}

func inode(t *testing.T, path string) uint64 {
	var st unix.Stat_t
	disktest.Must(t, unix.Lstat(path, &st))
	return st.Ino
}

// TestUndoMoveOfAnother: a folder or a long file that got the new name after the moved one was
// removed isn't moved back, although it has the same inode number on most file systems.
func TestUndoMoveOfAnother(t *testing.T) {
	for _, from := range []string{"d", "f"} {
		root := fixture.MakeTree(t, []string{"d/x = old", "f = " + strings.Repeat("x", 2<<20)})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		to := filepath.Join(root, "to")
		move := func() {
			_, err := transaction.Move(t.Context(), w, transaction.Transfer{From: from, To: "to"})
			disktest.Must(t, err)
		}
		move()
		if _, err := Undo(t.Context(), w, "", "", false, nil); err != nil {
			t.Errorf("%s: %v", from, err)
		}
		move()
		before := inode(t, to)
		disktest.Must(t, os.RemoveAll(to))
		for n := 0; ; n++ {
			another := filepath.Join(root, fmt.Sprint("new", n))
			if n == 100 {
				t.Skip("inode numbers aren't used again here")
			}
			if from == "d" {
				disktest.Must(t, os.Mkdir(another, 0o755))
			} else {
				disktest.Must(t, os.WriteFile(another, []byte(strings.Repeat("y", 2<<20)), 0o644))
			}
			if inode(t, another) == before {
				disktest.Must(t, os.Rename(another, to))
				break
			}
		}
		_, err := Undo(t.Context(), w, "", "", false, nil)
		if _, gone := os.Lstat(to); !errors.As(err, new(*fserr.StaleError)) || gone != nil {
			t.Errorf("%s: %v, %v", from, err, gone)
		}
	}
}
