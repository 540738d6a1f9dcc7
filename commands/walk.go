package commands

import (
	"context"
	"sync"
	"time"

	"fsbox/search"
	"fsbox/search/walk"
)

// walkGrace is how long a walk that is out of time is waited for. It ends within a fraction of this unless the system holds it up.
const walkGrace = 100 * time.Millisecond

// patientWalk is a walk that collects a page, and that may hang in the system: then the page is answered as it is, and the walk,
// should it ever go on, finds it closed.
type patientWalk struct {
	abandoned *abandoned
	mutex     sync.Mutex // held while the page is changed
	closed    bool
}

// run walks, and closes root in the end. It returns the context's error when that ends, and doesn't wait for a walk that hangs,
// unless it does so in the middle of a change to the page.
func (w *patientWalk) run(ctx context.Context, root tree, o walk.Options, visit func(walk.Entry) error) (walk.Tally, error) {
	type end struct {
		tally    walk.Tally
		err      error
		panicked *walk.Panic
	}
	done, ended := make(chan end, 1), make(chan struct{})
	go func() {
		defer close(ended)
		var e end
		defer func() { done <- e }()
		defer func() { e.panicked = search.Recovered(recover()) }()
		defer root.Close()
		e.tally, e.err = walk.Walk(ctx, root, o, func(entry walk.Entry) error {
			w.mutex.Lock()
			defer w.mutex.Unlock()
			if w.closed {
				return walk.ErrStop
			}
			return visit(entry)
		})
	}()
	var e end
	select {
	case e = <-done:
	case <-ctx.Done():
		select {
		case e = <-done:
		case <-time.After(walkGrace):
			w.mutex.Lock()
			defer w.mutex.Unlock()
			w.closed = true
			w.abandoned.add(ended)
			return walk.Tally{}, ctx.Err()
		}
	}
	if e.panicked != nil {
		panic(e.panicked)
	}
	return e.tally, e.err
}

// ask asks the system something in the middle of a visit. It is search.ErrStop if the page was closed meanwhile.
func (w *patientWalk) ask(question func()) error {
	w.mutex.Unlock()
	question()
	w.mutex.Lock()
	if w.closed {
		return walk.ErrStop
	}
	return nil
}
