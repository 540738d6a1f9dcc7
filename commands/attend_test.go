package commands

import (
	"bytes"
	"context"
	"testing"
	"time"
)

// TestAbandonedCalls answers for calls that don't come back, up to a number of them, and goes on when they have.
func TestAbandonedCalls(t *testing.T) {
	a := new(abandoned)
	hang := make(chan struct{})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 {
		if _, ok := attend(ended, a, func() int { <-hang; return 1 }); ok {
			t.Error("what hangs has come back")
		}
	}
	if n := a.count.Load(); n != 3 {
		t.Errorf("%d calls hang, want 3", n)
	}
	if got, ok := attend(context.Background(), a, func() int { return 7 }); !ok || got != 7 {
		t.Errorf("another call: %d, %v", got, ok)
	}
	if other, ok := attend(context.Background(), a, func() int { return 8 }); !ok || other != 8 {
		t.Errorf("a second call of one worker: %d, %v", other, ok)
	}
	a.dismiss()
	close(hang)
	for a.count.Load() > 0 {
		time.Sleep(time.Millisecond)
	}

	a.count.Store(maxAbandoned)
	env := &Env{abandoned: a}
	if got := perform(context.Background(), env, nil, &call{}); got.Error != CodeBusy || !got.Retryable {
		t.Errorf("with %d calls that hang: %+v", maxAbandoned, got)
	}
}

// TestLastCall answers for the only call of a process if that hangs, and ends the process.
func TestLastCall(t *testing.T) {
	var out bytes.Buffer
	ended := make(chan int)
	p := Program{Stdout: &out, abandoned: new(abandoned), exit: func(status int) { ended <- status }}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	late := func() answer { return failed(nil, stuckFailure(ctx.Err(), false), nil) }
	calls := 0
	if p.attendLast(ctx, func() { calls++ }, late); calls != 1 || out.Len() > 0 {
		t.Errorf("a call that comes back: %d calls, answer %q", calls, out.String())
	}
	cancel()
	go p.attendLast(ctx, func() { select {} }, late)
	if status := <-ended; status != 1 || !bytes.Contains(out.Bytes(), []byte(`"error":"canceled"`)) {
		t.Errorf("a call that hangs: status %d, answer %q", status, out.String())
	}
}
