package plan_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
)

// TestRecoverRefused: whatever file has a temporary name of a killed move, the next call works, and
// so does one more, which has nothing left to recover.
func TestRecoverRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, entry := range []string{" = theirs", "/", "/f = theirs", " => a", " => none", " => $OUT/f"} {
		for _, temp := range []string{hidden, away} {
			for _, from := range []string{"a", "e/a"} {
				t.Run(temp+" "+from+entry, func(t *testing.T) {
					root := fixture.MakeTree(t, []string{"e/", from + " = new", "b = old", temp + entry})
					w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
					moved, err := w.Lstat(from)
					disktest.Must(t, err)
					old, err := w.Lstat("b")
					disktest.Must(t, err)
					putPending(t, w, moveOver(from, "b", moved, old)...)
					fixture.Recovered(t, w)
					_, err = transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put("c", "2", transaction.MayCreate)})
					disktest.Must(t, err)
					if told := fixture.Recovered(t, w); len(told) > 0 {
						t.Errorf("told %q the second time", told)
					}
					if got := fixture.Read(t, filepath.Join(root, "b")) + fixture.Read(t, filepath.Join(root, from)); got != "oldnew" {
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
		t.Skip("skipped with -short")
	}
	root := fixture.MakeTree(t, []string{"d/a = new", "d/" + onTheWay + " = old", "n/"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	made, err := w.History().AnnounceFolders(history.NewEntry("write", "", history.Item{Path: "n", Kind: history.Empty}))
	disktest.Must(t, err)
	made.Close()
	putPending(t, w, history.Item{Path: "d/a", Kind: history.Replace, Old: openfile.ContentETag([]byte("old")),
		New: openfile.ContentETag([]byte("new")), Temp: onTheWay, FileID: "none"})
	p, err := w.Locate("d/a", sandbox.Purpose{})
	disktest.Must(t, err)
	defer p.Close()
	lock, err := dirlock.Take(context.Background(), p.Folder, false)
	disktest.Must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	told, err := plan.Recover(ctx, w)
	disktest.Must(t, err)
	if len(told) != 1 || !strings.HasPrefix(told[0], plan.RecoveryPending) {
		t.Errorf("told %q", told)
	}
	if told := plan.Unfinished(context.Background(), w, []string{"d"}); len(told) != 1 {
		t.Errorf("unfinished: %q", told)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	told, err = plan.Recover(ctx, w)
	disktest.Must(t, err)
	if len(told) != 1 {
		t.Errorf("told %q", told)
	}
	_, err = transaction.Commit(ctx, w, []transaction.Change{fixture.Put("c", "2", transaction.MayCreate)})
	disktest.Must(t, err)
	lock.Release()
	if told := fixture.Recovered(t, w); len(told) > 0 {
		t.Errorf("told %q", told)
	}
	if got := fixture.Read(t, filepath.Join(root, "d", "a")); got != "old" {
		t.Errorf("d/a holds %q", got)
	}
}

// TestUnfinished: a killed call is told of its paths, and of those above and below, until it is
// repaired.
func TestUnfinished(t *testing.T) {
	root := fixture.MakeTree(t, []string{"d/a = 1"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	for range 2 {
		if told := plan.Unfinished(context.Background(), w, nil); len(told) > 0 {
			t.Errorf("told %q of nothing", told)
		}
		putPending(t, w, history.Item{Path: "d/a", Kind: history.Create, New: "x", Temp: onTheWay})
		for path, want := range map[string]int{".": 1, "d": 1, "d/a": 1, "d/a/b": 1, "d/ab": 0, "e": 0} {
			if told := plan.Unfinished(context.Background(), w, []string{path}); len(told) != want {
				t.Errorf("%s: told %q", path, told)
			}
		}
		fixture.Recovered(t, w)
		fixture.Recovered(t, w)
	}
	alive := &history.Entry{ID: "alive", Tool: "patch", Items: []history.Item{{Path: "d/a", Kind: history.Create, Temp: onTheWay}}}
	p, err := w.History().Announce(alive)
	disktest.Must(t, err)
	err = w.History().Begin(p, alive)
	disktest.Must(t, err)
	if told := plan.Unfinished(context.Background(), w, nil); len(told) > 0 {
		t.Errorf("told %q of a living call", told)
	}
	p.End()
	p.Close()
}

// TestRestoreTwice: the old file has both names if a move was cut short after it added the new name
// and before it removed the old one.
func TestRestoreTwice(t *testing.T) {
	replaced := history.Item{Path: "a", Kind: history.Replace, Old: openfile.ContentETag([]byte("old")), New: openfile.ContentETag([]byte("new")),
		Temp: onTheWay}
	removed := history.Item{Path: "a", Kind: history.Remove, Old: replaced.Old, Temp: onTheWay}
	for _, test := range []struct {
		name  string
		saved history.Item
		fs    []string // the first file has the second name as well
		other string
	}{
		{"taken away", removed, []string{"a = old"}, onTheWay},
		{"put away, in two steps", replaced, []string{"a = old", onTheWay + " = new"}, plan.AsideOf(onTheWay)},
		{"new in place, in two steps", replaced, []string{onTheWay + " = new", plan.AsideOf(onTheWay) + " = old"}, "a"},
		{"put back, in two steps", replaced, []string{"a = old"}, onTheWay},
		{"in place, in two steps", replaced, []string{plan.AsideOf(onTheWay) + " = old", "a = new"}, onTheWay},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := fixture.MakeTree(t, test.fs)
			first, _, _ := strings.Cut(test.fs[0], " = ")
			disktest.Must(t, os.Link(filepath.Join(root, first), filepath.Join(root, test.other)))
			w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
			f := test.saved
			f.FileID = "none"
			putPending(t, w, f)
			if told := fixture.Recovered(t, w); len(told) > 0 {
				t.Errorf("told %q", told)
			}
			if got := fixture.Holdings(t, root); got != "a=old" {
				t.Errorf("left %q", got)
			}
		})
	}
}
