package commands

import (
	"context"
	"io"
	"os"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/session"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json/jsontext"
)

// progressDelay is how long a call takes before a person is shown how far it is.
const progressDelay = 2 * time.Second

// clearLine is what takes a line of a terminal away: back to its beginning, erase it (ECMA-48, EL).
const clearLine = "\r\x1b[K"

// do carries out the one call of a command line, and shows on a terminal how far it is.
func (p Program) do(ctx context.Context, sess *session.Session, id jsontext.Value, c *command.Call) answer.Answer {
	if !p.showsProgress(sess, c) {
		return sess.Do(ctx, id, c, p.end)
	}
	ctx, cancel := context.WithCancel(sess.CountWork(ctx))
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		showWork(ctx, p.Stderr, c.Command.Name, sess.Work)
	}()
	stop := func() {
		cancel()
		<-gone
	}
	a := sess.Do(ctx, id, c, func(a answer.Answer) {
		stop()
		p.end(a)
	})
	stop()
	return a
}

// showsProgress reports whether a call shows how far it is: on a terminal that can erase a line,
// where no question of an approval can come meanwhile.
func (p Program) showsProgress(sess *session.Session, c *command.Call) bool {
	asks := sess.Desk != nil && c.Changes()
	return !sess.Settings.NoProgress && !asks && answer.IsTerminal(p.Stderr) && os.Getenv("TERM") != "dumb"
}

// showWork writes how far a command is, again and again until ctx ends. Then it erases the line.
func showWork(ctx context.Context, to io.Writer, cmd string, work *command.Work) {
	begun := time.Now()
	for wait := progressDelay; ; wait = progressInterval {
		select {
		case <-ctx.Done():
			if time.Since(begun) >= progressDelay {
				_, _ = io.WriteString(to, clearLine) // nobody can be told that the terminal is gone
			}
			return
		case <-time.After(wait):
			seconds := int64(time.Since(begun) / time.Second)
			_, _ = io.WriteString(to, clearLine+"fsbox "+cmd+": "+workDone(work)+", "+words.Int(seconds)+" s")
		}
	}
}

// workDone says what a call has done so far.
func workDone(work *command.Work) string {
	what := "1 file"
	if n := work.Files.Load(); n != 1 {
		what = words.Int(n) + " files and directories"
	}
	return what + ", " + words.Size(work.Bytes.Load())
}
