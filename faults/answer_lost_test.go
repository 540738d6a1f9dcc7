//go:build linux && amd64

package faults

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A network file system may make a change and answer an error all the same. If the answer of the
// server is lost, the client asks again, and hears that the old name is gone or the new one is
// taken. On a soft mount it gives up.

// lostAnswers are the errors that each call about names may then get.
var lostAnswers = map[uint64][]syscall.Errno{
	unix.SYS_RENAMEAT:  {unix.ENOENT, unix.EIO},
	unix.SYS_RENAMEAT2: {unix.ENOENT, unix.EIO},
	unix.SYS_LINKAT:    {unix.EEXIST, unix.EIO},
	unix.SYS_UNLINKAT:  {unix.ENOENT, unix.EIO},
	unix.SYS_MKDIRAT:   {unix.EEXIST, unix.EIO},
	unix.SYS_SYMLINKAT: {unix.EEXIST, unix.EIO},
}

// TestAnswerLost makes every call about names of every scenario, where renames have no flags, and
// lets it fail once in a run. The program may fail then, but not lie.
func TestAnswerLost(t *testing.T) {
	codes := documentedCodes(t)
	overScenarios(t, 3, func(t *testing.T, y *tally, s *scenario, nth int) {
		r := s.begin(t)
		var planned []failure
		for _, c := range follow(t, r.command, withoutFlags).calls {
			for _, errno := range lostAnswers[c.nr] {
				if c.flags == 0 {
					planned = append(planned, failure{c, errno})
				}
			}
		}
		for _, f := range sample(planned, nth) {
			y.aim(func() bool { return y.loseAnswer(t, s, f, codes) })
		}
	})
}

// loseAnswer runs a scenario in which the planned call is made and fails. It reports whether there
// was such a call.
func (y *tally) loseAnswer(t *testing.T, s *scenario, planned failure, codes []string) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	o := follow(t, r.command, func(c call) verdict {
		if !asPlanned && c.isSame(planned.call) {
			asPlanned = true
			return verdict{errno: planned.errno, made: true}
		}
		return withoutFlags(c)
	})
	y.judged("the answer is lost, "+planned.String(), o.stdout, r.afterErrno(o, y, false, codes))
	return asPlanned
}
