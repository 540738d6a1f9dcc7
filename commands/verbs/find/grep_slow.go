package find

import (
	"context"
	"fsbox/commands/answer"
	"fsbox/commands/verb"
	"time"
)

// maxSlow is how many searches that ran out of time may still be running. Each is inside a regular
// expression and holds some memory.
const maxSlow = 1

// slowInterval is how often a new search checks whether they have ended.
const slowInterval = 10 * time.Millisecond

// awaitSlow waits for searches that ran out of time and are still at work.
func awaitSlow(ctx context.Context, e *verb.Env) error {
	for e.Slow.Hanging.Load() >= maxSlow {
		select {
		case <-ctx.Done():
			return answer.Failf(answer.CodeBusy, "an earlier search that ran out of time is still at work").
				WithHint("try again later, search for plain text, or start a new process")
		case <-time.After(slowInterval):
		}
	}
	return nil
}
