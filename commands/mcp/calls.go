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
	maxWeight = 24 << 20
	// maxWaiting and maxHeld are how many calls are read ahead, those that run included, and how
	// many bytes their requests may have together. A single request may have more than that.
	maxWaiting = 1024
	maxHeld    = 6 << 20
	// maxAllHeld is the same as maxHeld with the calls that wait for the client. Of that, they
	// leave keptForOthers.
	maxAllHeld    = 3 * maxHeld
	keptForOthers = 1 << 20
	// spareDelay is longer than most calls take. Another reader costs as much as a small call.
	spareDelay = 500 * time.Microsecond
	// writeGrace is how long the answers to calls that a signal canceled may take to be written.
	writeGrace = 300 * time.Millisecond
)

// task is a call from the moment it was read.
type task struct {
	Call
	id      value
	size    int // of its message, in bytes
	client  *Client
	ctx     context.Context
	cancel  context.CancelFunc
	start   func()      // called when its turn has come
	dropped atomic.Bool // the client has canceled it: no answer is wanted
}

// calls are the calls of one server that have not ended. They get their turn in the order in which
// they came: several that only read have it together, one that changes something has it alone.
//
// One goroutine at a time reads. It carries out a call itself if that has its turn at once, since
// to pass each call on to another goroutine takes as long as to read a small file. If that takes
// longer than spareDelay, another goroutine becomes the reader.
type calls struct {
	server    *Server
	ctx       context.Context
	mutex     sync.Mutex
	changed   *sync.Cond       // signals fewer tasks, more that ask, or an end
	tasks     map[string]*task // by id, those without an answer
	queue     []*task          // that wait for their turn
	running   int              // tasks that have their turn
	answering int              // of these, those whose call has returned
	weight    int              // of those that have their turn
	changing  bool             // the one that has its turn changes something
	open      int              // tasks that have not ended
	held      int              // bytes of their requests
	asking    int              // tasks that wait for an answer of the client
	askHeld   int              // bytes of their requests
	overdue   bool             // writeGrace is over
	ended     bool             // no task gets its turn any more
	readers   int              // goroutines that have become the reader, so far
	spare     *time.Timer      // makes another goroutine the reader
}

// serve reads messages, and carries out calls, until there are no more or there is another reader.
func (c *calls) serve() {
	c.mutex.Lock()
	c.readers++
	number := c.readers
	c.mutex.Unlock()
	for {
		t, err := c.server.read(c.ctx)
		if err != nil {
			c.server.ended <- err
			return
		}
		if t == nil || !c.enter(t) {
			continue
		}
		c.spare.Reset(spareDelay)
		c.run(t)
		c.mutex.Lock()
		last := c.readers == number && c.spare.Stop() // then the next reader won't come
		c.mutex.Unlock()
		if !last {
			return
		}
	}
}

// underWay tells whether a request with this id is under way.
func (c *calls) underWay(id value) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.tasks[id.key()] != nil
}

// enter takes a task over, and reports whether its turn has come at once. While too many wait for
// their turn, it waits as well, so that nothing more is read. It never waits for a task that asks
// the client: only reading brings the answer. A task that finds no room beside those is refused.
func (c *calls) enter(t *task) bool {
	t.client.task = t
	t.ctx, t.cancel = context.WithCancel(c.ctx)
	fits, atOnce := c.admit(t)
	if !fits {
		t.cancel()
		c.server.out.answer(t.id, func(w writer) { t.client.writeResult(w, t.NoRoom()) })
	}
	return atOnce
}

// admit puts a task into the queue once there is room for it, and reports whether its turn has
// come. fits is false if only the client could make room.
func (c *calls) admit(t *task) (fits, atOnce bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.full(t) && !c.ended {
		c.changed.Wait()
	}
	switch {
	case c.ended:
		return true, false
	case c.asking > 0 && c.held+t.size > maxAllHeld:
		return false, false
	}
	c.tasks[t.id.key()] = t
	c.open++
	c.held += t.size
	t.start = func() { atOnce = true }
	c.queue = append(c.queue, t)
	c.next()
	t.start = func() { go c.run(t) }
	return true, atOnce
}

// quiet waits until no task is open, except those that ask: a message that takes much memory comes
// alone.
func (c *calls) quiet() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.open > c.asking && !c.ended {
		c.changed.Wait()
	}
}

// full tells that a task has to wait before it is taken over: for tasks that end without anything
// more being read.
func (c *calls) full(t *task) bool {
	open, held := c.open-c.asking, c.held-c.askHeld
	return open >= maxWaiting || open > 0 && (held+t.size > maxHeld || c.asking > 0 && c.held+t.size > maxAllHeld)
}

