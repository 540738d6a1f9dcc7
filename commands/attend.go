package commands

import (
	"context"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fsbox/commands/answer"
	"fsbox/sandbox"

	"github.com/go-json-experiment/json/jsontext"
)

// answerGrace is how long a call may take to end once its time is up or it is canceled. A call that
// isn't stuck ends much sooner. The answer must be out half a second after the deadline. The rest
// of that half second is for look to notice the call, and for writing the answer.
const answerGrace = 250 * time.Millisecond

// lookInterval is how often look checks the calls that run. A timer for each call would take a
// twentieth of the time of a short call.
const lookInterval = 50 * time.Millisecond

// maxAbandoned is how many calls of a stream may hang at the same time. Each holds a thread and
// some memory.
const maxAbandoned = 32

// abandoned counts the calls that hang: they were answered with timeout or canceled, but still run.
// It finds them in its list of running calls. Searches that hang are counted by add.
type abandoned struct {
	count   atomic.Int32
	mutex   sync.Mutex
	running []*attended
	looks   bool // look is going to be called
}

// attended is a call that runs.
type attended struct {
	ctx   context.Context
	late  func()
	since time.Time // when ctx was seen to have ended
}

// add counts what hangs, such as a walk, until ended is closed.
func (a *abandoned) add(ended <-chan struct{}) {
	a.count.Add(1)
	go func() {
		<-ended
		a.count.Add(-1)
	}()
}

// attend runs do in the current goroutine: to pass it to another one and back costs a tenth of a
// short call. A system call on a dead mount can't be interrupted: if do has not returned soon after
// ctx has ended, another goroutine runs late and goes on from there. The current one then ends when
// do returns.
func attend[T any](ctx context.Context, a *abandoned, do func() T, late func()) T {
	c := &attended{ctx: ctx, late: late}
	a.enter(c)
	result := do()
	if !a.leave(c) {
		a.count.Add(-1)
		runtime.Goexit()
	}
	return result
}

func (a *abandoned) enter(c *attended) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.running = append(a.running, c)
	if !a.looks {
		a.looks = true
		time.AfterFunc(lookInterval, a.look)
	}
}

// leave ends a call; false if it has been abandoned.
func (a *abandoned) leave(c *attended) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	at := slices.Index(a.running, c)
	if at < 0 {
		return false
	}
	a.running = slices.Delete(a.running, at, at+1)
	return true
}

// look abandons the calls that hang.
func (a *abandoned) look() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	now := time.Now()
	a.running = slices.DeleteFunc(a.running, func(c *attended) bool {
		hangs := c.hangs(now)
		if hangs {
			a.count.Add(1)
			go c.late()
		}
		return hangs
	})
	if a.looks = len(a.running) > 0; a.looks {
		time.AfterFunc(lookInterval, a.look)
	}
}

func (c *attended) hangs(now time.Time) bool {
	switch {
	case c.ctx.Err() == nil:
		return false
	case c.since.IsZero():
		c.since = now
	}
	return now.Sub(c.since) >= answerGrace
}

// end prints the answer to a call that hangs, and ends the process.
func (p Program) end(a answer.Answer) {
	status := p.print(a)
	p.closeStdout()
	p.exit(status)
}

// StuckDetails are the details of timeout and canceled where the call has not returned and its
// change had begun.
type StuckDetails struct {
	Committed any `json:"committed"` // "unknown", or true where only the answer is missing
}

// stuckFailure is the failure for a call that has not returned after ctx ended. Before the call
// changes files, it may have been computing or waiting for the system: both are answered alike.
func stuckFailure(err error, stage sandbox.Stage) *answer.Failure {
	f := failureOf(err)
	switch stage {
	case sandbox.Changing:
		return f.WithDetails(&StuckDetails{Committed: "unknown"}).
			WithHint("a change was under way and has not come back, as on a dead mount: look at the files before you send it again")
	case sandbox.Changed:
		f.Retryable = false
		return f.WithDetails(&StuckDetails{Committed: true}).
			WithHint("the change is made, and only its answer took too long: look at the files before you send anything else")
	}
	if f.Code == answer.CodeTimeout {
		f.Hint += "; if a small request takes as long, a mount below the path is dead"
	}
	return f
}

// tooManyStuck refuses a call while others hang.
func tooManyStuck() *answer.Failure {
	return answer.Failf(answer.CodeBusy, "%d earlier calls of this stream have not come back", maxAbandoned).
		WithHint("start a new process, and leave the paths alone that did not answer")
}

// openSession is newSession for a root, a config file, a log or a state folder that may be on a
// dead mount.
func (p Program) openSession(ctx context.Context, inv *invocation) (*session, *answer.Failure) {
	type opened struct {
		sess *session
		fail *answer.Failure
	}
	ctx, cancel := context.WithTimeout(ctx, inv.earlyTimeout(systemEnvironment()))
	defer cancel()
	open := func() opened {
		system := systemEnvironment()
		system.stderr = p.Stderr
		sess, fail := newSession(inv.settings, inv.given, system)
		if fail == nil && answer.StyleOf(sess.settings.Format, p.Stdout, system.lookup) != nil {
			answer.LoadZone()
		}
		if fail == nil && p.watch != nil { // not in a test
			fail = sess.confine(inv)
		}
		return opened{sess, fail}
	}
	o := attend(ctx, p.abandoned, open, func() {
		p.end(answer.Failed(nil, stuckFailure(ctx.Err(), sandbox.Unchanged).
			WithHint("the root, the config file, the log or the state folder can't be reached: it may be on a dead mount"), nil))
	})
	if o.sess != nil {
		o.sess.abandoned = p.abandoned
		if inv.mcp == nil { // calls of MCP run side by side, and report progress to the client
			o.sess.progress = p.progress(o.sess.settings.Format)
		}
	}
	return o.sess, o.fail
}

// earlyTimeout is the timeout that flags and environment give; the config file has not been read
// yet.
func (inv *invocation) earlyTimeout(system environment) time.Duration {
	text, found := system.variable("timeout")
	if set, err := time.ParseDuration(text); found && err == nil && !inv.given["timeout"] {
		return set
	}
	return inv.settings.Timeout
}

// closeStdout closes standard output when a call hangs. The process can't end before the system
// returns from that call, and a reader of the output would wait for the end.
func (p Program) closeStdout() {
	if out, ok := p.Stdout.(io.Closer); ok && p.abandoned.count.Load() > 0 {
		_ = out.Close() // everything is written
	}
}

// do checks and runs a request. If the request hangs, late gets the answer in time, in another
// goroutine, and the current one never returns from here.
func (sess *session) do(ctx context.Context, id jsontext.Value, c *call, late func(answer.Answer)) answer.Answer {
	if sess.abandoned.count.Load() >= maxAbandoned {
		return sess.refused(id, c.tool.Name, tooManyStuck())
	}
	line := sess.log.begin(id, c)
	return line.end(sess.desk.of(sess.Env).asked(ctx, c, func() answer.Answer {
		ctx, cancel := context.WithTimeout(ctx, sess.Limits.Timeout)
		defer cancel()
		onset := new(sandbox.Onset)
		if c.changes() {
			ctx = sandbox.WithOnset(ctx, onset)
		}
		done := sess.progress.begin(sess.Env, c.tool.Name)
		defer done()
		return attend(ctx, sess.abandoned, func() answer.Answer { return sess.carryOut(ctx, id, c) }, func() {
			done()
			late(line.end(answer.Failed(id, stuckFailure(ctx.Err(), onset.Forbid()), sess.settings.warnings)))
		})
	}))
}
