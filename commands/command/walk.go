package command

import (
	"context"
	"sync"
	"time"

	"fsbox/commands/attend"
	"fsbox/search/walk"
)

// walkGrace is how long to wait for a walk whose time is up. It ends within a fraction of this
// unless it hangs in a system call.
const walkGrace = 100 * time.Millisecond

// TimedWalk is a walk that collects a page and may hang in a system call. Then the page is
// answered as it is and closed, so that the walk adds nothing if it ever goes on.
type TimedWalk struct {
	Abandoned *attend.Abandoned
	take      func(walk.Entry) error // changes the page
	mutex     sync.Mutex             // locked while the page is changed
	closed    bool
}

// Run walks, and then closes the folders. When ctx ends, it returns the context's error and doesn't
// wait for a walk that hangs; it only waits until nothing is changing the page.
func (w *TimedWalk) Run(ctx context.Context, folders roots, o walk.Options, take func(walk.Entry) error) (walk.Tally, error) {
	w.take = take
	done, ended := make(chan endedWalk, 1), make(chan struct{})
	go func() {
		defer close(ended)
		var e endedWalk
		defer func() { done <- e }()
		defer func() { e.panicked = walk.Recovered(recover()) }()
		defer folders.Close()
		o.Start = folders.Start
		e.tally, e.err = walk.Walk(ctx, folders.Top, o, w.visit)
	}()
	e, ok := awaitWalk(ctx, done)
	if !ok {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		w.closed = true
		w.Abandoned.Add(ended)
		return walk.Tally{}, ctx.Err()
	}
	if e.panicked != nil {
		panic(e.panicked)
	}
	return e.tally, e.err
}

// endedWalk is how a walk ended.
type endedWalk struct {
	tally    walk.Tally
	err      error
	panicked *walk.Panic
}

// awaitWalk waits for the end of a walk until ctx ends, and walkGrace longer.
func awaitWalk(ctx context.Context, done <-chan endedWalk) (e endedWalk, ok bool) {
	select {
	case e = <-done:
		return e, true
	case <-ctx.Done():
	}
	select {
	case e = <-done:
		return e, true
	case <-time.After(walkGrace):
		return e, false
	}
}

// visit hands an entry on, unless the page is closed.
func (w *TimedWalk) visit(entry walk.Entry) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		return walk.ErrStop
	}
	return w.take(entry)
}

// Ask runs question, which may make system calls, with the page unlocked: so a call that hangs
// doesn't hold up the answer. It is for visits only. The error is walk.ErrStop if the page was
// closed meanwhile.
func (w *TimedWalk) Ask(question func()) error {
	w.unlocked(question)
	if w.closed {
		return walk.ErrStop
	}
	return nil
}

func (w *TimedWalk) unlocked(do func()) {
	w.mutex.Unlock()
	defer w.mutex.Lock()
	do()
}
