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
	next    chan []reader.Call
	answers chan string
	besides []reader.Call
}

func newDirector() *director {
	return &director{begun: make(chan struct{}), next: make(chan []reader.Call), answers: make(chan string, 1)}
}

// First is the first call that is given.
func (d *director) First() reader.Call {
	close(d.begun)
	call, _ := d.take()
	return call
}

// Next passes an answer on and waits for the next call.
func (d *director) Next(answer string) (reader.Call, bool) {
	d.answers <- answer
	return d.take()
}

// Besides are the calls at the same time as the last one.
func (d *director) Besides() []reader.Call { return d.besides }

func (d *director) take() (call reader.Call, more bool) {
	calls, more := <-d.next
	if !more {
		return call, false
	}
	d.besides = calls[1:]
	return calls[0], true
}

// give has a call made.
func (d *director) give(ctx context.Context, calls ...reader.Call) error {
	select {
	case d.next <- calls:
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
