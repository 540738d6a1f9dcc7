//go:build linux && amd64

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestKillThenUndo kills every scenario before each of its calls, after a call that was answered,
// and undoes: that undoes one of the two. The answered one it is only if the killed one changed
// nothing, or only made something that the journal doesn't know yet.
func TestKillThenUndo(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for nth, s := range swept(5) {
		if s.reverse || s.lasting {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			t.Parallel()
			points := sample(baseline(t, &s), nth)
			if s.several {
				points = betweenSteps(baseline(t, &s), nth)
			}
			for _, c := range points {
				for _, complaint := range undoneAfterKill(t, &s, c) {
					t.Errorf("a kill at %v, and undo: %s", c, complaint)
				}
			}
		})
	}
}

func undoneAfterKill(t *testing.T, s *scenario, at call) (complaints []string) {
	t.Helper()
	r := s.begin(t)
	answered := filepath.Join(r.base, "ws", "answered")
	check(t, os.WriteFile(answered, []byte("1"), 0o644))
	first, undo := r.command, r.command
	first.args, first.stdin = commandLine(r.base, []string{"write", "answered", "--mode", "overwrite", "--content", "2"}), ""
	undo.args, undo.stdin = commandLine(r.base, []string{"undo"}), ""
	if a, err := first.again(); err != nil || !a.Success {
		t.Fatalf("the first call: %+v, %v", a, err)
	}
	follow(t, r.command, func(c call) verdict { return verdict{kill: c.n == at.n} })
	killed := r.standing(t)
	if a, err := undo.again(); err != nil || !a.Success {
		complaints = append(complaints, fmt.Sprintf("it answers %+v, %v", a, err))
	}
	content, err := os.ReadFile(answered)
	check(t, err)
	switch now := r.standing(t); {
	case string(content) == "2" && !now.old:
		complaints = append(complaints, fmt.Sprintf("neither was undone: the tree was %v, and is %v", killed, now))
	case string(content) == "1" && !s.creates() && (killed.new || s.several && !killed.old):
		complaints = append(complaints, fmt.Sprintf("the one before was undone: the tree was %v, and is %v", killed, now))
	}
	return complaints
}

// creates reports whether a scenario only makes something new.
func (s *scenario) creates() bool {
	before := s.before()
	for _, path := range s.touched() {
		if _, ok := before[path]; ok {
			return false
		}
	}
	return true
}

func (r *run) standing(t *testing.T) standing {
	t.Helper()
	now, err := look(r.base)
	check(t, err)
	now.sweep()
	delete(now, "answered")
	at, _ := r.judge(now)
	return at
}
