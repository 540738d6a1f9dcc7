package undo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"

	"golang.org/x/sys/unix"
)

func init() {
	fixture.Children["toggle"] = toggleForever
}

// toggleForever removes a name of a file and adds it again in a loop, so that its link count goes
// up and down.
func toggleForever(args []string) error {
	path := args[0]
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	file := fmt.Sprintf("/proc/self/fd/%d", fd)
	pause := func(longest int) {
		for range rand.IntN(1<<rand.IntN(longest)) / 2 {
			unix.Getppid()
		}
	}
	done := fixture.Ready()
	for {
		select {
		case <-done:
			return nil
		default:
		}
		if rand.IntN(4) == 0 {
			pause(14) // often long enough for a whole call
		} else {
			pause(3) // the shorter, the more often a look meets a change
		}
		if err := unix.Unlink(path); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
		pause(3)
		err := unix.Linkat(unix.AT_FDCWD, file, unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
		if err != nil && !errors.Is(err, unix.EEXIST) {
			return err
		}
	}
}

// linkedOutside are the calls that write in place, each to a name that another process makes a hard
// link to an outside file, and removes again, all the time. The outside file must never be written
// to, not even for a moment.
var linkedOutside = []struct {
	name string
	call func(w *sandbox.Workspace, tail *history.Entry) error
}{
	{"append", func(w *sandbox.Workspace, _ *history.Entry) error {
		_, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.More("+"))
		return err
	}},
	{"undo of an append", func(w *sandbox.Workspace, _ *history.Entry) error {
		b := history.NewEntry("append", "", history.Item{Path: "f", Kind: history.Extend, Size: 6, AppendedBytes: int64(len(fixture.Secret) - 6),
			New: openfile.ContentETag([]byte(fixture.Secret[6:]))})
		_, err := (&undoing{w: w, ctx: context.Background()}).revert([]*history.Entry{b}, "")
		return err
	}},
	{"undo of that undo", func(w *sandbox.Workspace, tail *history.Entry) error {
		_, err := (&undoing{w: w, ctx: context.Background()}).revert([]*history.Entry{tail}, "")
		return err
	}},
}

func TestRaceOutsideLink(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for _, c := range linkedOutside {
			t.Run(c.name, func(t *testing.T) {
				root := fixture.MakeTree(t, nil)
				victim, path := filepath.Join(fixture.Outside(root), "secret"), filepath.Join(root, "f")
				disktest.Must(t, os.Link(victim, path))
				w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
				tail := keptTail(t, w)
				stop := fixture.Child(t, "toggle", path)
				attempts, landed, changed := toggled(t, victim, func() error { return c.call(w, tail) })
				stop()
				t.Logf("%s: %d attempts, %d made what they were to make, %d writes outside", fixture.Kernel(t), attempts, landed, changed)
				if changed > 0 {
					t.Errorf("the file outside was written to %d times", changed)
				}
				if landed == 0 {
					t.Error("no attempt made its change")
				}
			})
		}
	})
}

// mostAttempts is how many are made until one makes its change. On two cores with three other busy
// programs, one in 76 rows took 1,159 (2026-11-30).
const mostAttempts = 50_000

// toggled makes a call again and again, and after each looks at the file outside.
func toggled(t *testing.T, victim string, call func() error) (attempts, landed, changed int) {
	before, err := os.Stat(victim)
	disktest.Must(t, err)
	until := time.Now().Add(*fixture.RaceFor / time.Duration(2*len(linkedOutside)))
	for ; attempts < *fixture.RaceAttempts || time.Now().Before(until) || (landed == 0 && attempts < mostAttempts); attempts++ {
		if call() == nil {
			landed++
		}
		now, err := os.Stat(victim)
		disktest.Must(t, err)
		if now.Size() == before.Size() && now.ModTime().Equal(before.ModTime()) {
			continue
		}
		changed++
		disktest.Must(t, os.Truncate(victim, 0))
		disktest.Must(t, os.WriteFile(victim, []byte(fixture.Secret), 0))
		before, err = os.Stat(victim)
		disktest.Must(t, err)
	}
	return attempts, landed, changed
}

// keptTail is the entry of an undo that cut an append off "f".
func keptTail(t *testing.T, w *sandbox.Workspace) *history.Entry {
	t.Helper()
	b := history.NewEntry(undoTool, "", history.Item{Path: "another", Kind: history.Cut, Size: int64(len(fixture.Secret)) + 1, AppendedBytes: 1,
		Old: openfile.ContentETag([]byte("+")),
		New: openfile.ContentETag([]byte(fixture.Secret))})
	_, err := w.History().Keep(context.Background(), b, []history.Source{{Content: []byte("+")}})
	disktest.Must(t, err)
	b.Items[0].Path = "f"
	return b
}
