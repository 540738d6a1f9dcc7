package commands

import (
	"context"
	"io"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/cmdline"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/sandbox"
)

// end prints the answer to a call that hangs, and ends the process.
func (p Program) end(a answer.Answer) {
	status := p.print(a)
	p.closeStdout()
	p.exit(status)
}

// openSession is newSession for a root, a config file, a log or a state folder that may be on a
// dead mount.
func (p Program) openSession(ctx context.Context, inv *cmdline.Line) (*session.Session, *answer.Failure) {
	type opened struct {
		sess *session.Session
		fail *answer.Failure
	}
	ctx, cancel := context.WithTimeout(ctx, earlyTimeout(inv, settings.SystemEnvironment()))
	defer cancel()
	open := func() opened {
		system := settings.SystemEnvironment()
		system.Stderr = p.Stderr
		sess, fail := session.Open(inv.Settings, inv.Given, system, p.Tools)
		if fail == nil && answer.StyleOf(sess.Settings.Format, p.Stdout, system.Lookup) != nil {
			answer.LoadZone()
		}
		if fail == nil && p.watch != nil { // not in a test
			fail = session.Confine(sess.Env, inv.Only())
		}
		return opened{sess, fail}
	}
	o := attend.Do(ctx, p.abandoned, open, func() {
		p.end(answer.Failed(nil, session.StuckFailure(ctx.Err(), sandbox.Unchanged).
			WithHint("the root, the config file, the log or the state folder can't be reached: it may be on a dead mount"), nil))
	})
	if o.sess != nil {
		o.sess.Abandoned = p.abandoned
		if inv.MCP == nil { // calls of MCP run side by side, and report progress to the client
			o.sess.Progress = session.NewProgress(p.Stderr, o.sess.Settings.Format)
		}
	}
	return o.sess, o.fail
}

// earlyTimeout is the timeout that flags and environment give; the config file has not been read
// yet.
func earlyTimeout(inv *cmdline.Line, system settings.Environment) time.Duration {
	text, found := system.Variable("timeout")
	if set, err := time.ParseDuration(text); found && err == nil && !inv.Given["timeout"] {
		return set
	}
	return inv.Settings.Timeout
}

// closeStdout closes standard output when a call hangs. The process can't end before the system
// returns from that call, and a reader of the output would wait for the end.
func (p Program) closeStdout() {
	if out, ok := p.Stdout.(io.Closer); ok && p.abandoned.Hanging.Load() > 0 {
		_ = out.Close() // everything is written
	}
}
