package session

import (
	"time"

	"fsbox/commands/words"
)

// Repeat calls tell again and again until stop is called. After stop has returned, it isn't
// called any more.
func Repeat(beat time.Duration, tell func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-time.After(beat):
				tell()
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

func LookedText(n int64) string { return "looked into " + words.Int(n) + " files and folders" }
