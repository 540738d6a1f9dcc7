package mcp

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// How long the end of the input takes: calls under way may finish in endGrace, and once they are
// canceled they have cancelGrace. Together that is less than a second.
const (
	endGrace    = 500 * time.Millisecond
	cancelGrace = 300 * time.Millisecond
)

// Server serves one client.
type Server struct {
	about   About
	tools   Tools
	in      *lines // used only by the worker that reads, as are parsing, session and last
	parsing decoder
	out     *output
	session *era // that initialize began, nil before
	last    bool // a call that ends the session has been read
	calls   *calls
	asked   questions
	cancel  context.CancelFunc
	ended   chan error            // why nothing more is read
	broken  atomic.Pointer[error] // what the output failed with
}

// Serve reads messages from in and writes answers to out, until in ends, ctx ends, a call says that
// it is the last one, or out can't be written any more. The error is nil after the end of in, and
// ErrLast after a last call. It doesn't wait for a read or a call that hangs.
func Serve(ctx context.Context, in io.Reader, out io.Writer, tools Tools, about About) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &Server{about: about, tools: tools, cancel: cancel, in: newLines(in), ended: make(chan error, 1)}
	s.out = newOutput(out, func(err error) {
		s.broken.CompareAndSwap(nil, &err)
		cancel()
	})
	s.calls = newCalls(ctx, s)
	go s.calls.work() // may hang in a read for ever
	var err error
	select {
	case <-ctx.Done():
		err = context.Cause(ctx)
	case err = <-s.ended:
	}
	s.finish()
	if broken := s.broken.Load(); broken != nil {
		return fmt.Errorf("write an answer: %w", *broken)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// ErrLast tells that a call ended the session.
const ErrLast = constantError("a call ended the session")

// finish lets the calls under way end.
func (s *Server) finish() {
	s.asked.close()
	if s.calls.wait(endGrace) {
		return
	}
	s.cancel()
	s.calls.wait(cancelGrace)
}

// read reads and handles one message.
func (s *Server) read(ctx context.Context) error {
	if s.last {
		return ErrLast
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	line, err := s.in.next()
	switch {
	case err == io.EOF:
		return err
	case err != nil:
		return fmt.Errorf("read a message: %w", err)
	case line.long:
		s.out.fail(idOfLong(line), invalid(fmt.Sprintf("the message is longer than %d bytes: split it", maxLine)))
	case line.text[0] == '[':
		s.handleAll(line.text)
	default:
		m, fail := s.parsing.parse(line.text)
		s.handle(m, fail, len(line.text))
	}
	return nil
}

// handleAll handles the messages of an array, which one version of the protocol had. Each is
// answered by itself, as if it had come in a line of its own.
func (s *Server) handleAll(text []byte) {
	all, fail := elements(text)
	if fail == nil && (s.session == nil || s.session.version != arrayVersion) {
		fail = invalid("send one message a line, not an array of them: only version " + arrayVersion + " has arrays")
	}
	if fail != nil {
		s.out.fail(nil, fail)
		return
	}
	for _, one := range all {
		if s.last {
			return
		}
		m, fail := s.parsing.parse(one)
		if m.method == "initialize" {
			fail = invalid(`"initialize" can't be in an array`)
		}
		s.handle(m, fail, len(one))
	}
}

// handle answers one message of size bytes, or begins the call that will answer it.
func (s *Server) handle(m message, fail *failure, size int) {
	switch {
	case m.answers && fail == nil:
		s.asked.answer(m)
	case m.id == nil && m.method != "": // nobody answers a notification, not even a wrong one
		if m.method == "notifications/cancelled" {
			s.calls.cancel(m.params.requestID)
		}
	case fail != nil:
		s.out.fail(m.id, fail)
	case s.calls.running(m.id):
		s.out.fail(m.id, invalid("another request with this id is under way"))
	default:
		s.request(m, size)
	}
}

// request answers a request.
func (s *Server) request(m message, size int) {
	result, fail := s.open(m)
	if result != nil {
		s.out.answer(m.id, result)
		return
	}
	var e era
	if fail == nil {
		e, fail = s.eraOf(m)
	}
	if fail == nil {
		result, fail = s.method(m, e, size)
	}
	switch {
	case fail != nil:
		s.out.fail(m.id, fail)
	case result != nil:
		s.out.answer(m.id, result)
	}
}

// open answers ping, which needs no session, and initialize, which begins one. The era without
// sessions has neither.
func (s *Server) open(m message) (func(writer), *failure) {
	switch {
	case m.params.meta.modern():
		return nil, nil
	case m.method == "initialize":
		return s.initialize(m)
	case m.method == "ping":
		return func(writer) {}, nil
	}
	return nil, nil
}

// method answers a request by its method. A call of a tool has neither result nor failure: its
// answer comes later.
func (s *Server) method(m message, e era, size int) (func(writer), *failure) {
	switch {
	case m.method == "tools/call":
		return nil, s.call(m, e, size)
	case m.method == "tools/list":
		return s.list(m, e)
	case m.method == "server/discover" && e.modern:
		return s.discover, nil
	}
	return nil, &failure{code: codeNoMethod, message: fmt.Sprintf("there is no method %q", m.method)}
}

// call begins a call of a tool.
func (s *Server) call(m message, e era, size int) *failure {
	p := m.params
	switch {
	case len(p.name) == 0 || p.name[0] != '"':
		return badParams(`"name" must be a string`)
	case p.arguments != nil && p.arguments[0] != '{':
		return badParams(`"arguments" must be an object`)
	case p.meta.progressToken != nil && !isID(p.meta.progressToken):
		return badParams(`"progressToken" must be a string or an integer`)
	}
	call, err := s.tools.Prepare(word(p.name), p.arguments)
	if err != nil {
		return badParams(err.Error())
	}
	client := &Client{server: s, id: m.id, trace: p.meta.traceparent, era: e, token: p.meta.progressToken, responses: p.responses}
	s.last = call.Last()
	s.calls.begin(&task{id: m.id, size: size, call: call, client: client})
	return nil
}
