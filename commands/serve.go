package commands

import (
	"cmp"
	"context"
	"io"
	"os"
	"reflect"
	"sync/atomic"

	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/hint"
	"fsbox/commands/patch"
	"fsbox/commands/request"
	"fsbox/commands/session"
	"fsbox/commands/stream"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json/jsontext"
)

// incoming is one request of a stream, or the reason why it could not be read.
type incoming struct {
	object request.Object
	fail   *answer.Failure
}

// serveObjects answers a stream of JSON objects for one tool, one line each.
func (p Program) serveObjects(ctx context.Context, sess *session.Session, t command.Command) int {
	p.stream = true
	handle := func(r incoming, late func(answer.Answer)) (answer.Answer, bool) {
		return answerObject(ctx, sess, r.object.ID, t, r.object, late), true
	}
	status, count := p.serve(ctx, &serving{sess: sess, tool: t.Name, next: requestObjects(stream.NewFramer(p.Stdin)), handle: handle})
	if count == 0 && ctx.Err() == nil {
		return p.fail(noRequest(t))
	}
	return status
}

// requestObjects reads requests that are objects, on one line or several.
func requestObjects(in *stream.Framer) (next func() (incoming, error)) {
	parser := new(request.ObjectParser)
	return func() (r incoming, err error) {
		f, err := in.NextObject()
		if r.fail = tooLarge(f.Long); err != nil || r.fail != nil {
			return r, err
		}
		if r.object, r.fail = parser.Parse(f.Text, ""); r.fail != nil {
			in.GiveUpLine(f)
		}
		return r, nil
	}
}

// tooLarge refuses a request that is too long, and is nil for any other.
func tooLarge(is bool) *answer.Failure {
	if !is {
		return nil
	}
	return answer.Failf(answer.CodeInvalidInput, "the request is larger than %d bytes", stream.MaxBytes).
		WithHint("split it: write the first part, then append the others")
}

// noRequest is the failure for an empty standard input.
func noRequest(t command.Command) *answer.Failure {
	c := command.NewCall(t)
	if _, ok := c.Request.(command.TextRequest); ok {
		return answer.Failf(answer.CodeInvalidInput, "standard input is empty: it holds neither a %s nor a request", t.Name).
			WithHint(patch.HintEmptyPatch)
	}
	f := answer.Failf(answer.CodeInvalidInput, "standard input holds no request")
	if c.LacksArgument() {
		return f.WithHint("%s: see fsbox %s --help", c.LineForm(), t.Name)
	}
	return f.WithHint("send {} there, or omit \"-\": %s needs no arguments", t.Name)
}

// batchLine is one request of batch.
type batchLine struct {
	Tool  string         `json:"tool" need:""`
	Input request.Object `json:"input"`
	other jsontext.Value // an input that is no object
}

// serveBatch answers one request a line, tools mixed.
func (p Program) serveBatch(ctx context.Context, sess *session.Session, b cmdline.Batch) int {
	sess.Kept = new(command.Kept)
	if b.MaxCalls < 0 {
		return p.fail(answer.Failf(answer.CodeInvalidInput, "%q can't be negative", "max_calls"))
	}
	in, parser := stream.NewLines(p.Stdin, func() {}), new(request.ObjectParser)
	next := func() (r incoming, err error) {
		line, err := in.Next()
		if r.fail = tooLarge(line.Long); err == nil && r.fail == nil {
			r.object, r.fail = parser.Parse(line.Text, "input")
		}
		return r, err
	}
	calls := 0
	status, _ := p.serve(ctx, &serving{sess: sess, next: next, handle: func(r incoming, late func(answer.Answer)) (answer.Answer, bool) {
		if calls++; b.MaxCalls > 0 && calls > b.MaxCalls {
			return sess.Refused(r.object.ID, "", callLimit(b.MaxCalls)), false
		}
		return p.answerLine(ctx, sess, r.object, late), true
	}})
	return status
}

func callLimit(most int) *answer.Failure {
	return answer.Failf(answer.CodeCallLimit, "the limit of %s is reached", words.Plural(int64(most), "call")).WithHint("start a new session")
}

