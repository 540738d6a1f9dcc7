// Package attend runs calls that may hang in a system call, as on a dead network mount: where one
// hasn't returned soon after its time is up, another goroutine goes on without it. It knows nothing
// of what the calls do.
package attend

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// answerGrace is how long a call may take to end once its time is up or it is canceled. A call that
// isn't stuck ends much sooner. The answer must be out half a second after the deadline. The rest
// of that half second is for look to notice the call, and for writing the answer.
const answerGrace = 250 * time.Millisecond

// lookInterval is how often look checks the calls that run. A timer for each call would take a
// twentieth of the time of a short call.
const lookInterval = 50 * time.Millisecond

// Abandoned counts the calls that hang: they were answered with timeout or canceled, but still run.
// It finds them in its list of running calls. Searches that hang are counted by Add.
type Abandoned struct {
	Hanging atomic.Int32
	mutex   sync.Mutex
	running []*attended
	looks   bool // look is going to be called
}

// attended is a call that runs.
type attended struct {
	ctx   context.Context
	late  func()
	since time.Time // when ctx was seen to have ended
}

// Add counts what hangs, such as a walk, until ended is closed.
func (a *Abandoned) Add(ended <-chan struct{}) {
	a.Hanging.Add(1)
	go func() {
		<-ended
		a.Hanging.Add(-1)
	}()
}

// Do runs do in the current goroutine: to pass it to another one and back makes a batch of small
// reads 39 % slower (2026-11-29). A system call on a dead mount can't be interrupted: if do has not
// returned soon after ctx has ended, another goroutine runs late and continues from there. The
// current one then ends when do returns.
func Do[T any](ctx context.Context, a *Abandoned, do func() T, late func()) T {
	c := &attended{ctx: ctx, late: late}
	a.mutex.Lock()
	a.running = append(a.running, c)
	if !a.looks {
		a.looks = true
		time.AfterFunc(lookInterval, a.look)
	}
	a.mutex.Unlock()
	result := do()
	a.mutex.Lock()
	at := slices.Index(a.running, c)
	if at >= 0 {
		a.running = slices.Delete(a.running, at, at+1)
	}
	a.mutex.Unlock()
	if at < 0 { // it has been abandoned
		a.Hanging.Add(-1)
		runtime.Goexit()
	}
	return result
}

// look abandons the calls that hang.
func (a *Abandoned) look() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	now := time.Now()
	a.running = slices.DeleteFunc(a.running, func(c *attended) bool {
		hangs := c.hangs(now)
		if hangs {
			a.Hanging.Add(1)
			go c.late()
		}
		return hangs
	})
	if a.looks = len(a.running) > 0; a.looks {
		time.AfterFunc(lookInterval, a.look)
	}
}

func (c *attended) hangs(now time.Time) bool {
	switch {
	case c.ctx.Err() == nil:
		return false
	case c.since.IsZero():
		c.since = now
	}
	return now.Sub(c.since) >= answerGrace
}
