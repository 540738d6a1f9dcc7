package mcp

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxRunning is how many calls run at once.
	maxRunning = 8
	// maxWeight is how many bytes of memory the calls that run may take together (Call.Weight). A
	// single call may take more: then it runs alone.
	maxWeight = 48 << 20
	// maxWaiting and maxHeld are how many calls are read ahead, those that run included, and how
	// many bytes their requests may have together. A single request may have more than that.
	maxWaiting = 1024
	maxHeld    = 16 << 20
	// whileAsking multiplies maxWaiting and maxHeld while a call asks the client something: the
	// client's answer may be read only after requests that were sent before it.
	whileAsking = 2
)

// task is a call from the moment it was read.
type task struct {
	id      []byte
	size    int // of its message, in bytes
	weight  int // memory while it runs, in bytes
	call    Call
	client  *Client
	changes []string
	ctx     context.Context
	cancel  context.CancelFunc
	waiters []*task     // that wait for this one
	waits   int         // for how many tasks this one waits
	dropped atomic.Bool // the client has canceled it: no answer is wanted
}

// calls are the calls of one server that have not ended, and the workers: goroutines that do all
// the work. A worker reads a message, and if that is a call carries it out and answers, since to
// pass each call on to another goroutine takes as long as to read a small file. While it carries
// out a call nobody reads; if that takes longer than spareDelay, another worker is started.
type calls struct {
	server  *Server
	ctx     context.Context
	mutex   sync.Mutex
	changed *sync.Cond       // signals fewer tasks, more that ask, or ending
	tasks   map[string]*task // by id, those without an answer
	ready   []*task          // that may run
	busy    int              // tasks that run
	weight  int              // of these tasks together, except those that ask
	reading bool             // a worker reads, or the input has ended
	open    int              // tasks that have not ended
	held    int              // bytes of their requests
	order   order
	asking  int // tasks that wait for an answer of the client
	ending  bool
	spare   *time.Timer // starts another worker
}

// spareDelay is longer than most calls take. Another worker costs as much as a small call.
const spareDelay = 500 * time.Microsecond

func newCalls(ctx context.Context, s *Server) *calls {
	c := &calls{server: s, ctx: ctx, tasks: map[string]*task{}}
	c.changed = sync.NewCond(&c.mutex)
	c.spare = time.AfterFunc(time.Hour, c.work)
	c.spare.Stop()
	return c
}

// work does what is to be done, until there is nothing or another worker reads.
func (c *calls) work() {
	for {
		t, read := c.next()
		switch {
		case t != nil:
			c.run(t)
		case read:
			c.read()
		default:
			return
		}
	}
}

// next is what a worker does next: a task, or to read a message, or nothing.
func (c *calls) next() (t *task, read bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.runs():
		t = c.ready[0]
		c.ready = slices.Delete(c.ready, 0, 1)
		c.busy++
		c.weight += t.weight
		if !c.reading || c.runs() {
			c.spare.Reset(spareDelay)
		}
		return t, false
	case c.reading || c.ending:
		return nil, false
	}
	c.reading = true
	return nil, true
}

// runs tells whether a task is ready, and may run beside those that run already.
func (c *calls) runs() bool {
	return len(c.ready) > 0 && c.busy < maxRunning+c.asking && (c.weight == 0 || c.weight+c.ready[0].weight <= maxWeight)
}

// read reads a message and answers it, or makes it a task.
func (c *calls) read() {
	if err := c.server.read(c.ctx); err != nil {
		c.server.ended <- err
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.reading = false
}

// keyOf is an id as a key: the same text may be written with escapes or without.
func keyOf(id []byte) string {
	if len(id) > 0 && id[0] == '"' {
		return `"` + unquote(id)
	}
	return string(id)
}

// running tells whether a request with this id is under way.
func (c *calls) running(id []byte) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.tasks[keyOf(id)] != nil
}

// begin takes a task over. While too many wait, it waits as well, so that nothing more is read.
func (c *calls) begin(t *task) {
	t.changes, t.weight, t.client.task = t.call.Changes(), t.call.Weight(), t
	t.ctx, t.cancel = context.WithCancel(c.ctx)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.full(t) && !c.ending {
		c.changed.Wait()
	}
	if c.ending {
		return
	}
	c.tasks[keyOf(t.id)] = t
	c.open++
	c.held += t.size
	if c.order.enter(t) {
		c.ready = append(c.ready, t)
	}
}

// full tells that a task has to wait before it is taken over.
func (c *calls) full(t *task) bool {
	times := 1
	if c.asking > 0 {
		times = whileAsking
	}
	return c.open >= times*maxWaiting || c.open > 0 && c.held+t.size > times*maxHeld
}

// run carries out one task, and answers. If the task hangs, another goroutine answers and becomes a
// worker in place of this one.
func (c *calls) run(t *task) {
	if t.dropped.Load() {
		c.end(t)
		return
	}
	result, fail := t.outcome(func(late Result) {
		c.answer(t, late, nil)
		c.work()
	})
	c.answer(t, result, fail)
}

// answer ends a task with an answer, unless the client has canceled it.
func (c *calls) answer(t *task, result Result, fail *failure) {
	t.client.progress.stop()
	switch c.forget(t); {
	case t.dropped.Load():
	case fail != nil:
		c.server.out.fail(t.id, fail)
	default:
		c.server.out.answer(t.id, func(w writer) { t.client.writeResult(w, result) })
	}
	c.end(t)
}

// forget makes the id of a task free again: once it has the answer, the client may use the id for
// its next request.
func (c *calls) forget(t *task) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.tasks[keyOf(t.id)] == t { // else the id is in use again
		delete(c.tasks, keyOf(t.id))
	}
}

// outcome runs the call. A panic is an error of this call alone.
func (t *task) outcome(late func(Result)) (result Result, fail *failure) {
	defer func() {
		if recover() != nil { // the panic's value could hold contents of files
			fail = &failure{code: codeInternal, message: "internal error"}
		}
	}()
	return t.call.Run(t.ctx, t.client, late), nil
}

// end removes a task. What waited only for it may run now.
func (c *calls) end(t *task) {
	t.cancel()
	c.forget(t)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.open--
	c.busy--
	c.weight -= t.weight
	c.held -= t.size
	c.ready = append(c.ready, c.order.leave(t)...)
	c.changed.Broadcast()
}

// cancel stops a call that the client has no use for any more.
func (c *calls) cancel(id []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if t := c.tasks[keyOf(id)]; t != nil {
		t.dropped.Store(true)
		t.client.progress.stop()
		t.cancel()
	}
}

// ask runs wait, in which a task waits for the client, and lets another call run meanwhile.
func (c *calls) ask(t *task, wait func()) {
	c.askers(t, 1)
	defer c.askers(t, -1)
	wait()
}

func (c *calls) askers(t *task, more int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.asking += more
	c.weight -= more * t.weight
	if !c.reading || c.runs() {
		go c.work()
	}
	c.changed.Broadcast()
}

// wait takes no more tasks, and waits until all have ended, at most for the given time. It reports
// whether all have ended.
func (c *calls) wait(most time.Duration) bool {
	end := time.Now().Add(most)
	defer time.AfterFunc(most, c.changed.Broadcast).Stop()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.ending = true
	c.changed.Broadcast()
	for c.open > 0 && time.Now().Before(end) {
		c.changed.Wait()
	}
	return c.open == 0
}