// answerLine carries out one line of batch.
func (p Program) answerLine(ctx context.Context, sess *session.Session, o request.Object, late func(answer.Answer)) answer.Answer {
	var line batchLine
	if err := line.decode(o); err != nil {
		return sess.Refused(o.ID, line.Tool, err)
	}
	t, ok := command.FindLoosely(p.Commands, line.Tool)
	if !ok {
		if line.Tool == command.BatchName {
			return sess.Refused(o.ID, line.Tool, answer.Failf(answer.CodeUnknownTool, "%q can't be in a line of batch", command.BatchName).
				WithHint("give each of its lines a line here"))
		}
		return sess.Refused(o.ID, line.Tool, sess.Unknown(line.Tool, sess.Commands, sess.Commands))
	}
	if line.other != nil {
		var fail *answer.Failure
		if line.Input, fail = request.ObjectIn("input", line.other, fieldsOf(t), t.Writes, hint.BatchLine); fail != nil {
			return sess.Refused(o.ID, line.Tool, fail)
		}
	}
	if line.Input.ID != nil {
		return sess.Refused(o.ID, line.Tool, answer.Failf(answer.CodeInvalidInput, "unknown field %q", "id").
			WithHint("%s", cmp.Or(request.Elsewhere("id", fieldsOf(t)), `the "id" goes beside "tool"`)))
	}
	return answerObject(ctx, sess, o.ID, t, line.Input, late)
}

func fieldsOf(t command.Command) []request.Field {
	return request.Fields(reflect.TypeOf(t.New()).Elem())
}

func (l *batchLine) decode(o request.Object) *answer.Failure {
	for _, m := range o.Members {
		switch {
		case m.Inner != nil:
			l.Input = *m.Inner
		case m.Name == "input" && m.Value.Kind() != 'n':
			l.other = m.Value
		case m.Name == "tool" && m.Value.Kind() == '"':
			l.Tool = request.WordOf(m.Value)
		case m.Name == "tool":
			return answer.Failf(answer.CodeInvalidInput, "%q must be a string, not %s", m.Name, request.KindName(m.Value.Kind())).
				WithHint(hint.BatchLine)
		case m.Name != "input" && !m.IsIdle():
			return request.UnknownField(m.Name, request.Fields(reflect.TypeFor[batchLine]()))
		}
	}
	if l.Tool == "" {
		return answer.Failf(answer.CodeInvalidInput, "%q is missing", "tool").WithHint(hint.BatchLine)
	}
	return nil
}

// serving answers one request after the other. One goroutine at a time does all of it: it reads a
// request, carries it out and writes the answer. If a call hangs, another goroutine goes on.
type serving struct {
	next   func() (incoming, error)
	handle func(r incoming, late func(answer.Answer)) (a answer.Answer, more bool)
	sess   *session.Session
	tool   string // that all requests are for, "" if each names its own
	out    *answer.Output
	busy   atomic.Bool // false while it waits for a request
	ended  chan struct{}
	status int // of the worst answer
	count  int // of answers
}

// serve answers the requests of a stream, and gives the exit status and the number of answers. A
// signal ends it, also while it waits for input: the goroutine that may hang in a read for ever is
// then left as it is.
func (p Program) serve(ctx context.Context, s *serving) (status, count int) {
	s.out, s.ended = answer.NewOutput(p.Stdout, p.format, true, p.bound, os.LookupEnv), make(chan struct{})
	go s.run(ctx)
	select {
	case <-s.ended:
	case <-ctx.Done():
		if s.busy.Load() { // else what comes in from now on is not carried out
			<-s.ended
		}
	}
	if ctx.Err() != nil {
		s.status = max(s.status, 1)
	}
	return s.status, s.count
}

func (s *serving) run(ctx context.Context) {
	for s.step(ctx) {
	}
	close(s.ended)
}

// step answers the next request, and reports whether there may be another one.
func (s *serving) step(ctx context.Context) (more bool) {
	s.busy.Store(false)
	if ctx.Err() != nil {
		return false
	}
	r, err := s.next()
	s.busy.Store(true)
	switch {
	case err == io.EOF, ctx.Err() != nil:
		return false
	case err != nil:
		return s.answer(answer.Failed(nil, answer.Failf(answer.CodeIOError, "standard input can't be read: %v", err), nil), false)
	case r.fail != nil:
		return s.answer(s.sess.Refused(r.object.ID, s.tool, r.fail), true)
	}
	return s.answer(s.handle(r, func(a answer.Answer) {
		if s.answer(a, true) {
			s.run(ctx)
		} else {
			close(s.ended)
		}
	}))
}

// answer writes an answer. If nobody reads any more, nothing further may be changed.
func (s *serving) answer(a answer.Answer, more bool) bool {
	s.count++
	s.status = max(s.status, a.ExitStatus())
	if err := s.out.Answer(a); err != nil {
		s.status, more = max(s.status, 1), false
	}
	return more
}
