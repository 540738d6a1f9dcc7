package undo

import (
	"context"
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
	"fsbox/sandbox/transaction"

	"golang.org/x/sys/unix"
)

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
			_, err := transaction.Move(context.Background(), w, transaction.Transfer{From: from, To: "to"})
			disktest.Must(t, err)
		}
		move()
		if _, err := Undo(context.Background(), w, "", "", false, nil); err != nil {
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
		_, err := Undo(context.Background(), w, "", "", false, nil)
		if _, gone := os.Lstat(to); !errors.As(err, new(*fserr.StaleError)) || gone != nil {
			t.Errorf("%s: %v, %v", from, err, gone)
		}
	}
}