// mayAsk tells whether the requests of the calls that wait for the client leave room for others if
// one more waits.
func (c *calls) mayAsk(t *task) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.asking == 0 || c.askHeld+t.size <= maxAllHeld-keptForOthers
}

// release ends a task's turn. It begins those that come next.
func (c *calls) release(t *task) {
	c.running--
	c.weight -= t.Weight
	c.changing = false
	c.next()
	c.changed.Broadcast()
}

// next begins the turns that may begin now.
func (c *calls) next() {
	for len(c.queue) > 0 && !c.ended {
		t := c.queue[0]
		beside := !c.changing && !t.Changes && c.running < maxRunning && c.weight+t.Weight <= maxWeight
		if c.running > 0 && !beside {
			return
		}
		c.queue = slices.Delete(c.queue, 0, 1)
		c.running++
		c.weight += t.Weight
		c.changing = t.Changes
		t.start()
	}
}

// run carries out one task, and answers. If the task hangs, another goroutine answers.
func (c *calls) run(t *task) {
	var result Result
	var fail *failure
	if !t.dropped.Load() {
		result, fail = t.outcome(func(late Result) { c.answer(t, late, nil) })
	}
	c.answer(t, result, fail)
}

// outcome runs the call. A panic is an error of this call alone.
func (t *task) outcome(late func(Result)) (result Result, fail *failure) {
	defer func() {
		if recover() != nil { // the panic's value could hold contents of files
			fail = &failure{code: codeInternal, message: "internal error"}
		}
	}()
	return t.Run(t.ctx, t.client, late), nil
}

// answer ends a task with an answer, unless the client has canceled it. The id is free again before
// that: once it has the answer, the client may use the id for its next request.
func (c *calls) answer(t *task, result Result, fail *failure) {
	if t.client.token != nil {
		t.client.progress.stop()
	}
	c.mutex.Lock()
	delete(c.tasks, t.id.key())
	c.answering++
	c.changed.Broadcast()
	c.mutex.Unlock()
	switch {
	case t.dropped.Load():
	case fail != nil:
		c.server.out.fail(t.id, fail)
	default:
		c.server.out.answer(t.id, func(w writer) { t.client.writeResult(w, result) })
	}
	t.cancel()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.answering--
	c.open--
	c.held -= t.size
	c.release(t)
}

// cancel stops a call that the client has no use for any more.
func (c *calls) cancel(id value) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if t := c.tasks[id.key()]; t != nil {
		t.dropped.Store(true)
		t.client.progress.stop()
		t.cancel()
	}
}

// ask runs wait, in which a task waits for the client. The task's turn is over meanwhile, and the
// next one is its own again.
func (c *calls) ask(t *task, wait func()) {
	c.mutex.Lock()
	c.asking++
	c.askHeld += t.size
	c.release(t)
	c.mutex.Unlock()
	wait()
	c.mutex.Lock()
	c.asking--
	c.askHeld -= t.size
	turn := c.again(t)
	c.next()
	c.mutex.Unlock()
	<-turn
}

// again puts a task first in the queue. Its turn has come when the channel is closed.
func (c *calls) again(t *task) <-chan struct{} {
	turn := make(chan struct{})
	t.start = func() { close(turn) }
	c.queue = slices.Insert(c.queue, 0, t)
	return turn
}

// Grow tells that the call takes so many more bytes of memory. If that is too much beside the
// others, its turn is over, and the next one is its own again.
func (cl *Client) Grow(bytes int) {
	c, t := cl.server.calls, cl.task
	c.mutex.Lock()
	c.weight += bytes
	t.Weight += bytes
	if c.running == 1 || c.weight <= maxWeight {
		c.mutex.Unlock()
		return
	}
	turn := c.again(t)
	c.release(t)
	c.mutex.Unlock()
	<-turn
}

// Running is how many calls run at once, this one included.
func (cl *Client) Running() int {
	c := cl.server.calls
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.running
}

// finish waits until all calls have ended. Once ctx has ended, the answers have writeGrace to be
// written, since nobody may be reading them; but no call is left in the middle of its work.
func (c *calls) finish(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { time.AfterFunc(writeGrace, c.giveUp) })()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for c.open > 0 && !(c.overdue && c.running == c.answering) {
		c.changed.Wait()
	}
	c.ended = true
	c.changed.Broadcast()
}

func (c *calls) giveUp() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.overdue = true
	c.changed.Broadcast()
}
