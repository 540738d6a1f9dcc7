package commands

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/commands/verbs/change"
	"fsbox/search/walk"

	"github.com/go-json-experiment/json/jsontext"

	_ "fsbox/commands/early"
)

const description = "File tools for AI agents inside one workspace folder. Every call answers one JSON object on one line."

// Main runs one command line and returns the exit status. SIGINT and SIGTERM cancel what it does.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, watch, stop := interruptible(ctx)
	defer stop()
	p := Program{Stdin: stdin, Stdout: stdout, Stderr: stderr, Tools: Tools(), watch: watch, abandoned: new(attend.Abandoned), exit: os.Exit}
	defer p.closeStdout()
	return p.Run(ctx, args)
}

// Program is the binary as a value, so that tests can run one with tools of their own.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Tools          []verb.Verb
	watch          func() // starts listening to signals
	abandoned      *attend.Abandoned
	exit           func(status int) // ends the process; nil in a test, which must not end
	format         string           // of answers; "" is JSON
	stream         bool             // each answer is one line, whatever the format
}

// listen makes signals cancel the work. A call that changes files or takes long listens at once,
// any other after a moment.
func (p Program) listen(inv *invocation) {
	switch {
	case p.watch == nil:
	case inv.call == nil, inv.stdin, inv.call.Verb.Writes:
		p.watch()
	default:
		time.AfterFunc(watchDelay, p.watch)
	}
}

// Run carries out one command line: parse, build the Env, then every request through perform. If a
// call hangs, it ends the process; in a test, Run returns.
func (p Program) Run(ctx context.Context, args []string) int {
	if p.abandoned == nil {
		p.abandoned = new(attend.Abandoned)
	}
	if p.exit != nil {
		return p.run(ctx, args)
	}
	ended := make(chan int, 1)
	p.exit = func(status int) { ended <- status }
	go func() { ended <- p.run(ctx, args) }()
	return <-ended
}

func (p Program) run(ctx context.Context, args []string) int {
	inv, err := parseArgs(args, slices.Concat(p.Tools, operatorTools()), p.Stdout)
	switch {
	case err != nil:
		return p.refuseLine(args, err)
	case inv.done:
		return 0
	}
	if p.watch != nil { // this is the process itself, not a test
		// Set before the other timers, which are due later: a new timer that is due first would
		// wake a thread.
		defer time.AfterFunc(verb.BoundDelay, verb.BoundHeap).Stop()
	}
	p.listen(inv)
	p.format, p.stream = earlyFormat(args, settings.SystemEnvironment()), inv.batch != nil || inv.stdin && !inv.dash
	sess, err := p.openSession(ctx, inv)
	if err != nil && inv.mcp != nil {
		return p.refuse(err)
	}
	if err != nil {
		if p.abandoned.Hanging.Load() == 0 {
			p.format = settledFormat(args, settings.SystemEnvironment())
		}
		return p.print(answer.Failed(nil, err, nil))
	}
	defer sess.close()
	defer sess.log.flush(ctx)
	p.format, sess.Stdin = sess.Settings.Format, p.Stdin
	return p.answerAll(ctx, sess, inv)
}

// refuseLine says what is wrong with a command line.
func (p Program) refuseLine(args []string, err *answer.Failure) int {
	p.format = settledFormat(args, settings.SystemEnvironment())
	switch name, _ := splitCommand(args); {
	case name == verb.MCPName:
		return p.refuse(err)
	case name == "" && err.Message == noCommand && answer.IsTerminal(p.Stdout):
		return p.showMap()
	}
	return p.print(answer.Failed(nil, err, nil))
}

// answerAll answers the requests of a command line, from wherever they come.
func (p Program) answerAll(ctx context.Context, sess *session, inv *invocation) int {
	switch {
	case inv.call != nil && inv.call.Verb.Name == verb.ApproveName && (inv.json != nil || inv.stdin):
		return p.print(answer.Failed(nil,
			answer.Failf(answer.CodeInvalidInput, "%s takes no JSON: only the operator's command line can approve", verb.ApproveName).
				WithHint("fsbox approve DIGEST"), nil))
	case inv.batch != nil:
		return p.serveBatch(ctx, sess, *inv.batch)
	case inv.mcp != nil:
		return p.serveMCP(ctx, sess, *inv.mcp)
	case inv.json != nil:
		return p.print(p.answerJSON(ctx, sess, inv.call.Verb, []byte(*inv.json)))
	case inv.stdin && !(inv.dash && p.bringsText(inv.call, sess)):
		return p.serveObjects(ctx, sess, inv.call.Verb)
	case inv.stdin, isInteractive(p.Stdin), p.bringsText(inv.call, sess): // stdin has the text of this request, or nothing
	case len(inv.call.Given) == 0 && inv.call.LacksArgument(): // a command alone, as in: echo '{...}' | fsbox read
		return p.serveObjects(ctx, sess, inv.call.Verb)
	}
	return p.print(sess.do(ctx, nil, inv.call, p.end))
}

