package main

import (
	"context"
	"errors"
	"time"

	"fsbox/hosts/reader"
)

// director has the model of a host make the calls that it is given, one after the other.
type director struct {
	begun   chan struct{} // closed when the first call is wanted
	next    chan reader.Call
	answers chan string
}

func newDirector() *director {
	return &director{begun: make(chan struct{}), next: make(chan reader.Call), answers: make(chan string, 1)}
}

// First is the first call that is given.
func (d *director) First() reader.Call {
	close(d.begun)
	return <-d.next
}

// Next passes an answer on and waits for the next call.
func (d *director) Next(answer string) (call reader.Call, more bool) {
	d.answers <- answer
	call, more = <-d.next
	return call, more
}

// give has a call made.
func (d *director) give(ctx context.Context, call reader.Call) error {
	select {
	case d.next <- call:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answer waits for what the model is told.
func (d *director) answer(ctx context.Context, wait time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case a := <-d.answers:
		return a, nil
	case <-ctx.Done():
		return "", errors.New("the model got no answer")
	}
}
