package commands

import (
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
