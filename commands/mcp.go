package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/clients"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/mcp"
	"fsbox/commands/read"
	"fsbox/commands/request"
	"fsbox/commands/schema"
	"fsbox/commands/session"
	"fsbox/commands/version"
	"fsbox/commands/words"
	"fsbox/sandbox/plan"
	"fsbox/textio"
)

// serveMCP serves one client until stdin ends.
func (p Program) serveMCP(ctx context.Context, sess *session.Session, m cmdline.MCP) int {
	sess.Kept, sess.OnlyDefined = new(command.Kept), !sess.Settings.AllFields
	if m.MaxCalls < 0 {
		return p.refuse(answer.Failf(answer.CodeInvalidInput, "%q can't be negative", "max_calls"))
	}
	tools := &mcpTools{sess: sess, known: command.ForModels(p.Commands), options: m}
	about := mcp.About{Name: "fsbox", Title: "Files", Version: version.Info().Version, Instructions: sess.Instructions()}
	switch err := mcp.Serve(ctx, p.Stdin, p.Stdout, tools, about); {
	case err == nil:
		return 0
	case ctx.Err() != nil, err == mcp.ErrLast, errors.Is(err, syscall.EPIPE): // nobody is there any more, or wants more
		return 1
	default:
		return p.refuse(answer.Failf(answer.CodeIOError, "%v", err))
	}
}

// refuse tells on stderr why there is no server: stdout is for the protocol alone.
func (p Program) refuse(f *answer.Failure) int {
	a := answer.Failed(nil, f, nil)
	_ = a.WriteText(p.Stderr, answer.StyleOf(answer.FormatText, p.Stderr, os.LookupEnv)) // there is nobody else to tell
	return a.ExitStatus()
}

// mcpTools are the tools of one server.
type mcpTools struct {
	sess    *session.Session
	known   []command.Command // that a call may name
	options cmdline.MCP
	parser  request.ObjectParser
	calls   int // so far
	list    []byte
}

// List gives the definitions of the tools that the settings open. They are made when the first
// client asks.
func (t *mcpTools) List() []byte {
	if t.list != nil {
		return t.list
	}
	t.list = schema.JsonArray(words.Mapped(command.Defined(t.sess.Env), func(tool command.Command) []byte {
		return schema.Definition(tool, "mcp", schema.RequestsOf(t.sess.Env), t.options.Structured)
	}))
	return t.list
}

// Prepare fills the struct of a request. What is wrong with it is the call's answer.
func (t *mcpTools) Prepare(name string, arguments []byte) (mcp.Call, error) {
	tool, ok := command.FindLoosely(t.known, name)
	if !ok {
		f := t.sess.Unknown(name, command.Defined(t.sess.Env), t.known)
		return mcp.Call{}, fmt.Errorf("%s: %s", f.Message, f.Hint)
	}
	c := &mcpCall{tools: t, call: command.NewCall(tool)}
	t.calls++
	last := t.options.MaxCalls > 0 && t.calls > t.options.MaxCalls
	if last {
		c.fail = callLimit(t.options.MaxCalls)
	} else {
		c.fail = c.fill(arguments)
	}
	weight := leastWeight + command.HeldWhole*len(arguments)
	return mcp.Call{Changes: c.fail == nil && c.call.Changes(), Last: last, Weight: weight, Run: c.run, NoRoom: c.noRoom}, nil
}

// mcpCall is one call of a tool.
type mcpCall struct {
	tools *mcpTools
	call  *command.Call
	fail  *answer.Failure // what is wrong with the request
	sent  map[string]bool // names of the members of a request that is wrong
	bound answer.Bound    // of the text form
	most  answer.Bound    // of the answer
}

// fill fills the request from the arguments of the call, nil for none.
func (c *mcpCall) fill(arguments []byte) *answer.Failure {
	var o request.Object
	var fail *answer.Failure
	switch {
	case arguments == nil:
	case arguments[0] == '{':
		o, fail = c.tools.parser.Parse(arguments, "")
	default:
		o, fail = request.ObjectIn("arguments", arguments, c.call.Fields, c.call.Command.Writes, "")
	}
	if fail != nil {
		return fail
	}
	o.Members = request.Without(o.Members, clients.Added())
	if o.ID != nil {
		return request.UnknownField("id", c.call.Fields)
	}
	fail = cmp.Or(c.tools.sess.LeftOut(c.call.Command), c.call.Decode(o))
	if fail != nil {
		c.sent = map[string]bool{}
		for _, m := range o.Members {
			c.sent[m.Name] = true
		}
	}
	return fail
}

// leastWeight is what a call takes for sure, in bytes.
const leastWeight = 2 << 20

// weigh tells how many bytes most calls take beside their arguments. Those that read files whole
// are judged by the files, which may be on a dead mount: then late gets the answer, as in Do.
func (c *mcpCall) weigh(ctx context.Context, sess *session.Session, late func(answer.Answer)) int {
	times, more := 0, 0
	if r, ok := c.call.Request.(command.MemoryEstimator); ok {
		times, more = r.MemoryEstimate()
	} else if c.call.Command.Writes {
		times = command.HeldWhole
	}
	if sess.Abandoned.Hanging.Load() >= session.MaxAbandoned {
		return more
	}
	ctx, cancel := context.WithTimeout(ctx, sess.Limits.Timeout)
	defer cancel()
	weight := func() int {
		if times == 0 {
			return c.nameBytes(ctx)
		}
		return times * c.fileBytes()
	}
	return more + attend.Do(ctx, sess.Abandoned, weight, func() {
		late(sess.Refused(nil, c.call.Command.Name, session.StuckFailure(ctx.Err(), plan.Unchanged)))
	})
}

