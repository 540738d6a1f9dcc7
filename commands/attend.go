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
type abandoned struct{ count atomic.Int32 }

// add counts what has not ended yet.
func (a *abandoned) add(ended <-chan struct{}) {
	a.count.Add(1)
	go func() {
		<-ended
		a.count.Add(-1)
	}()
}

// attend runs do in a goroutine of its own, and doesn't wait for it much longer than ctx lasts: a
// system call on a dead mount can't be interrupted. ok is false if do has not returned. Then do may
// still use what it was given.
func attend[T any](ctx context.Context, a *abandoned, do func() T) (result T, ok bool) {
	done, ended := make(chan T, 1), make(chan struct{})
	go func() {
		defer close(ended)
		done <- do()
	}()
	if result, ok = await(ctx, done); ok {
		return result, true
	}
	grace := time.NewTimer(answerGrace)
	defer grace.Stop()
	select {
	case result = <-done:
		return result, true
	case <-grace.C:
	}
	a.add(ended)
	return result, false
}

// signalBeat is the interval at which attend checks for pending signals while it waits for a call.
const signalBeat = 100 * time.Millisecond

// await waits for a result until ctx ends.
func await[T any](ctx context.Context, done <-chan T) (result T, ok bool) {
	beat := time.NewTicker(signalBeat)
	defer beat.Stop()
	for {
		select {
		case result = <-done:
			return result, true
		case <-ctx.Done():
			return result, false
		case <-beat.C:
			takeSignals()
		}
	}
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

// openEnv is newEnv for a root, a config file or a state folder that may be on a dead mount.
func (p Program) openEnv(ctx context.Context, inv *invocation) (*Env, *Failure) {
	type opened struct {
		env  *Env
		fail *Failure
	}
	ctx, cancel := context.WithTimeout(ctx, inv.patience(systemEnvironment()))
	defer cancel()
	o, ok := attend(ctx, p.abandoned, func() (o opened) {
		o.env, o.fail = newEnv(inv.settings, inv.given, systemEnvironment())
		return o
	})
	if !ok {
		return nil, stuckFailure(ctx.Err(), false).hint("the root, the config file or the state folder can't be reached: it may be on a dead mount")
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

// perform checks and runs every request, whether it came as flags, JSON or a line of batch. It
// answers in time even if the request hangs.
func perform(ctx context.Context, env *Env, id jsontext.Value, c *call) answer {
	if env.abandoned.count.Load() >= maxAbandoned {
		return failed(id, tooManyStuck(), nil)
	}
	ctx, cancel := context.WithTimeout(ctx, env.Limits.Timeout)
	defer cancel()
	a, ok := attend(ctx, env.abandoned, func() answer { return carryOut(ctx, env.forCall(id), id, c) })
	if !ok {
		return failed(id, stuckFailure(ctx.Err(), c.changes()), env.standing)
	}
	return a
}
