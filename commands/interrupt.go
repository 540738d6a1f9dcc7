package commands

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// watchDelay is how long a call that only reads goes on before it listens to signals. Listening
// takes a thread of its own, which makes a short call a third slower. Until then a signal just ends
// the process without an answer, and there is nothing to clean up.
const watchDelay = 20 * time.Millisecond

// signalInterval is how often a process that listens looks for signals that wait for a thread which
// hangs in the system.
const signalInterval = 100 * time.Millisecond

// insistDelay is how long further signals count as the first one, so that a call has time to end
// properly. A later signal ends the process at once.
const insistDelay = time.Second

// interruptible gives a context that SIGINT and SIGTERM cancel once watch has been called. SIGPIPE
// would end the process in the middle of a change, when an answer or a line of the log finds no
// reader: without it the write fails instead.
func interruptible(parent context.Context) (ctx context.Context, watch, stop func()) {
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	watch = sync.OnceFunc(func() {
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
			signal.Notify(signals, syscall.SIGHUP) // the terminal was closed
		}
		go func() {
			beat := time.NewTicker(signalInterval)
			defer beat.Stop()
			for ctx.Err() == nil {
				select {
				case <-signals:
					cancel()
					time.AfterFunc(insistDelay, func() { signal.Stop(signals) })
				case <-beat.C:
					takeSignals()
				case <-ctx.Done():
				}
			}
		}()
	})
	return ctx, watch, func() {
		signal.Stop(signals)
		cancel()
	}
}
