package commands

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/approve"
	"fsbox/commands/attend"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/sandbox/plan"

	"github.com/go-json-experiment/json/jsontext"
)

// Main runs one command line and returns the exit status. SIGINT and SIGTERM cancel what it does.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, watch, stop := interruptible(ctx)
	defer stop()
	p := Program{Stdin: stdin, Stdout: stdout, Stderr: stderr, Commands: registered[:], watch: watch,
		abandoned: new(attend.Abandoned), exit: os.Exit}
	defer p.closeStdout()
	return p.run(ctx, args)
}

// Program is the binary as a value, so that tests can run one with tools of their own.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Commands       []command.Command
	watch          func() // starts listening to signals
	abandoned      *attend.Abandoned
	exit           func(status int) // ends the process
	format         string           // of answers; "" is JSON
	bound          answer.Bound     // of those in the text form
	stream         bool             // each answer is one line, whatever the format
}

// Run is run for a test: where a call that hangs would end the process, it returns.
func (p Program) Run(ctx context.Context, args []string) int {
	if p.abandoned == nil {
		p.abandoned = new(attend.Abandoned)
	}
	ended := make(chan int, 1)
	p.exit = func(status int) { ended <- status }
	go func() { ended <- p.run(ctx, args) }()
	return <-ended
}

// run carries out one command line: parse, open the session, then every request through it. If a
// call hangs, it ends the process.
func (p Program) run(ctx context.Context, args []string) int {
	inv, err := cmdline.Parse(args, p.allCommands(), p.Stdout)
	switch {
	case err != nil:
		return p.refuseLine(inv, err)
	case inv.Done:
		return 0
	}
	if p.watch != nil { // this is the process itself, not a test
		// Set before the other timers, which are due later: a new timer that is due first would
		// wake a thread.
		defer time.AfterFunc(command.BoundDelay, command.BoundHeap).Stop()
		if inv.Call == nil || inv.Stdin || inv.Call.Command.Writes { // it changes files or takes long
			p.watch()
		} else {
			time.AfterFunc(watchDelay, p.watch)
		}
	}
	p.stream = inv.Batch != nil || inv.Stdin && !inv.Dash
	sess, err := p.openSession(ctx, inv)
	if err != nil {
		return p.refuseLine(inv, err)
	}
	defer sess.Close(ctx)
	p.format, sess.Stdin = sess.Settings.Format, p.Stdin
	if p.format != answer.FormatJSON && inv.MCP == nil {
		p.bound = sess.Settings.LineBound()
		sess.Bound = p.bound
		sess.TextOnly = p.stream || answer.StyleOf(p.format, p.Stdout, os.LookupEnv) == nil
	}
	return p.answerAll(ctx, sess, inv)
}

// refuseLine says what is wrong with a command line or its settings.
func (p Program) refuseLine(inv *cmdline.Line, err *answer.Failure) int {
	_ = inv.Settings.TakeEnvironment(inv.Given, settings.SystemEnvironment()) // the line is wrong already
	p.format = settings.FormatOf(inv.Settings, inv.Given, settings.SystemEnvironment())
	switch {
	case inv.Command == command.MCPName:
		return p.refuse(err)
	case err.Message == cmdline.NoCommand && answer.IsTerminal(p.Stdout):
		return p.showMap()
	}
	return p.fail(err)
}

// allCommands are the commands, and what only a command line has.
func (p Program) allCommands() []command.Command {
	return append(slices.Clip(p.Commands), approve.Command)
}

// answerAll answers the requests of a command line, from wherever they come.
func (p Program) answerAll(ctx context.Context, sess *session.Session, inv *cmdline.Line) int {
	switch {
	case inv.Call != nil && inv.Call.Command.Name == command.ApproveName && (inv.JSON != nil || inv.Stdin):
		return p.fail(answer.Failf(answer.CodeInvalidInput, "%s takes no JSON: only the operator's command line can approve",
			command.ApproveName).
			WithHint("fsbox approve DIGEST"))
	case inv.Batch != nil:
		return p.serveBatch(ctx, sess, *inv.Batch)
	case inv.MCP != nil:
		return p.serveMCP(ctx, sess, *inv.MCP)
	case inv.JSON != nil:
		return p.print(p.answerJSON(ctx, sess, inv.Call.Command, []byte(*inv.JSON)))
	case inv.Stdin && !(inv.Dash && p.bringsText(inv.Call, sess)):
		return p.serveObjects(ctx, sess, inv.Call.Command)
	case inv.Stdin, !inv.Call.LacksArgument(), isInteractive(p.Stdin), p.bringsText(inv.Call, sess):
		// stdin has the text of this request, or nothing
	case len(inv.Call.Given) == 0: // a command alone, as in: echo '{...}' | fsbox read
		return p.serveObjects(ctx, sess, inv.Call.Command)
	}
	return p.printCall(p.do(ctx, sess, nil, inv.Call), inv.Call)
}

