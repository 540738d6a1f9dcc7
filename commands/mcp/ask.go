package mcp

import (
	"context"
	"strconv"
	"sync"
)

// questions are the requests of this server to a client with a session that the client has not
// answered yet.
type questions struct {
	mutex  sync.Mutex
	last   int
	open   map[string]chan Answer // by id, as JSON
	closed bool
}

// maxQuestions is how many questions may be open: each holds its call and its own text in memory.
const maxQuestions = 32

// add gives a new question an id, and the channel on which its answer will come.
func (q *questions) add() (id string, answer chan Answer, err error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	switch {
	case q.closed:
		return "", nil, ErrEnded
	case len(q.open) == maxQuestions:
		return "", nil, ErrTooMany
	}
	q.last++
	if q.open == nil {
		q.open = map[string]chan Answer{}
	}
	id, answer = `"ask-`+strconv.Itoa(q.last)+`"`, make(chan Answer, 1)
	q.open[id] = answer
	return id, answer, nil
}

// take removes a question, and gives the channel for its answer.
func (q *questions) take(id string) chan Answer {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	answer := q.open[id]
	delete(q.open, id)
	return answer
}

// answer hands an answer to the call that waits for it. An error, and an answer that is wrong,
// counts as no decision.
func (q *questions) answer(m message) {
	if c := q.take(string(m.ID)); c != nil {
		if m.Error != nil {
			m.Result = nil // with both members, the answer is an error
		}
		c <- m.Result.answer()
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
	id, answers, err := s.asked.add()
	if err != nil {
		return a, err
	}
	defer s.asked.take(id)
	s.out.message(func(w writer) {
		q.write(w.head([]byte(id)).add(`,`))
		w.add(`}`)
	})
	s.calls.ask(t, func() { a, err = s.await(ctx, id, answers) })
	return a, err
}

// await waits for the answer to a question. If ctx ends before, the client is told that the
// question is canceled.
func (s *Server) await(ctx context.Context, id string, answers <-chan Answer) (Answer, error) {
	select {
	case answer, ok := <-answers:
		if !ok {
			return Cancel, ErrEnded
		}
		return answer, nil
	case <-ctx.Done():
		s.out.message(func(w writer) {
			w.add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		})
		return Cancel, ctx.Err()
	}
}

// emptyForm has nothing to fill in: to accept it is a yes, to decline it a no.
const emptyForm = `{"type":"object","properties":{}}`

// write writes the method and the parameters of the request that asks.
func (q Question) write(w writer) {
	w.add(`"method":"elicitation/create","params":{"message":`).text(q.Message).add(`,"requestedSchema":` + emptyForm + `}`)
}