// nameBytes is how many bytes a walk takes for the names of the folders that a request names: a
// list of them, and half as much for what is made of it. What is below them isn't known yet.
func (c *mcpCall) nameBytes(ctx context.Context) int {
	most := 0
	for _, path := range c.call.Paths() {
		if bytes, err := c.tools.sess.Workspace.NameBytes(ctx, path); err == nil {
			most = max(most, bytes*3/2)
		}
	}
	return most
}

// fileBytes is how many bytes the files of a request have together. A folder, and a request that
// names no path, may be about a file of any size.
func (c *mcpCall) fileBytes() (total int) {
	sess, paths := c.tools.sess, c.call.Paths()
	largest := sess.Limits.MaxReadBytes
	for _, path := range paths {
		st, err := sess.Workspace.Stat(path)
		switch {
		case err != nil || !st.Exists:
			continue
		case st.Target != nil:
			st = st.Target
		}
		if st.Mode.IsDir() {
			return int(largest)
		}
		total += int(min(st.Size, largest))
	}
	if len(paths) == 0 {
		return int(largest)
	}
	return total
}

// run carries the request out.
func (c *mcpCall) run(ctx context.Context, client *mcp.Client, late func(mcp.Result)) mcp.Result {
	sess, env := *c.tools.sess, *c.tools.sess.Env // the call changes them
	sess.Env = &env
	env.ShowsMedia = mcp.IsMedia
	known := clients.Of(client.Name, client.Model)
	env.Bound = env.Settings.Bound(answer.Bound{Most: known.Most, Unit: known.Unit, Both: known.Both})
	env.BothForms = c.tools.options.Structured
	env.TextOnly, env.Beside = true, client.Running
	env.Limits.MaxAnswerChars = env.Bound.Most
	if env.Bound.Unit == textio.JSONChars {
		env.Bound.Most -= resultFrame
	}
	c.most, c.bound = env.Bound, env.BoundWhole()
	if sess.Desk != nil {
		sess.Desk = sess.Desk.AskBy(client, sess.Env, clients.Of(client.Name, client.Model).QuestionRows)
	}
	if sess.Log != nil {
		sess.Log = sess.Log.Of(client.ID, client.Traceparent)
	}
	if c.fail != nil {
		return c.result(sess.RefusedWith(nil, c.call.Command.Name, c.sent, c.fail))
	}
	finish := func(a answer.Answer) { late(c.result(a)) }
	client.Grow(c.weigh(ctx, &sess, finish))
	if client.WantsProgress() {
		ctx = sess.CountWork(ctx)
		go tellProgress(ctx, client, sess.Work)
	}
	return c.result(sess.Do(ctx, nil, c.call, finish))
}

// resultFrame is more than the JSON of a result has around its text and the structured form, in
// characters.
const resultFrame = 250

// progressInterval is how often a client hears how far a call is.
const progressInterval = 500 * time.Millisecond

// tellProgress tells a client again and again how far its call is. ctx ends with the call.
func tellProgress(ctx context.Context, client *mcp.Client, work *command.Work) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(progressInterval):
			done := work.Files.Load() + work.Bytes.Load()>>20 // one number, which grows in one long file as well
			client.Progress(done, workDone(work))
		}
	}
}

// noRoom refuses a call for which there is no memory beside those that wait for a person.
func (c *mcpCall) noRoom() mcp.Result {
	f := answer.Failf(answer.CodeBusy, "the changes that wait for an approval take the memory that this call needs").
		WithHint("nothing was changed; send it again when they are answered")
	f.Retryable = true
	return c.result(c.tools.sess.Refused(nil, c.call.Command.Name, f))
}

// result gives an answer the form of the protocol: an image or a sound as such, anything else as
// text.
func (c *mcpCall) result(a answer.Answer) mcp.Result {
	a.Bound = c.bound
	r := mcp.Result{Failed: !a.Success}
	if bytes, ok := a.Result.(*read.BytesResult); ok && mcp.IsMedia(bytes.MediaType) {
		r.Media, r.MediaType = bytes.Content, bytes.MediaType
	} else {
		r.Text = a.Text()
	}
	if c.tools.options.Structured && a.Success {
		if c.isTooLong(a, r.Text) {
			a = answer.Answer{Success: true, Message: a.Message, Hint: textHasMore}
		}
		r.Structured = func(w io.Writer) { _ = a.Encode(w, false) } // an error is that of the output, which keeps it
	}
	return r
}

// textHasMore is the hint of an answer whose JSON form is too long and has no pages.
const textHasMore = "the result is too long for this form, and the text has more of it"

// isTooLong reports whether the client would cut the JSON form of an answer, which it may count
// beside the text.
func (c *mcpCall) isTooLong(a answer.Answer, text string) bool {
	if c.most.Most == 0 {
		return false
	}
	var size counted
	_ = a.Encode(&size, false) // it takes everything
	n := size.chars
	if c.most.Unit == textio.Bytes {
		n = size.bytes
	}
	if c.most.Both {
		n += int64(c.most.Unit.Len(text))
	}
	return n > c.most.Most
}

// counted counts what is written to it: UTF-8, in pieces that may end amid a character.
type counted struct{ bytes, chars int64 }

func (c *counted) Write(text []byte) (int, error) {
	c.bytes += int64(len(text))
	for _, b := range text {
		if b < 0x80 || b >= 0xC0 { // a character begins
			c.chars++
		}
		if b >= 0xF0 { // which is two units of UTF-16
			c.chars++
		}
	}
	return len(text), nil
}