// printCall is print for the answer to a command line of its own, which may want the paths alone.
func (p Program) printCall(a answer.Answer, c *command.Call) int {
	r, ok := c.Request.(command.NulPrinter)
	list, found := a.Result.(command.PathList)
	if !ok || !found || !r.PrintsNul() {
		return p.print(a)
	}
	out := bufio.NewWriter(p.Stdout)
	for _, path := range list.Paths() {
		_, _ = out.WriteString(path + "\x00") // Flush has the error
	}
	if out.Flush() != nil || a.WriteNotes(p.Stderr) != nil {
		return 1
	}
	return a.ExitStatus()
}

// bringsText reports whether stdin holds the text that a request lacks, and makes the request take
// it from there. If the first byte on stdin is a brace, stdin holds requests instead.
func (p *Program) bringsText(c *command.Call, sess *session.Session) bool {
	taker, ok := c.Request.(command.TextRequest)
	if !ok || !taker.LacksText() {
		return false
	}
	in := bufio.NewReader(p.Stdin)
	p.Stdin, sess.Stdin = in, in
	for n := 1; ; n++ {
		ahead, err := in.Peek(n)
		if err != nil || n == maxBlankAhead {
			return false
		}
		if c := ahead[n-1]; !request.IsBlank(c) && !strings.HasPrefix(command.ByteOrderMark, string(ahead)) {
			if c == '{' {
				return false
			}
			taker.TakeStdin()
			return true
		}
	}
}

// maxBlankAhead is how many blank bytes may come before the byte that tells requests from text.
const maxBlankAhead = 1024

// isInteractive reports whether nobody sends requests on stdin: it is a terminal or another
// character device.
func isInteractive(stdin io.Reader) bool {
	file, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err != nil || info.Mode()&os.ModeCharDevice != 0
}

// print writes one answer and gives the exit status. If nobody reads the output any more, there is
// nothing left to do.
func (p Program) print(a answer.Answer) int {
	if err := answer.NewOutput(p.Stdout, p.format, p.stream, p.bound, os.LookupEnv).Answer(a); err != nil {
		return 1
	}
	return a.ExitStatus()
}

// fail writes the answer to what never became a call.
func (p Program) fail(f *answer.Failure) int { return p.print(answer.Failed(nil, f, nil)) }

// answerJSON carries out one request object.
func (p Program) answerJSON(ctx context.Context, sess *session.Session, t command.Command, raw []byte) answer.Answer {
	o, err := request.ParseObject(raw)
	if err != nil {
		return sess.Refused(o.ID, t.Name, err)
	}
	c := command.NewCall(t)
	if err := cmp.Or(sess.LeftOut(c.Command), c.Decode(o)); err != nil {
		return sess.Refused(o.ID, c.Command.Name, err)
	}
	return p.do(ctx, sess, o.ID, c)
}

// answerObject carries out the request that an object holds.
func answerObject(ctx context.Context, sess *session.Session, id jsontext.Value, t command.Command, o request.Object,
	late func(answer.Answer)) answer.Answer {
	c := command.NewCall(t)
	if err := cmp.Or(sess.LeftOut(c.Command), c.Decode(o)); err != nil {
		return sess.Refused(id, c.Command.Name, err)
	}
	return sess.Do(ctx, id, c, late)
}

// showMap answers a person who gave no command. Programs, whose stdout is no terminal, get JSON.
func (p Program) showMap() int {
	if _, err := cmdline.Parse([]string{"--help"}, p.allCommands(), p.Stdout); err != nil {
		return p.fail(err)
	}
	return 2
}

// end prints the answer to a call that hangs, and ends the process.
func (p Program) end(a answer.Answer) {
	status := p.print(a)
	p.closeStdout()
	p.exit(status)
}

// openSession is session.Open for a root, a config file, a log or a state folder that may be on a
// dead mount.
func (p Program) openSession(ctx context.Context, inv *cmdline.Line) (*session.Session, *answer.Failure) {
	type opened struct {
		sess *session.Session
		fail *answer.Failure
	}
	system := settings.SystemEnvironment()
	if fail := inv.Settings.TakeEnvironment(inv.Given, system); fail != nil {
		return nil, fail
	}
	early := inv.Settings // the config file may be on a dead mount
	ctx, cancel := context.WithTimeout(ctx, early.Timeout)
	defer cancel()
	system.Stderr = p.Stderr
	open := func() opened {
		sess, fail := session.Open(inv.Settings, inv.Given, system, p.Commands)
		if fail == nil && sess.Settings.Format != answer.FormatJSON { // it may show times
			answer.LoadZone()
		}
		if fail == nil && p.watch != nil { // not in a test
			fail = session.Confine(sess.Env, inv.Call)
		}
		return opened{sess, fail}
	}
	o := attend.Do(ctx, p.abandoned, open, func() {
		p.format = answer.KnownFormat(early.Format)
		p.end(answer.Failed(nil, session.StuckFailure(ctx.Err(), plan.Unchanged).
			WithHint("the root, the config file, the log or the state directory can't be reached: it may be on a dead mount"), nil))
	})
	if o.sess != nil {
		o.sess.Abandoned = p.abandoned
	}
	return o.sess, o.fail
}

// closeStdout closes standard output when a call hangs. The process can't end before the system
// returns from that call, and a reader of the output would wait for the end.
func (p Program) closeStdout() {
	if out, ok := p.Stdout.(io.Closer); ok && p.abandoned.Hanging.Load() > 0 {
		_ = out.Close() // everything is written
	}
}
