package plan_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/plan"
)

// TestRetryOnCollision: the first tries come at once, the others after longer and longer pauses, and
// none of these lasts beyond the call.
func TestRetryOnCollision(t *testing.T) {
	for _, tt := range []struct {
		collisions int
		limit      time.Duration // 0 for none
		tries      int
		takes      time.Duration
	}{
		{0, 0, 1, 0},
		{3, 0, 4, 0},
		{4, 0, 5, time.Millisecond},
		{6, 0, 7, 7 * time.Millisecond},
		{99, 0, plan.MaxCollisions, 1255 * time.Millisecond},
		{99, 100 * time.Millisecond, 11, 100 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, begin, tries := t.Context(), time.Now(), 0
			if tt.limit > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, tt.limit)
				defer cancel()
			}
			_, err := plan.RetryOnCollision(ctx, "a", func() (int, error) {
				if tries++; ctx.Err() != nil || tries > tt.collisions {
					return 0, ctx.Err()
				}
				return 0, fserr.ErrCollision
			})
			isRight := err == nil
			switch {
			case tt.limit > 0:
				isRight = errors.Is(err, context.DeadlineExceeded)
			case tt.collisions > plan.MaxCollisions:
				isRight = errors.Is(err, fserr.ErrBusy)
			}
			if took := time.Since(begin); tries != tt.tries || took != tt.takes || !isRight {
				t.Errorf("%+v: %d tries in %v, error %v", tt, tries, took, err)
			}
		})
	}
}
