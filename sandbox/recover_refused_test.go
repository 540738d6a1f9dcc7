package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// TestRecoverRefused: whatever file has a temporary name of a killed move, the next call works, and
// so does one more, which has nothing left to recover.
func TestRecoverRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	for _, entry := range []string{" = theirs", "/", "/f = theirs", " => a", " => none", " => $OUT/f"} {
		for _, temp := range []string{hidden, away} {
			for _, from := range []string{"a", "e/a"} {
				t.Run(temp+" "+from+entry, func(t *testing.T) {
					root := makefs(t, []string{"e/", from + " = new", "b = old", temp + entry})
					w := open(t, root, withState(t, Options{}))
					moved, err := w.Lstat(from)
					check(t, err)
					old, err := w.Lstat("b")
					check(t, err)
					putPending(t, w, moveOver(from, "b", moved, old)...)
					recovered(t, w)
					_, err = w.Commit(context.Background(), []Change{put("c", "2", MayCreate)})
					check(t, err)
					if told := recovered(t, w); len(told) > 0 {
						t.Errorf("told %q the second time", told)
					}
					if got := read(t, filepath.Join(root, "b")) + read(t, filepath.Join(root, from)); got != "oldnew" {
						t.Errorf("b and %s hold %q", from, got)
					}
				})
			}
		}
	}
}

// TestRecoverLater: what can't be recovered now, because time is short or somebody has a lock, is
// left for the next call, and prevents no change elsewhere.
func TestRecoverLater(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	root := makefs(t, []string{"d/a = new", "d/" + onTheWay + " = old", "n/"})
	w := open(t, root, withState(t, Options{}))
	made, err := w.history.AnnounceFolders(history.NewEntry("write", "", history.Item{Path: "n", Kind: history.Empty}))
	check(t, err)
	made.Close()
	putPending(t, w, history.Item{Path: "d/a", Kind: history.Exchange, Old: dir.ContentETag([]byte("old")),
		New: dir.ContentETag([]byte("new")), Temp: onTheWay, FileID: "none"})
	p, err := w.Locate("d/a", Purpose{})
	check(t, err)
	defer p.Close()
	lock, err := p.Folder.Lock(context.Background())
	check(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	told, err := w.Recover(ctx)
	check(t, err)
	if len(told) != 1 || !strings.HasPrefix(told[0], RecoveryPending) {
		t.Errorf("told %q", told)
	}
	if told := w.Unfinished(context.Background(), []string{"d"}); len(told) != 1 {
		t.Errorf("unfinished: %q", told)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	told, err = w.Recover(ctx)
	check(t, err)
	if len(told) != 1 {
		t.Errorf("told %q", told)
	}
	_, err = w.Commit(ctx, []Change{put("c", "2", MayCreate)})
	check(t, err)
	lock.Release()
	if told := recovered(t, w); len(told) > 0 {
		t.Errorf("told %q", told)
	}
	if got := read(t, filepath.Join(root, "d", "a")); got != "old" {
		t.Errorf("d/a holds %q", got)
	}
}

// TestUnfinished: a killed call is told of its paths, and of those above and below, until it is
// repaired.
func TestUnfinished(t *testing.T) {
	root := makefs(t, []string{"d/a = 1"})
	w := open(t, root, withState(t, Options{}))
	for range 2 {
		if told := w.Unfinished(context.Background(), nil); len(told) > 0 {
			t.Errorf("told %q of nothing", told)
		}
		putPending(t, w, history.Item{Path: "d/a", Kind: history.Give, New: "x", Temp: onTheWay})
		for path, want := range map[string]int{".": 1, "d": 1, "d/a": 1, "d/a/b": 1, "d/ab": 0, "e": 0} {
			if told := w.Unfinished(context.Background(), []string{path}); len(told) != want {
				t.Errorf("%s: told %q", path, told)
			}
		}
		recovered(t, w)
		recovered(t, w)
	}
	alive := &history.Entry{ID: "alive", Tool: "patch", Items: []history.Item{{Path: "d/a", Kind: history.Give, Temp: onTheWay}}}
	p, err := w.history.Announce(alive)
	check(t, err)
	err = w.history.Begin(p, alive)
	check(t, err)
	if told := w.Unfinished(context.Background(), nil); len(told) > 0 {
		t.Errorf("told %q of a living call", told)
	}
	p.End()
	p.Close()
}

// TestRestoreTwice: the old file has both names if a move was cut short after it added the new name
// and before it removed the old one.
func TestRestoreTwice(t *testing.T) {
	replaced := history.Item{Path: "a", Kind: history.Exchange, Old: dir.ContentETag([]byte("old")), New: dir.ContentETag([]byte("new")),
		Temp: onTheWay}
	removed := history.Item{Path: "a", Kind: history.Take, Old: replaced.Old, Temp: onTheWay}
	for _, test := range []struct {
		name  string
		saved history.Item
		fs    []string // the first file has the second name as well
		other string
	}{
		{"taken away", removed, []string{"a = old"}, onTheWay},
		{"put away, in two steps", replaced, []string{"a = old", onTheWay + " = new"}, onTheWay + oldSuffix},
		{"new in place, in two steps", replaced, []string{onTheWay + " = new", onTheWay + oldSuffix + " = old"}, "a"},
		{"put back, in two steps", replaced, []string{"a = old"}, onTheWay},
		{"in place, in two steps", replaced, []string{onTheWay + oldSuffix + " = old", "a = new"}, onTheWay},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := makefs(t, test.fs)
			first, _, _ := strings.Cut(test.fs[0], " = ")
			check(t, os.Link(filepath.Join(root, first), filepath.Join(root, test.other)))
			w := open(t, root, withState(t, Options{}))
			f := test.saved
			f.FileID = "none"
			putPending(t, w, f)
			if told := recovered(t, w); len(told) > 0 {
				t.Errorf("told %q", told)
			}
			if got := holdings(t, root); got != "a=old" {
				t.Errorf("left %q", got)
			}
		})
	}
}
