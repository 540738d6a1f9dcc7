package system

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRetryStale: a name that another machine gives to other files is looked up again, but not for
// ever.
func TestRetryStale(t *testing.T) {
	for stale, want := range map[int]error{0: nil, 3: nil, 100: unix.ESTALE} {
		calls := 0
		err := RetryStale(func() error {
			if calls++; calls <= stale {
				return unix.ESTALE
			}
			return nil
		})
		if !errors.Is(err, want) || calls > 9 {
			t.Errorf("%d times: %v after %d calls", stale, err, calls)
		}
	}
}
