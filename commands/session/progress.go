package session

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/commands/words"
)

// A person at a terminal sees how far a call is that takes longer than progressDelay.
const (
	progressDelay    = time.Second
	terminalInterval = 250 * time.Millisecond
)

// terminalProgress shows at a terminal how far a call is, in a line that is written repeatedly.
type terminalProgress struct {
	w       io.Writer
	columns int
	tool    string
	looked  *atomic.Int64
	since   time.Time
	shown   int // columns of what is there
}

// NewProgress shows on standard error how far calls are, if a person sees that.
func NewProgress(stderr io.Writer) *terminalProgress {
	if !answer.IsTerminal(stderr) || answer.WantsNoColour(settings.SystemEnvironment().Lookup) {
		return nil
	}
	return &terminalProgress{w: stderr, columns: answer.TerminalWidth(stderr)}
}

// begin shows a line about a call that takes longer than progressDelay. end takes it away, which
// has to be done before anything else is written.
func (p *terminalProgress) begin(env *verb.Env, tool string) (end func()) {
	if p == nil {
		return func() {}
	}
	env.Looked = new(atomic.Int64)
	line := terminalProgress{w: p.w, columns: p.columns, tool: tool, looked: env.Looked, since: time.Now()}
	stop := Repeat(progressDelay, terminalInterval, line.show)
	return sync.OnceFunc(func() {
		stop()
		line.put("")
	})
}

// Repeat calls tell again and again until stop is called. After stop has returned, it isn't
// called any more.
func Repeat(first, beat time.Duration, tell func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for wait := first; ; wait = beat {
			select {
			case <-time.After(wait):
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

func (l *terminalProgress) show() {
	text := fmt.Sprintf("fsbox: %s, %.0f s", l.tool, time.Since(l.since).Seconds())
	if n := l.looked.Load(); n > 0 {
		text += ", " + LookedText(n)
	}
	l.put(text)
}

func LookedText(n int64) string { return "looked into " + words.Int(n) + " files and folders" }

// put replaces what is there. It overwrites with blanks, so that no terminal needs to know more.
func (l *terminalProgress) put(text string) {
	text = text[:min(len(text), l.columns-1)] // a full line would go on in the next
	if blanks := l.shown - len(text); blanks > 0 {
		fmt.Fprint(l.w, "\r", strings.Repeat(" ", l.shown))
	}
	if l.shown > 0 || text != "" {
		fmt.Fprint(l.w, "\r", text)
	}
	l.shown = len(text)
}
