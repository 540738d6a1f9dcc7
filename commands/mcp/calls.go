package mcp

import (
	"bufio"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxRunning is how many calls run at once.
	maxRunning = 8
	// maxWaiting and maxHeld are how many calls are read ahead, those that run included, and how many
	// bytes their requests may have together. A single request may have more than that.
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
	call    Call
	client  *Client
	changes []string
	ctx     context.Context
	cancel  context.CancelFunc
	before  []*task     // tasks that wait for this one
	after   int         // how many this one waits for
	dropped atomic.Bool // the client has canceled it: no answer is wanted
}

// calls are the calls of one server that have not ended.
type calls struct {
	server  *Server
	ctx     context.Context
	ready   chan *task
	mutex   sync.Mutex
	changed *sync.Cond       // fewer tasks, or more that ask
	tasks   map[string]*task // by id, those without an answer
	open    int              // tasks that have not ended
	held    int              // bytes of their requests
	order   order
	workers int // goroutines that take tasks
	asking  int // tasks that wait for an answer of the client
	ending  bool

	idle atomic.Int32 // workers without a task
}

func newCalls(ctx context.Context, s *Server) *calls {
	c := &calls{server: s, ctx: ctx, tasks: map[string]*task{}}
	c.ready = make(chan *task, whileAsking*maxWaiting)
	c.changed = sync.NewCond(&c.mutex)
	return c
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
	t.changes = t.call.Changes()
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
		c.start(t)
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

// start hands a task to a worker.
func (c *calls) start(t *task) {
	c.ready <- t // there is space for all tasks
	if len(c.ready) > int(c.idle.Load()) {
		c.hire()
	}
}

// hire begins one more worker if there may be one more.
func (c *calls) hire() {
	if c.workers < maxRunning+c.asking {
		c.workers++
		go c.work()
	}
}

// work carries out one task after the other.
func (c *calls) work() {
	for {
		c.idle.Add(1)
		select {
		case t := <-c.ready:
			c.idle.Add(-1)
			c.run(t)
			if c.retire() {
				return
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// retire ends a worker that took the place of one which asks.
func (c *calls) retire() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.workers <= maxRunning+c.asking {
		return false
	}
	c.workers--
	return true
}

// run carries out one task, and answers unless the client has canceled it.
func (c *calls) run(t *task) {
	defer c.end(t)
	if t.dropped.Load() {
		return
	}
	result, fail := t.outcome()
	t.client.progress.stop()
	switch c.forget(t); {
	case t.dropped.Load():
	case fail != nil:
		c.server.out.fail(t.id, fail)
	default:
		c.server.out.message(func(w *bufio.Writer) { t.client.writeResult(w, t.id, result) })
	}
}

// forget makes the id of a task free again: with the answer, the client may use it for the next.
func (c *calls) forget(t *task) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.tasks[keyOf(t.id)] == t { // else the id is in use again
		delete(c.tasks, keyOf(t.id))
	}
}

// outcome runs the call. A panic is an error of this call alone.
func (t *task) outcome() (result Result, fail *failure) {
	defer func() {
		if recover() != nil { // what it says could hold contents of files
			fail = &failure{code: codeInternal, message: "internal error"}
		}
	}()
	return t.call.Run(t.ctx, t.client), nil
}

// end begins what waited for a task.
func (c *calls) end(t *task) {
	t.cancel()
	c.forget(t)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.open--
	c.held -= t.size
	for _, later := range c.order.leave(t) {
		c.start(later)
	}
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

// ask runs wait, which waits for the client, and lets another call run meanwhile.
func (c *calls) ask(wait func()) {
	c.askers(1)
	defer c.askers(-1)
	wait()
}

func (c *calls) askers(more int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.asking += more
	if len(c.ready) > 0 {
		c.hire()
	}
	c.changed.Broadcast()
}

// wait takes no more tasks, and waits for those that there are. It reports whether all have ended.
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
