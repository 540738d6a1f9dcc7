//go:build linux && amd64

package faults

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKillWaiting kills calls of several steps while two others wait for their locks, each to add a
// line to one of the files. The waiting ones must not go on from a change that is half made: when
// they and a plain write have answered, all that the killed one changed is old or all is new, with
// their lines.
func TestKillWaiting(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	all := newTotal(t)
	for nth, s := range scenarios() {
		if targets := s.lines(); !s.several || len(targets) == 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			t.Parallel()
			var y tally
			for _, c := range betweenSteps(baseline(t, &s), nth) {
				y.aim(func() bool { return y.killAwaited(t, &s, c) })
			}
			y.verify(t, all)
		})
	}
}

// betweenSteps are points to kill a call of several steps at: the second or a later rename in the
// workspace, where it is half made; with -sweep also points all over the call.
func betweenSteps(calls []call, nth int) []call {
	var renames []call
	for _, c := range calls {
		if strings.HasPrefix(c.name, "rename") && strings.Contains(c.object, ".fsbox-") {
			renames = append(renames, c)
		}
	}
	points := renames[min(1, len(renames)):]
	if *longRun || *sweep {
		return append(points, sample(calls, nth)...)
	}
	return sample(points, nth)
}

// lines are the files that others add a line to: those that are files before and after the call,
// or only once, in folders that are always there.
func (s *scenario) lines() (paths []string) {
	before, done := s.before(), s.done()
	isFolderIn := func(path string, in tree) bool { return path == "." || in[path].kind == isFolder }
	isFileOrNone := func(path string, in tree) bool { n, ok := in[path]; return !ok || n.kind == isFile }
	for _, path := range s.touched() {
		parent := filepath.Dir(path)
		if isFileOrNone(path, before) && isFileOrNone(path, done) && isFolderIn(parent, before) && isFolderIn(parent, done) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// waitersLine is what those who wait add.
const waitersLine = "a line of another call\n"

// waiter is a call that adds a line to a file.
type waiter struct {
	path string
	done chan struct{}
	a    answer
	err  error
}

func (r *run) startWaiter(path string) *waiter {
	w := &waiter{path: path, done: make(chan struct{})}
	c := r.command
	c.args, c.stdin = commandLine(r.base, []string{"append", path, "--content", waitersLine}), ""
	go func() {
		defer close(w.done)
		w.a, w.err = c.again()
	}()
	return w
}

// waitingTime is how long the waiting calls have to come to the lock, or to their end.
const waitingTime = 150 * time.Millisecond

func (y *tally) killAwaited(t *testing.T, s *scenario, planned call) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	targets := s.lines()
	chosen := slices.Compact([]string{targets[planned.n%len(targets)], targets[(planned.n+1)%len(targets)]})
	var waiters []*waiter
	isHalfMade := false
	o := follow(t, r.command, func(c call) verdict {
		if !c.isSame(planned) {
			return verdict{}
		}
		isHalfMade = strings.HasPrefix(c.name, "rename") && strings.Contains(c.object, ".fsbox-txn-")
		asPlanned = true
		for _, path := range chosen {
			waiters = append(waiters, r.startWaiter(path))
		}
		late := time.After(waitingTime)
		for _, w := range waiters {
			select {
			case <-w.done:
			case <-late:
				return verdict{kill: true}
			}
		}
		return verdict{kill: true}
	})
	y.judged("a kill at "+planned.String(), o.stdout, r.afterWaiters(y, waiters, isHalfMade))
	return asPlanned
}

// afterWaiters makes a plain write, and looks at the tree without the lines of the others.
// One of them tells of the repair.
func (r *run) afterWaiters(y *tally, waiters []*waiter, isHalfMade bool) (complaints []string) {
	told := 0
	for _, w := range waiters {
		<-w.done
		if w.err != nil || !w.a.Success {
			complaints = append(complaints, fmt.Sprintf("a waiting call answers %+v, %v", w.a, w.err))
		}
		told += len(w.a.Warnings) - len(withoutRepairs(w.a.Warnings))
	}
	plain := r.command
	plain.args, plain.stdin = commandLine(r.base, plainWrite[:]), ""
	a, err := plain.again()
	if err != nil {
		return append(complaints, err.Error())
	}
	told += len(a.Warnings) - len(withoutRepairs(a.Warnings))
	if told > 1 || told == 0 && isHalfMade {
		complaints = append(complaints, fmt.Sprintf("the repair is told of %d times", told))
	}
	now, err := look(r.base)
	if err != nil {
		return append(complaints, err.Error())
	}
	for _, w := range waiters {
		n := now[w.path]
		text, hasLine := strings.CutSuffix(n.text, waitersLine)
		if hasLine != w.a.Success {
			complaints = append(complaints, fmt.Sprintf("a waiting call answers %v, and its line is in %q: %v", w.a.Success, w.path, hasLine))
		}
		if n.text = text; hasLine && text == "" { // the call has made the file
			delete(now, w.path)
		} else if hasLine {
			now[w.path] = n
		}
	}
	at, more := r.judgeRecovered(a, now)
	y.count(at)
	return append(complaints, more...)
}
