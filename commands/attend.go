package commands

import (
	"context"
	"io"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/sandbox"

	"github.com/go-json-experiment/json/jsontext"
)

// maxAbandoned is how many calls of a stream may hang at the same time. Each holds a thread and
// some memory.
const maxAbandoned = 32

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
	f := verb.FailureOf(err)
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
	ctx, cancel := context.WithTimeout(ctx, inv.earlyTimeout(settings.SystemEnvironment()))
	defer cancel()
	open := func() opened {
		system := settings.SystemEnvironment()
		system.Stderr = p.Stderr
		sess, fail := newSession(inv.settings, inv.given, system, p.Tools)
		if fail == nil && answer.StyleOf(sess.Settings.Format, p.Stdout, system.Lookup) != nil {
			answer.LoadZone()
		}
		if fail == nil && p.watch != nil { // not in a test
			fail = confineProcess(sess.Env, inv)
		}
		return opened{sess, fail}
	}
	o := attend.Do(ctx, p.abandoned, open, func() {
		p.end(answer.Failed(nil, stuckFailure(ctx.Err(), sandbox.Unchanged).
			WithHint("the root, the config file, the log or the state folder can't be reached: it may be on a dead mount"), nil))
	})
	if o.sess != nil {
		o.sess.Abandoned = p.abandoned
		if inv.mcp == nil { // calls of MCP run side by side, and report progress to the client
			o.sess.progress = p.progress(o.sess.Settings.Format)
		}
	}
	return o.sess, o.fail
}

// earlyTimeout is the timeout that flags and environment give; the config file has not been read
// yet.
func (inv *invocation) earlyTimeout(system settings.Environment) time.Duration {
	text, found := system.Variable("timeout")
	if set, err := time.ParseDuration(text); found && err == nil && !inv.given["timeout"] {
		return set
	}
	return inv.settings.Timeout
}

// closeStdout closes standard output when a call hangs. The process can't end before the system
// returns from that call, and a reader of the output would wait for the end.
func (p Program) closeStdout() {
	if out, ok := p.Stdout.(io.Closer); ok && p.abandoned.Hanging.Load() > 0 {
		_ = out.Close() // everything is written
	}
}

// do checks and runs a request. If the request hangs, late gets the answer in time, in another
// goroutine, and the current one never returns from here.
func (sess *session) do(ctx context.Context, id jsontext.Value, c *verb.Call, late func(answer.Answer)) answer.Answer {
	if sess.Abandoned.Hanging.Load() >= maxAbandoned {
		return sess.refused(id, c.Verb.Name, tooManyStuck())
	}
	line := sess.log.begin(id, c)
	return line.end(sess.desk.of(sess.Env).asked(ctx, c, func() answer.Answer {
		ctx, cancel := context.WithTimeout(ctx, sess.Limits.Timeout)
		defer cancel()
		onset := new(sandbox.Onset)
		if c.Changes() {
			ctx = sandbox.WithOnset(ctx, onset)
		}
		done := sess.progress.begin(sess.Env, c.Verb.Name)
		defer done()
		return attend.Do(ctx, sess.Abandoned, func() answer.Answer { return sess.carryOut(ctx, id, c) }, func() {
			done()
			late(line.end(answer.Failed(id, stuckFailure(ctx.Err(), onset.Forbid()), sess.Settings.Warnings)))
		})
	}))
}
