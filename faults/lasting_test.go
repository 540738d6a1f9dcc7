//go:build linux && amd64

package faults

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// outage is a sort of call that fails from some moment of a run on, to its end.
type outage struct {
	failure
	calls []uint64 // numbers of the calls that fail
}

func (o outage) String() string { return fmt.Sprintf("%v and of all such calls after it", o.failure) }

// Calls that fail together when a disk is gone, or full, or when descriptors have run out.
var outages = [...][]uint64{
	{unix.SYS_OPENAT},
	{unix.SYS_OPENAT2},
	{unix.SYS_OPENAT, unix.SYS_OPENAT2},
	{unix.SYS_UNLINKAT},
	{unix.SYS_GETDENTS64},
	{unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2},
	{unix.SYS_WRITE, unix.SYS_MKDIRAT},
	{unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_WRITE},
}

// TestErrnoLasts lets calls of one sort fail from each of their calls on, to the end of the run: so
// the program can't remove what it has made. The next change, of another file, does.
func TestErrnoLasts(t *testing.T) {
	codes := documentedCodes(t)
	overScenarios(t, 5, func(t *testing.T, y *tally, s *scenario, nth int) {
		for _, o := range sample(planOutages(baseline(t, s)), nth) {
			y.aim(func() bool { return y.failFrom(t, s, o, codes) })
		}
	})
}

func planOutages(calls []call) (all []outage) {
	for _, sort := range outages {
		for _, c := range calls {
			if !slices.Contains(sort, c.nr) || c.object == "stdout" {
				continue
			}
			for _, errno := range []unix.Errno{unix.EIO, unix.ENOSPC, unix.EROFS, unix.EMFILE} {
				all = append(all, outage{failure{c, errno}, sort})
			}
		}
	}
	return all
}

// failFrom runs a scenario in which calls fail from the planned one on. It reports whether there
// was such a call.
func (y *tally) failFrom(t *testing.T, s *scenario, planned outage, codes []string) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	o := follow(t, r.command, func(c call) (v verdict) {
		asPlanned = asPlanned || c.isSame(planned.call)
		if asPlanned && slices.Contains(planned.calls, c.nr) && c.object != "stdout" {
			v.errno = planned.errno
		}
		return v
	})
	y.judged(planned.String(), o.stdout, r.afterOutage(o, y, codes))
	return asPlanned
}

// afterOutage judges less strictly than afterErrno: what could not be undone may be in place if
// the answer says so, and folders may be left.
func (r *run) afterOutage(o *outcome, y *tally, codes []string) (complaints []string) {
	now, err := look(r.base)
	if err != nil {
		return []string{err.Error()}
	}
	now.sweep()
	at, complaints := r.judge(now)
	y.count(at)
	a, err := parseAnswer(o.stdout)
	switch {
	case err != nil:
		return append(complaints, err.Error())
	case a.Success:
		y.acknowledged++
		r.told = a.Result.SkippedCount > 0
	case !slices.Contains(codes, a.Error) || a.Error == "internal":
		complaints = append(complaints, "the code is "+a.Error)
	case !a.Details.Committed && !now.withoutFolders().hasAll(r.start.withoutFolders()):
		complaints = append(complaints, fmt.Sprintf("failed without a word of a commit, and the tree is %v", at))
	}
	return append(complaints, r.judgeElsewhere(at, now)...)
}

func (t tree) withoutFolders() tree {
	files := tree{}
	for path, n := range t {
		if n.kind != isFolder {
			files[path] = n
		}
	}
	return files
}

// hasAll reports whether two trees have the same names and contents.
func (t tree) hasAll(other tree) bool {
	return maps.EqualFunc(t, other, node.equal)
}

// TestErrnoLastsInRecovery kills every call at one of its points, and lets calls of one sort fail
// in the next change, which has to repair what is left. The change after that does.
func TestErrnoLastsInRecovery(t *testing.T) {
	overScenarios(t, 1, func(t *testing.T, y *tally, s *scenario, nth int) {
		for i, c := range sample(baseline(t, s), nth) {
			y.failRecovery(t, s, c, i+nth)
		}
	})
}

// failRecovery kills a call, and lets the next one fail from one of its calls on.
func (y *tally) failRecovery(t *testing.T, s *scenario, first call, nth int) {
	t.Helper()
	plans := []outage{{failure{call{n: -1}, 0}, nil}} // the first shows what there is to strike at
	for i := 0; i < len(plans); i++ {
		r := s.begin(t)
		follow(t, r.command, killed(first.n, undisturbed))
		plain := r.command
		plain.args, plain.stdin = commandLine(r.base, plainWrite[:]), ""
		begun := false
		o := follow(t, plain, func(c call) (v verdict) {
			begun = begun || c.n == plans[i].n
			if begun && slices.Contains(plans[i].calls, c.nr) && c.object != "stdout" {
				v.errno = plans[i].errno
			}
			return v
		})
		if i == 0 {
			plans = append(plans, sample(planOutages(o.calls), nth)...)
		}
		y.judged(fmt.Sprintf("a kill at %v, then %v", first, plans[i]), o.stdout, y.recovered(t, r, plain, undisturbed))
	}
}
