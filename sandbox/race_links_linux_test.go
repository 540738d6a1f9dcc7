package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"

	"golang.org/x/sys/unix"
)

func init() {
	children["toggle"] = toggleForever
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
	done := ready()
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
	call func(w *Workspace, tail *history.Entry) error
}{
	{"append", func(w *Workspace, _ *history.Entry) error {
		_, err := w.Append(context.Background(), WriteOptions{Path: "f"}, more("+"))
		return err
	}},
	{"undo of an append", func(w *Workspace, _ *history.Entry) error {
		b := history.NewEntry("append", "", history.Item{Path: "f", Kind: history.Extend, Size: 6, AppendedBytes: int64(len(secret) - 6),
			New: dir.ContentETag([]byte(secret[6:]))})
		_, err := (&undoing{w: w, ctx: context.Background()}).takeBack([]*history.Entry{b}, "")
		return err
	}},
	{"undo of that undo", func(w *Workspace, tail *history.Entry) error {
		_, err := (&undoing{w: w, ctx: context.Background()}).takeBack([]*history.Entry{tail}, "")
		return err
	}},
}

func TestRaceOutsideLink(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		for _, c := range linkedOutside {
			t.Run(c.name, func(t *testing.T) {
				root := makefs(t, nil)
				victim, path := filepath.Join(outside(root), "secret"), filepath.Join(root, "f")
				check(t, os.Link(victim, path))
				w := open(t, root, withState(t, o))
				tail := keptTail(t, w)
				stop := child(t, "toggle", path)
				attempts, landed, changed := toggled(t, victim, func() error { return c.call(w, tail) })
				stop()
				t.Logf("%s: %d attempts, %d made what they were to make, %d writes outside", kernel(t), attempts, landed, changed)
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

// toggled makes a call again and again, and after each looks at the file outside.
func toggled(t *testing.T, victim string, call func() error) (attempts, landed, changed int) {
	before, err := os.Stat(victim)
	check(t, err)
	until := time.Now().Add(*raceFor / time.Duration(2*len(linkedOutside)))
	for ; attempts < *raceAttempts || time.Now().Before(until) || (landed == 0 && attempts < 1000*(*raceAttempts)); attempts++ {
		if call() == nil {
			landed++
		}
		now, err := os.Stat(victim)
		check(t, err)
		if now.Size() == before.Size() && now.ModTime().Equal(before.ModTime()) {
			continue
		}
		changed++
		check(t, os.Truncate(victim, 0))
		check(t, os.WriteFile(victim, []byte(secret), 0))
		before, err = os.Stat(victim)
		check(t, err)
	}
	return attempts, landed, changed
}

// keptTail is the entry of an undo that cut an append off "f".
func keptTail(t *testing.T, w *Workspace) *history.Entry {
	t.Helper()
	b := history.NewEntry(undoTool, "", history.Item{Path: "another", Kind: history.Cut, Size: int64(len(secret)) + 1, AppendedBytes: 1,
		Old: dir.ContentETag([]byte("+")),
		New: dir.ContentETag([]byte(secret))})
	_, err := w.history.Keep(context.Background(), b, []history.Source{{Content: []byte("+")}})
	check(t, err)
	b.Items[0].Path = "f"
	return b
}
