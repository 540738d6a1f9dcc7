//go:build linux && amd64

package faults

import (
	"strings"
	"testing"
)

// baseline is a run that nothing disturbs: it gives the calls to strike at.
func baseline(t *testing.T, s *scenario) []call {
	t.Helper()
	r, err := s.prepare(t.TempDir())
	check(t, err)
	o := follow(t, r.command, undisturbed)
	if a, err := parseAnswer(o.stdout); err != nil || !a.Success {
		t.Fatalf("undisturbed, it answers %s %s", o.stdout, o.stderr)
	}
	now, err := look(r.base)
	check(t, err)
	if litter := now.sweep(); len(litter) > 0 {
		t.Errorf("undisturbed, it leaves litter: %q", litter)
	}
	at, complaints := r.judge(now)
	if !at.new || len(complaints) > 0 {
		t.Fatalf("undisturbed, the tree is %v: %s", at, strings.Join(complaints, "; "))
	}
	if len(o.calls) == 0 {
		t.Fatal("it never opens the workspace")
	}
	return o.calls
}

// TestKill kills every scenario before each of its calls. What happens between two calls leaves no
// trace on the disk, so these are all the moments there are.
func TestKill(t *testing.T) {
	all := newTotal(t)
	for nth, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			t.Parallel()
			var y tally
			for _, c := range sample(baseline(t, &s), nth) {
				y.aim(func() bool { return y.killAt(t, &s, c) })
			}
			y.verify(t, all)
		})
	}
}

// killAt runs a scenario and kills it before the planned call. It reports whether that was the one.
func (y *tally) killAt(t *testing.T, s *scenario, planned call) (asPlanned bool) {
	t.Helper()
	r, err := s.prepare(t.TempDir())
	check(t, err)
	o := follow(t, r.command, func(c call) verdict {
		if c.n != planned.n {
			return verdict{}
		}
		asPlanned = c.nr == planned.nr || s.several
		return verdict{kill: true}
	})
	y.judged("a kill at "+planned.String(), o.stdout, r.afterKill(o, y))
	return asPlanned
}

func (r *run) afterKill(o *outcome, y *tally) []string {
	now, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	now.sweep() // of a killed process it is no fault
	at, complaints := r.judge(now)
	y.count(at)
	if a, err := parseAnswer(o.stdout); err == nil && a.Success {
		y.acknowledged++
		if !at.new {
			complaints = append(complaints, "it had answered success, and the tree isn't new")
		}
	}
	return append(complaints, r.judgeNext(at, now)...)
}