// bringsText reports whether stdin holds the text that a request lacks, and makes the request take
// it from there. If the first byte on stdin is a brace, stdin holds requests instead.
func (p *Program) bringsText(c *verb.Call, sess *session) bool {
	taker, ok := c.Request.(verb.TextRequest)
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
		if c := ahead[n-1]; !isBlank(c) && !strings.HasPrefix(verb.ByteOrderMark, string(ahead)) {
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
	if err := p.output(p.stream).Answer(a); err != nil {
		return 1
	}
	return a.ExitStatus()
}

// answerJSON carries out one request object.
func (p Program) answerJSON(ctx context.Context, sess *session, t verb.Verb, raw []byte) answer.Answer {
	o, err := request.ParseObject(raw)
	if err != nil {
		return sess.refused(o.ID, t.Name, err)
	}
	return answerObject(ctx, sess, o.ID, verb.TagsRead{}.NewCall(t), o, p.end)
}

// answerObject carries out the request that an object holds.
func answerObject(ctx context.Context, sess *session, id jsontext.Value, c *verb.Call, o request.Object,
	late func(answer.Answer)) answer.Answer {
	if err := c.Decode(o); err != nil {
		return sess.refused(id, c.Verb.Name, err)
	}
	return sess.do(ctx, id, c, late)
}

// carryOut checks a request and runs it.
func (sess *session) carryOut(ctx context.Context, id jsontext.Value, c *verb.Call) (a answer.Answer) {
	defer func() {
		if reason := recover(); reason != nil {
			a = answer.Failed(id, crash(reason), nil)
		}
	}()
	err := answer.AsError(c.Check(&sess.Limits))
	if err == nil {
		err = answer.AsError(sess.gate(c))
	}
	if err != nil {
		return answer.Failed(id, verb.FailureOf(err), nil)
	}
	env := sess.forCall(id)
	if err = ctx.Err(); !errors.Is(err, context.Canceled) { // on a timeout the request itself decides what to answer
		err = change.Repair(ctx, env, c)
	}
	if err != nil {
		return answer.Failed(id, verb.FailureOf(err), env.Warnings)
	}
	desk := sess.desk.of(env)
	asks, by, err := desk.admit(ctx, c)
	switch {
	case err != nil:
		return answer.Failed(id, env.Suggest(ctx, verb.FailureOf(err), c), env.Warnings)
	case asks != nil:
		a = answer.Failed(id, desk.notAsked(asks, errNobody), env.Warnings)
		a.Aside = asks // nobody has been asked yet about what the call would do
		return a
	}
	a = run(ctx, env, c)
	if a.ID = id; by != "" {
		a.Aside = by // why the call was allowed to change files
	}
	return a
}

// run runs a request that has passed all checks.
func run(ctx context.Context, env *verb.Env, c *verb.Call) answer.Answer {
	odd := env.OddPaths(c)
	result, err := c.Request.Run(ctx, env)
	change.WarnAlone(env, c)
	if err != nil {
		return answer.Failed(nil, env.Suggest(ctx, verb.FailureOf(err), c), env.Warnings)
	}
	return answer.Succeeded(nil, result, append(env.Warnings, odd...))
}

// gate refuses a call that the operator has not allowed. It names every setting that would be
// needed.
func (sess *session) gate(c *verb.Call) *answer.Failure {
	switch {
	case c.Verb.Writes && !sess.Settings.AllowWrite:
		f := answer.Failf(answer.CodeWritesDisabled, "%s changes files, and changes are switched off", c.Verb.Name)
		if !sess.Settings.AllowDelete && c.Deletes() {
			return f.WithHint("the operator can switch them on with --allow-write, and for this call with --allow-delete as well")
		}
		return f.WithHint("the operator can switch them on with --allow-write")
	case c.Verb.Deletes && !sess.Settings.AllowDelete:
		return answer.Failf(answer.CodeDeletesDisabled, "%s takes files from their places, and that is switched off", c.Verb.Name).
			WithHint("the operator can switch it on with --allow-delete")
	}
	return nil
}

// CrashDetails say where the program went wrong.
type CrashDetails struct {
	Where string `json:"where"` // file:line
}

// crash turns a panic into an answer. Its text is left out unless it is the runtime's own: it could
// hold file contents.
func crash(reason any) *answer.Failure {
	f := answer.Failf(answer.CodeInternal, "internal error").WithHint("this is a bug in fsbox: please report it with the details")
	stack := debug.Stack()
	if p, ok := reason.(*walk.Panic); ok {
		reason, stack = p.Reason, p.Stack
	}
	var fault runtime.Error
	if err, ok := reason.(error); ok && errors.As(err, &fault) {
		f.Message = "internal error: " + fault.Error()
	}
	f.Details = &CrashDetails{Where: panicSite(string(stack))}
	return f
}

// panicSite finds the line of this module nearest to the panic in a stack trace.
func panicSite(stack string) string {
	_, below, _ := strings.Cut(stack, "\npanic(")
	for line := range strings.Lines(below) {
		file, ok := strings.CutPrefix(line, "\t")
		file, _, _ = strings.Cut(strings.TrimSpace(file), " +0x") // an inlined function has no offset
		if folder := filepath.Base(filepath.Dir(file)); ok && folder != "runtime" && !strings.HasPrefix(file, "<autogenerated>") {
			return folder + "/" + filepath.Base(file)
		}
	}
	return "unknown"
}
