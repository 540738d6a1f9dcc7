package commands

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// answerGrace is how long a call may take to end once its time is up or it is canceled. A call that
// isn't stuck ends much sooner. The answer must be out half a second after the deadline; the rest
// of that time is for writing it.
const answerGrace = 300 * time.Millisecond

// maxAbandoned is how many calls of a stream may hang at the same time. Each holds a thread and
// some memory.
const maxAbandoned = 32

// abandoned counts the calls that were answered with a timeout and are still running.
type abandoned struct {
	count atomic.Int32
	idle  atomic.Pointer[worker] // one that may take the next call, or nil
}

// add counts what has not ended yet.
func (a *abandoned) add(ended <-chan struct{}) {
	a.count.Add(1)
	go func() {
		<-ended
		a.count.Add(-1)
	}()
}

// worker is a goroutine that carries out calls, one after another. The stack that one call made
// grow is there for the next: to grow it for each would cost a stream of small calls a tenth of
// its time.
type worker chan func()

// worker gives the idle one, or a new one.
func (a *abandoned) worker() worker {
	if w := a.idle.Swap(nil); w != nil {
		return *w
	}
	w := make(worker, 2) // a call, and what is to be done if it comes back late
	go func() {
		for do := range w {
			do()
		}
	}()
	return w
}

// rest keeps a worker whose call has returned for the next one, and ends the one it had so far.
func (a *abandoned) rest(w worker) {
	if other := a.idle.Swap(&w); other != nil {
		close(*other)
	}
}

// leave gives up a worker whose call has not returned.
func (a *abandoned) leave(w worker) {
	a.count.Add(1)
	w <- func() { a.count.Add(-1) }
	close(w)
}

// dismiss ends the idle worker.
func (a *abandoned) dismiss() {
	if w := a.idle.Swap(nil); w != nil {
		close(*w)
	}
}

// attend runs do in a goroutine of its own, and doesn't wait for it much longer than ctx lasts: a
// system call on a dead mount can't be interrupted. ok is false if do has not returned. Then do may
// still use what it was given.
func attend[T any](ctx context.Context, a *abandoned, do func() T) (result T, ok bool) {
	done, w := make(chan T, 1), a.worker()
	w <- func() { done <- do() }
	if result, ok = await(ctx, done); !ok {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerGrace)
		defer cancel()
		result, ok = await(grace, done)
	}
	if ok {
		a.rest(w)
	} else {
		a.leave(w)
	}
	return result, ok
}

// await waits for a result until ctx ends.
func await[T any](ctx context.Context, done <-chan T) (result T, ok bool) {
	select {
	case result = <-done:
		return result, true
	case <-ctx.Done():
		return result, false
	}
}

// attendLast is attend for what ends the process if it hangs. It runs do in the goroutine at hand:
// to hand it to another one and back costs a tenth of a short call. If do has not returned in
// time, another goroutine prints the answer that late gives, and ends the process.
func (p Program) attendLast(ctx context.Context, do func(), late func() answer) {
	var answered atomic.Bool
	stop := context.AfterFunc(ctx, func() {
		time.Sleep(answerGrace)
		if answered.CompareAndSwap(false, true) {
			p.abandoned.count.Add(1)
			status := p.print(late())
			p.letGo()
			p.exit(status)
		}
	})
	do()
	if !answered.CompareAndSwap(false, true) {
		select {} // the process is about to end
	}
	stop()
}

// StuckDetails are the details of timeout and canceled where the call has not returned.
type StuckDetails struct {
	Committed string `json:"committed,omitzero"` // "unknown" if the call may have changed something
}

// stuckFailure is the failure for a call that has not returned after ctx ended.
func stuckFailure(err error, mayChange bool) *Failure {
	f := failureOf(err).hint("the call has not come back: it needs longer than it may, or a mount below the path is dead; narrow the request, or try another path")
	if mayChange {
		f.hint("a change was under way and has not come back, as on a dead mount: look at the files before you send it again")
		f.Details = &StuckDetails{Committed: "unknown"}
	}
	return f
}

// tooManyStuck refuses a call while others hang.
func tooManyStuck() *Failure {
	f := failf(CodeBusy, "%d earlier calls of this stream hang in the system", maxAbandoned)
	f.Retryable = true
	return f.hint("start a new process, and leave the paths alone that did not answer")
}

// openEnv is newEnv for a root, a config file, a log or a state folder that may be on a dead mount.
func (p Program) openEnv(ctx context.Context, inv *invocation) (*Env, *Failure) {
	type opened struct {
		env  *Env
		fail *Failure
	}
	ctx, cancel := context.WithTimeout(ctx, inv.patience(systemEnvironment()))
	defer cancel()
	var o opened
	open := func() opened {
		system := systemEnvironment()
		system.stderr = p.Stderr
		env, fail := newEnv(inv.settings, inv.given, system)
		if fail == nil && p.watch != nil { // the process is ours
			fail = env.confine(inv)
		}
		return opened{env, fail}
	}
	stuck := func() *Failure {
		return stuckFailure(ctx.Err(), false).hint("the root, the config file, the log or the state folder can't be reached: it may be on a dead mount")
	}
	if p.exit != nil {
		p.attendLast(ctx, func() { o = open() }, func() answer { return failed(nil, stuck(), nil) })
	} else if taken, ok := attend(ctx, p.abandoned, open); ok {
		o = taken
	} else {
		return nil, stuck()
	}
	if o.env != nil {
		o.env.abandoned = p.abandoned
	}
	return o.env, o.fail
}

// patience is the timeout that flags and environment give; the config file has not been read yet.
func (inv *invocation) patience(system environment) time.Duration {
	text, found := system.lookup(envPrefix + "TIMEOUT")
	if set, err := time.ParseDuration(text); found && err == nil && !inv.given["timeout"] {
		return set
	}
	return inv.settings.Timeout
}

// letGo closes standard output when a call hangs. The process can't end before the system returns
// from that call, and a reader of the output would wait for the end.
func (p Program) letGo() {
	if out, ok := p.Stdout.(io.Closer); ok && p.abandoned.count.Load() > 0 {
		_ = out.Close() // everything is written
	}
}

// perform checks and runs a request of a stream. It answers in time even if the request hangs.
func perform(ctx context.Context, env *Env, id jsontext.Value, c *call) answer {
	if env.abandoned.count.Load() >= maxAbandoned {
		return env.refused(id, c.tool.Name, tooManyStuck())
	}
	line := env.log.begin(id, c)
	return line.end(env.asked(ctx, c, func() answer {
		ctx, cancel := context.WithTimeout(ctx, env.Limits.Timeout)
		defer cancel()
		a, ok := attend(ctx, env.abandoned, func() answer { return carryOut(ctx, env.forCall(id), id, c) })
		if !ok {
			a = failed(id, stuckFailure(ctx.Err(), c.changes()), env.standing)
		}
		return a
	}))
}

// performLast is perform for the only request of a process.
func (p Program) performLast(ctx context.Context, env *Env, id jsontext.Value, c *call) (a answer) {
	if p.exit == nil {
		return perform(ctx, env, id, c)
	}
	changes, line := c.changes(), env.log.begin(id, c)
	return line.end(env.asked(ctx, c, func() (a answer) {
		ctx, cancel := context.WithTimeout(ctx, env.Limits.Timeout)
		defer cancel()
		p.attendLast(ctx, func() { a = carryOut(ctx, env.forCall(id), id, c) },
			func() answer { return line.end(failed(id, stuckFailure(ctx.Err(), changes), env.standing)) })
		return a
	}))
}
