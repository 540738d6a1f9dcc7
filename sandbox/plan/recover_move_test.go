package plan_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/tree"
)

// names of a killed move: what has hidden is displaced by it, what has away is moved.
const (
	hidden = policy.TransPrefix + "0-0"
	away   = policy.TransPrefix + "0-1"
)

// moveOver are the steps of a move over another file, as a record has them.
func moveOver(from, to string, moved, old stat.Info) []history.Item {
	return []history.Item{
		{Path: to, Kind: history.Replace, Old: openfile.ContentETag([]byte("old")), New: tree.Identity(moved), Temp: hidden, FileID: old.ID()},
		{Path: from, Kind: history.Remove, Old: tree.Identity(moved), Temp: away, FileID: moved.ID()},
	}
}

// TestRecoverMove kills a move over another file in each of its states, within one folder and
// between two. With two folders, either lock may be taken first. "A & B" makes A a second name of
// B.
func TestRecoverMove(t *testing.T) {
	tests := []struct {
		name       string
		fs         []string
		moved, old string // where they are; old is "" if it is gone
	}{
		{"before all", []string{"FROM = new", "TO = old"}, "FROM", "TO"},
		{"second name", []string{"FROM = new", "TO = old", "HIDDEN & FROM"}, "FROM", "TO"},
		{"exchanged", []string{"FROM = new", "TO & FROM", "HIDDEN = old"}, "FROM", "HIDDEN"},
		{"old name taken away", []string{"AWAY = new", "TO & AWAY", "HIDDEN = old"}, "TO", "HIDDEN"},
	}
	for _, test := range tests {
		for _, way := range [][2]string{{"e/", "f/"}, {"f/", "e/"}, {"e/", "e/"}} {
			t.Run(test.name+", "+way[0]+" to "+way[1], func(t *testing.T) {
				from, to := way[0]+"a", way[1]+"b"
				named := strings.NewReplacer("FROM", from, "TO", to, "HIDDEN", way[1]+hidden, "AWAY", way[0]+away)
				root := fixture.MakeTree(t, []string{"e/", "f/"})
				for _, entry := range test.fs {
					if name, other, second := strings.Cut(named.Replace(entry), " & "); second {
						disktest.Must(t, os.Link(filepath.Join(root, other), filepath.Join(root, name)))
					} else {
						disktest.MakeEntry(t, root, name)
					}
				}
				w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
				moved, err := w.Lstat(named.Replace(test.moved))
				disktest.Must(t, err)
				old, err := w.Lstat(named.Replace(test.old))
				disktest.Must(t, err)
				putPending(t, w, moveOver(from, to, moved, old)...)
				if told := fixture.Recovered(t, w); len(told) > 0 {
					t.Errorf("told %q", told)
				}
				_, err = transaction.Commit(context.Background(), w, []transaction.Change{fixture.Put("c", "2", transaction.MayCreate)})
				disktest.Must(t, err)
				got := slices.DeleteFunc(strings.Split(fixture.Holdings(t, root), ", "), func(s string) bool { return strings.HasSuffix(s, "/") })
				want := []string{from + "=new", to + "=old", "c=2"}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("left %q, want %q", got, want)
				}
			})
		}
	}
}

// TestRecoverMoveDone: after a move is committed, a recovery only removes what it displaced.
func TestRecoverMoveDone(t *testing.T) {
	root := fixture.MakeTree(t, []string{"b = new", hidden + " = old"})
	disktest.Must(t, os.Link(filepath.Join(root, "b"), filepath.Join(root, away)))
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	moved, err := w.Lstat("b")
	disktest.Must(t, err)
	old, err := w.Lstat(hidden)
	disktest.Must(t, err)
	e := history.NewEntry("move", "", moveOver("a", "b", moved, old)...)
	r, err := w.History().Announce(e)
	disktest.Must(t, err)
	err = w.History().Begin(r, e)
	disktest.Must(t, err)
	disktest.Must(t, w.History().Commit(r))
	r.Close()
	if told := fixture.Recovered(t, w); len(told) > 0 {
		t.Errorf("told %q", told)
	}
	if got := fixture.Holdings(t, root); got != "b=new" {
		t.Errorf("left %q", got)
	}
}

// TestRecoverMoveAway: where the folder of a killed move is somewhere else, the record is set aside
// and told, for the folder may come back.
func TestRecoverMoveAway(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = new", "d/b = new", "d/" + hidden + " = old"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	moved, err := w.Lstat("a")
	disktest.Must(t, err)
	old, err := w.Lstat("d/" + hidden)
	disktest.Must(t, err)
	putPending(t, w, moveOver("a", "d/b", moved, old)...)
	disktest.Must(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "e")))
	if told := fixture.Recovered(t, w); len(told) != 2 || !strings.Contains(told[0], "can't be repaired") || !strings.Contains(told[1], "set aside") {
		t.Errorf("told %q", told)
	}
	if told := fixture.Recovered(t, w); len(told) > 0 {
		t.Errorf("told again: %q", told)
	}
	if got := fixture.Read(t, filepath.Join(root, "e", hidden)); got != "old" {
		t.Errorf("the displaced file holds %q", got)
	}
}

// TestRecoverForeign: a record of another version of the program is set aside and told.
func TestRecoverForeign(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a = new", "b = old", hidden + " = theirs"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{}))
	putPending(t, w, history.Item{Path: "b", From: "a", Kind: "move-over", Temp: hidden, FileID: "1.1"})
	if told := fixture.Recovered(t, w); len(told) != 2 || !strings.Contains(told[1], "set aside") {
		t.Errorf("told %q", told)
	}
	if got := fixture.Holdings(t, root); !strings.Contains(got, "=theirs") {
		t.Errorf("left %q", got)
	}
}
