package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// TestRecoverMove kills a move over another file in each of its states, within one folder and
// between two. With two folders, either lock may be taken first. "A & B" makes A a second name of
// B.
func TestRecoverMove(t *testing.T) {
	tests := []struct {
		name  string
		fs    []string
		after string
	}{
		{"before all", []string{"FROM = new", "TO = old"}, "FROM=new, TO=old"},
		{"second name", []string{"FROM = new", "TO = old", "HIDDEN & FROM"}, "FROM=new, TO=old"},
		{"exchanged", []string{"FROM = new", "TO & FROM", "HIDDEN = old"}, "TO=new"},
		{"old name gone", []string{"TO = new", "HIDDEN = old"}, "TO=new"},
		{"done", []string{"TO = new"}, "TO=new"},
	}
	for _, test := range tests {
		for _, way := range [][2]string{{"e/", "f/"}, {"f/", "e/"}, {"e/", "e/"}} {
			t.Run(test.name+", "+way[0]+" to "+way[1], func(t *testing.T) {
				from, to, hidden := way[0]+"a", way[1]+"b", policy.TransPrefix+"0-m"
				named := strings.NewReplacer("FROM", from, "TO", to, "HIDDEN", way[1]+hidden)
				root := makefs(t, []string{"e/", "f/"})
				for _, entry := range test.fs {
					if name, other, second := strings.Cut(named.Replace(entry), " & "); second {
						check(t, os.Link(filepath.Join(root, other), filepath.Join(root, name)))
					} else {
						makeEntry(t, root, name)
					}
				}
				w := open(t, root, withState(t, Options{}))
				comes := to
				if strings.Contains(test.after, "FROM") {
					comes = from
				}
				info, err := w.Lstat(comes)
				check(t, err)
				putPending(t, w, history.Saved{Path: to, From: from, Action: movesOver, Old: dir.ContentETag([]byte("old")), Temp: hidden, FileID: info.ID()})
				if told := recovered(t, w); len(told) > 0 {
					t.Errorf("told %q", told)
				}
				_, err = w.Commit(context.Background(), []Change{put("c", "2", MayCreate)})
				check(t, err)
				got := slices.DeleteFunc(strings.Split(holdings(t, root), ", "), func(s string) bool { return strings.HasSuffix(s, "/") })
				want := append(strings.Split(named.Replace(test.after), ", "), "c=2")
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("left %q, want %q", got, want)
				}
			})
		}
	}
}

// TestRecoverMoveAway: where the folder of a killed move is somewhere else, the record is set aside
// and told, for the folder may come back.
func TestRecoverMoveAway(t *testing.T) {
	hidden := policy.TransPrefix + "0-m"
	root := makefs(t, []string{"a = new", "d/b = new", "d/" + hidden + " = old"})
	w := open(t, root, withState(t, Options{}))
	putPending(t, w, history.Saved{Path: "d/b", From: "a", Action: movesOver, Old: dir.ContentETag([]byte("old")), Temp: hidden, FileID: "0.0"})
	check(t, os.Rename(filepath.Join(root, "d"), filepath.Join(root, "e")))
	if told := recovered(t, w); len(told) != 2 || !strings.Contains(told[0], "can't be repaired") || !strings.Contains(told[1], "set aside") {
		t.Errorf("told %q", told)
	}
	if told := recovered(t, w); len(told) > 0 {
		t.Errorf("told again: %q", told)
	}
	if got := read(t, filepath.Join(root, "e", hidden)); got != "old" {
		t.Errorf("the displaced file holds %q", got)
	}
}
