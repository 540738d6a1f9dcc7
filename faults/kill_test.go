//go:build linux && amd64

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// baseline gives the calls to strike at: the shortest of some runs that nothing disturbs, since a
// look that depends on how much time has passed isn't in each of them.
func baseline(t *testing.T, s *scenario) (shortest []call) {
	t.Helper()
	for range tries {
		if calls := undisturbedRun(t, s); shortest == nil || len(calls) < len(shortest) {
			shortest = calls
		}
	}
	return shortest
}

func undisturbedRun(t *testing.T, s *scenario) []call {
	t.Helper()
	r := s.begin(t)
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

// TestKill kills every scenario before each of its calls, and makes the same call again. What
// happens between two calls leaves no trace on the disk, so these are all the moments there are.
func TestKill(t *testing.T) { sweepKills(t, 1, (*run).judgeNext) }

// TestKillElsewhere does the same with a next call that has nothing to do with the killed one.
func TestKillElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	sweepKills(t, 2, (*run).judgeElsewhere)
}

// next makes one more call and looks what it left, given what the killed one had left.
type next func(r *run, at standing, now tree) (complaints []string)

func sweepKills(t *testing.T, number int, then next) {
	sweepCalls(t, number, func(y *tally, t *testing.T, s *scenario, c call) bool { return y.killAt(t, s, c, then) })
}

// sweepCalls makes a try at calls of the scenarios of a sweep.
func sweepCalls(t *testing.T, number int, try func(y *tally, t *testing.T, s *scenario, c call) bool) {
	overScenarios(t, number, func(t *testing.T, y *tally, s *scenario, nth int) {
		for _, c := range sample(baseline(t, s), nth) {
			y.aim(func() bool { return try(y, t, s, c) })
		}
	})
}

// killAt runs a scenario and kills it before the planned call. It reports whether that was the one.
func (y *tally) killAt(t *testing.T, s *scenario, planned call, then next) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	o := follow(t, r.command, func(c call) verdict {
		asPlanned = asPlanned || c.isSame(planned)
		return verdict{kill: c.isSame(planned)}
	})
	y.judged("a kill at "+planned.String(), o.stdout, r.afterKill(o, y, then))
	return asPlanned
}

func (r *run) afterKill(o *outcome, y *tally, then next) []string {
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
	return append(complaints, then(r, at, now)...)
}

// judgeElsewhere makes one more call, which changes another file: after it the tree is that before
// the killed call or that after it, without anything that only the killed one had a use for.
func (r *run) judgeElsewhere(standing, tree) (complaints []string) {
	plain := r.command
	plain.args, plain.stdin = commandLine(r.base, plainWrite[:]), ""
	a, err := plain.again()
	if err != nil {
		return []string{fmt.Sprintf("the plain write: %v", err)}
	}
	after, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	_, complaints = r.judgeRecovered(a, after)
	return complaints
}

// withoutRepairs leaves out what a call says of those that it has repaired as a whole.
func withoutRepairs(warnings []string) []string {
	return slices.DeleteFunc(slices.Clone(warnings), func(w string) bool {
		return strings.HasSuffix(w, " was cut short, and is undone now") || strings.HasSuffix(w, "its temporary files are removed now")
	})
}

// judgeRecovered looks whether the plain write did what it says, and what became of the rest.
func (r *run) judgeRecovered(a answer, now tree) (at standing, complaints []string) {
	if !a.Success || len(withoutRepairs(a.Warnings)) > 0 {
		complaints = append(complaints, fmt.Sprintf("the plain write answers %q %q %q", a.Error, a.Message, a.Warnings))
	}
	if got := now[plainName].text; got != "x" {
		complaints = append(complaints, fmt.Sprintf("the plain write left %q", got))
	}
	delete(now, plainName)
	litter := now.sweep()
	at, others := r.judge(now)
	if !r.partial && r.tested() != "mkdir" && !at.old && !at.new || len(litter) > 0 {
		complaints = append(complaints, "after the plain write the tree is "+at.String()+", and there is litter: "+
			randomName.ReplaceAllString(fmt.Sprint(litter), "*"))
	}
	return at, append(complaints, others...)
}

// TestSlow stops every scenario before each of its calls until another call has written in another
// folder: that clears up after dead calls, and takes nothing from a living one.
func TestSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	sweepCalls(t, 3, (*tally).stopAt)
}

// stopAt lets another call work before the planned one. If the stopped call holds the lock of the
// state folder, the other one can't write, and says so.
func (y *tally) stopAt(t *testing.T, s *scenario, planned call) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	away := filepath.Join(r.base, "ws", "away")
	check(t, os.Mkdir(away, 0o777))
	elsewhere := r.command
	elsewhere.args, elsewhere.stdin = commandLine(r.base, []string{"--no-backup", "--timeout", "1s", "write", "away/" + plainName, "--content",
		"x"}), ""
	var complaints []string
	o := follow(t, r.command, func(c call) verdict {
		if c.isSame(planned) {
			asPlanned = true
			if a, err := elsewhere.again(); err != nil || !a.Success && a.Error != "busy" && a.Error != "timeout" {
				complaints = append(complaints, fmt.Sprintf("the other call answers %+v, %v", a, err))
			}
		}
		return verdict{}
	})
	check(t, os.RemoveAll(away))
	now, err := look(r.base)
	check(t, err)
	if litter := now.sweep(); len(litter) > 0 {
		complaints = append(complaints, fmt.Sprintf("it leaves %q", litter))
	}
	at, more := r.judge(now)
	y.count(at)
	if a, err := parseAnswer(o.stdout); err != nil || !a.Success || !at.new {
		more = append(more, "the stopped call was disturbed, and the tree is "+at.String())
	}
	y.judged("a stop at "+planned.String(), o.stdout, append(complaints, more...))
	return asPlanned
}
