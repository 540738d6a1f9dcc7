package mcp

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
)

// Client is what a running call may ask of the client that made it.
type Client struct {
	ID          []byte // of the request that made the call: a string or an integer, as JSON
	Name        string // that the client gives itself, "" for none or an unfit one
	Model       string // that made the call, as far as the client says
	Traceparent string // as the request has it, in the form of the W3C Trace Context, or anything else: it is not checked

	server    *Server
	task      *task // that may ask
	era       era
	token     value                // for progress, nil if none is wanted
	responses map[string]*response // to questions of an earlier try
	state     string               // that came with those questions
	progress  progress
	later     atomic.Pointer[Question] // to be asked by the answer to this try
}

// WantsProgress tells whether the client wants to hear how far the call is.
func (c *Client) WantsProgress() bool { return c.token != nil }

// Progress tells the client how far the call is, if it wants to know. It sends nothing if done
// hasn't grown since the last time, or if the call has ended.
func (c *Client) Progress(done int64, message string) {
	c.progress.mutex.Lock()
	defer c.progress.mutex.Unlock()
	if c.token == nil || c.progress.stopped || done <= c.progress.done {
		return
	}
	c.progress.done = done
	c.server.out.message(func(w writer) {
		w.add(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`).raw(c.token)
		w.add(`,"progress":`).number(done).add(`,"message":`).text(message).add(`}}`)
	})
}

// progress is what the client was told last.
type progress struct {
	mutex   sync.Mutex
	done    int64
	stopped bool
}

func (p *progress) stop() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stopped = true
}

// Question is a yes-or-no question to the person who uses the client. No and Yes are the titles of
// the answers.
type Question struct {
	Key     string // names it among the questions of the call
	Message string
	No, Yes string
}

// Answer is the client's answer. Who gave it can't be known: many clients answer by themselves.
type Answer int

// The answers that there are.
const (
	Cancel  Answer = iota // no decision
	Decline               // also a form that is filled in without the one word that is a yes
	Accept
)

// CanAsk tells whether the client can put questions to a person.
func (c *Client) CanAsk() bool { return c.era.asks }

// Ask puts a question to the person who uses the client. In the era with sessions it waits for the
// answer. In the other era, the first try of a call gets ErrAsked. Whatever that try returns, the
// client gets the question instead. It then makes the call again, with the person's answer, which
// Ask returns once: for another call the question is asked anew.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) {
	if !c.era.asks {
		return Cancel, ErrCannotAsk
	}
	if !c.era.modern {
		return c.server.ask(ctx, c.task, q)
	}
	r, isAnswered := c.responses[q.Key]
	if !isAnswered {
		c.later.Store(&q)
		return Cancel, ErrAsked
	}
	switch err := c.server.states.use(c.state, q.Key); err {
	case nil:
		return r.answer(), nil
	case errState:
		c.later.Store(&q)
		return Cancel, ErrAsked
	default:
		return Cancel, err
	}
}

// What Ask can fail with, besides the error of its context.
const (
	ErrAsked     = constantError("the question goes to the client with the answer to this call")
	ErrCannotAsk = constantError("the client can't ask anybody")
	ErrEnded     = constantError("the session has ended")
	ErrTooMany   = constantError("the client has too many open questions already")
)

// constantError is an error that costs nothing at the start of the program.
type constantError string

func (e constantError) Error() string { return string(e) }

// questions are the requests of this server to a client with a session that the client has not
// answered yet.
type questions struct {
	mutex  sync.Mutex
	last   int
	open   map[string]chan Answer // by the key of the id
	closed bool
}

// maxQuestions is how many questions may be open: each holds its call and its own text in memory.
const maxQuestions = 32

// add gives a new question an id, and the channel on which its answer will come.
func (q *questions) add() (id value, answer chan Answer, err error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	switch {
	case q.closed:
		return nil, nil, ErrEnded
	case len(q.open) == maxQuestions:
		return nil, nil, ErrTooMany
	}
	q.last++
	id, answer = value(`"ask-`+strconv.Itoa(q.last)+`"`), make(chan Answer, 1)
	q.open[id.key()] = answer
	return id, answer, nil
}

// take removes a question, and gives the channel for its answer.
func (q *questions) take(id value) chan Answer {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	answer := q.open[id.key()]
	delete(q.open, id.key())
	return answer
}

// answer hands an answer to the call that waits for it. An error, and a message that is wrong in
// any way, counts as no decision.
func (q *questions) answer(m message, fail *failure) {
	if c := q.take(m.ID); c != nil {
		if m.Error != nil || fail != nil { // with both members, the answer is an error
			m.Result.response = nil
		}
		c <- m.Result.response.answer()
	}
}

// close ends all questions: nobody can answer any more.
func (q *questions) close() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.closed = true
	for _, answer := range q.open {
		close(answer)
	}
	q.open = nil
}

// ask sends a question and waits for its answer.
func (s *Server) ask(ctx context.Context, t *task, q Question) (a Answer, err error) {
	if !s.calls.mayAsk(t) {
		return a, ErrTooMany
	}
	id, answers, err := s.asked.add()
	if err != nil {
		return a, err
	}
	defer s.asked.take(id)
	s.out.message(func(w writer) {
		q.write(w.head(id).add(`,`))
		w.add(`}`)
	})
	s.calls.ask(t, func() { a, err = s.await(ctx, id, answers) })
	return a, err
}

// await waits for the answer to a question. If ctx ends before, the client is told that the
// question is canceled.
func (s *Server) await(ctx context.Context, id value, answers <-chan Answer) (Answer, error) {
	select {
	case answer, ok := <-answers:
		if !ok {
			return Cancel, ErrEnded
		}
		return answer, nil
	case <-ctx.Done():
		s.out.message(func(w writer) {
			w.add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`).raw(id).add(`}}`)
		})
		return Cancel, ctx.Err()
	}
}

// The form that a client shows has one field, which must be set and has no default, since some
// clients answer a form without fields by themselves. No comes first, so that Enter alone is never
// a yes.
const (
	formBegin = `,"requestedSchema":{"type":"object","properties":{"` + decisionName + `":{"type":"string","title":"Decision","oneOf":[` +
		`{"const":"` + decisionNo + `","title":`
	formMiddle = `},{"const":"` + decisionYes + `","title":`
	formEnd    = `}]}},"required":["` + decisionName + `"]}}`

	decisionName, decisionNo, decisionYes = "decision", "no", "yes"
)

// write writes the method and the parameters of the request that asks.
func (q Question) write(w writer) {
	w.add(`"method":"elicitation/create","params":{"message":`).text(q.Message)
	w.add(formBegin).text(q.No).add(formMiddle).text(q.Yes).add(formEnd)
}
