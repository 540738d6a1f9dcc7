package mcp

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"fsbox/commands/stream"

	"github.com/go-json-experiment/json/jsontext"
)

// Server serves one client.
type Server struct {
	about   About
	tools   Tools
	in      *stream.Lines // used only by the goroutine that reads, as are session and last
	out     *output
	session *era // that initialize began, nil before
	last    bool // a call that ends the session has been read
	calls   *calls
	asked   questions
	states  *states
	ended   chan error // why nothing more is read
}

// Serve reads messages from in and writes answers to out, until in ends, ctx ends, a call says that
// it is the last one, or out can't be written any more. The error is nil after the end of in, and
// ErrLast after a last call: then all calls that were read have been carried out. Else the calls
// under way are canceled. It doesn't wait for a read that hangs.
func Serve(ctx context.Context, in io.Reader, out io.Writer, tools Tools, about About) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &Server{about: about, tools: tools, ended: make(chan error, 1), asked: questions{open: map[string]chan Answer{}}, states: newStates()}
	s.out = &output{w: bufio.NewWriterSize(out, 64<<10),
		broken: func(err error) { cancel(fmt.Errorf("write an answer: %w", err)) }}
	s.calls = &calls{server: s, ctx: ctx, tasks: map[string]*task{}}
	s.calls.changed = sync.NewCond(&s.calls.mutex)
	s.calls.spare = time.AfterFunc(time.Hour, s.calls.serve)
	s.calls.spare.Stop()
	s.in = stream.NewLines(in, s.calls.quiet)
	go s.calls.serve() // may hang in a read for ever
	var err error
	select {
	case <-ctx.Done():
	case err = <-s.ended:
	}
	s.asked.close()
	s.calls.finish(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == io.EOF:
		return nil
	}
	return err
}

// ErrLast tells that a call ended the session.
const ErrLast = constantError("a call ended the session")

// read reads and handles one message. It gives the call that the message begins, nil if there is
// none.
func (s *Server) read(ctx context.Context) (*task, error) {
	if s.last {
		return nil, ErrLast
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	line, err := s.in.Next()
	switch {
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("read a message: %w", err)
	case line.Long:
		fail := invalid(fmt.Sprintf("the message is longer than %d bytes: split it", stream.MaxBytes))
		return s.handle(message{ID: idOfLong(line.Text, line.End)}, fail, 0), nil
	}
	text := bytes.TrimSpace(line.Text)
	m, fail := parse(text)
	return s.handle(m, fail, len(text)), nil
}

// handle answers one message of size bytes, or gives the call that will answer it.
func (s *Server) handle(m message, fail *failure, size int) *task {
	switch {
	case m.answers:
		s.asked.answer(m, fail)
	case m.ID == nil && m.Method != "": // nobody answers a notification, not even a wrong one
		if m.Method == "notifications/cancelled" && fail == nil {
			s.calls.cancel(m.Params.RequestID)
		}
	case fail != nil:
		s.asked.answer(m, fail) // it has the id of a question, perhaps
		s.out.fail(m.ID, fail)
	case s.calls.underWay(m.ID):
		s.out.fail(m.ID, invalid("another request with this id is under way"))
	default:
		return s.request(m, size)
	}
	return nil
}

// request answers a request, or gives the call that will answer it.
func (s *Server) request(m message, size int) (t *task) {
	var result func(writer)
	e, fail := s.eraOf(m)
	switch {
	case fail != nil:
	case m.Method == "initialize" && !e.modern:
		result, fail = s.initialize(m)
	case m.Method == "ping" && !e.modern:
		result = func(writer) {}
	case m.Method == "tools/call":
		t, fail = s.call(m, e, size)
	case m.Method == "tools/list":
		result, fail = s.list(m, e)
	case m.Method == "server/discover" && e.modern:
		result = s.discover
	default:
		fail = &failure{code: codeNoMethod, message: fmt.Sprintf("there is no method %q", m.Method)}
	}
	switch {
	case fail != nil:
		s.out.fail(m.ID, fail)
	case result != nil:
		s.out.answer(m.ID, result)
	}
	return t
}

// call makes a call of a tool ready to run.
func (s *Server) call(m message, e era, size int) (*task, *failure) {
	p := m.Params
	switch {
	case p.Name == "":
		return nil, badParams(`"name" is missing`)
	case p.Meta.ProgressToken == nil:
	case !p.Meta.ProgressToken.given():
		p.Meta.ProgressToken = nil
	case !p.Meta.ProgressToken.isID():
		return nil, badParams(`"progressToken" must be a string or an integer`)
	}
	call, err := s.tools.Prepare(string(p.Name), m.arguments)
	if err != nil {
		return nil, badParams(err.Error())
	}
	client := &Client{ID: m.ID, Name: e.client, Model: p.Meta.Turn.model, Traceparent: unquote(jsontext.Value(p.Meta.Traceparent)),
		server: s, era: e, token: p.Meta.ProgressToken, responses: p.Responses, state: unquote(jsontext.Value(p.State))}
	s.last = call.Last
	return &task{Call: call, id: m.ID, size: size, client: client}, nil
}
