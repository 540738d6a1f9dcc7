//go:build linux && amd64

package faults

import (
	"fmt"
	"testing"
)

// harmless is a call that changes nothing, so that all it does to other files is recovery.
var harmless = [...]string{"append", "d/other.txt", "--content", ""}

// recoveryStep is how far apart the points are at which a recovery is killed.
func recoveryStep() int {
	if *longRun {
		return 7
	}
	return 29
}

// TestKillRecovery kills calls that change several files, then kills the call that takes the half-done change back, and
// makes that call again: in the end it is all or nothing.
func TestKillRecovery(t *testing.T) {
	all := newTotal(t)
	for nth, s := range scenarios() {
		if !s.several {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			t.Parallel()
			var y tally
			for i, c := range sample(baseline(t, &s), nth) {
				y.killTwice(t, &s, c, i)
			}
			y.verify(t, all)
		})
	}
}

// killTwice kills a call, and the next one at each of some points.
func (y *tally) killTwice(t *testing.T, s *scenario, first call, nth int) {
	t.Helper()
	for at := nth % recoveryStep(); ; at += recoveryStep() {
		r, err := s.prepare(t.TempDir())
		check(t, err)
		follow(t, r.command, func(c call) verdict { return verdict{kill: c.n == first.n} })
		recovery := r.command
		recovery.args, recovery.stdin = commandLine(r.base, harmless[:]), ""
		o := follow(t, recovery, func(c call) verdict { return verdict{kill: c.n == at} })
		if !o.status.Signaled() {
			return
		}
		y.judged(fmt.Sprintf("kills at %v, and at %v", first, o.calls[at]), "", y.recovered(r, recovery))
	}
}

// recovered makes the recovering call to its end.
func (y *tally) recovered(r *run, recovery command) []string {
	a, err := recovery.again()
	if err != nil {
		return []string{err.Error()}
	}
	now, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	litter := now.sweep()
	at, complaints := r.judge(now)
	y.count(at)
	if !a.Success || !at.old && !at.new || len(litter) > 0 {
		complaints = append(complaints, fmt.Sprintf("the recovery answers %q, the tree is %v, %d files lie about", a.Error, at, len(litter)))
	}
	return complaints
}
