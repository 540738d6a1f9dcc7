package calllog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"fsbox/sandbox/disk/host"
)

// writer writes the lines of the log in a goroutine of its own, one after the other, so that no
// call waits for a log that nobody reads. A line that could not be written within the time of its
// call is dropped, and the next one says how many were.
type writer struct {
	out      io.Writer
	whole    func() bool   // the log ends with a line end, as far as can be told
	patience time.Duration // how long a call waits to hear of its line
	mutex    sync.Mutex
	lines    []*logLine
	held     int           // bytes of lines
	until    time.Time     // when the last of them is dropped
	begun    time.Time     // when the write under way began
	done     chan struct{} // closed when there are no more lines; nil while there are none
	dropped  int           // lines since the one that was written last
	torn     bool          // only a part of the last one was written
}

// logLine is one line, and what came of it.
type logLine struct {
	text    []byte
	until   time.Time
	told    int // how many dropped lines it tells of
	written chan error
}

const (
	// logPatience is how long a call waits to hear whether its line could be written, so that its
	// answer can warn. While a write takes longer, no other call waits. It is waited for in steps:
	// on a busy machine the process may get no processor for longer than that, and the write has to
	// have had its turn.
	logPatience = 100 * time.Millisecond
	logStep     = logPatience / 10
	// filePatience is the same for a regular file, which has no reader to wait for: only a disk, or
	// the server of a mount, can be slow. It is longer since the goroutine that writes may be on a
	// processor that is taken away while this one goes on, as virtual machines do: then no step
	// helps, and an answer lacked its warning. It ends with the time of the call.
	filePatience = 2 * time.Second
	// maxLogHeld is how many bytes of lines may wait to be written.
	maxLogHeld = 256 << 10
)

var errLogFull = errors.New("nobody reads the log")

// write hands over a line. The error says that it was not written; without one it was, or may still
// be by the time until.
func (w *writer) write(text []byte, until time.Time) error {
	l := &logLine{text: text, until: until, written: make(chan error, 1)}
	switch entered, hangs := w.enter(l); {
	case !entered:
		return errLogFull
	case hangs:
		return nil
	}
	for waited := time.Duration(0); waited < w.patience && time.Now().Before(until); waited += logStep {
		select {
		case err := <-l.written:
			return err
		case <-time.After(logStep):
		}
	}
	return nil
}

// enter adds a line to those that wait, if there is room. hangs says that an earlier one takes
// long.
func (w *writer) enter(l *logLine) (entered, hangs bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.held+len(l.text) > maxLogHeld {
		w.dropped++
		return false, false
	}
	w.lines, w.held = append(w.lines, l), w.held+len(l.text)
	if l.until.After(w.until) {
		w.until = l.until
	}
	if w.done != nil {
		return true, time.Since(w.begun) > w.patience
	}
	w.done, w.begun = make(chan struct{}), time.Now()
	go w.work()
	return true, false
}

func (w *writer) work() {
	for l, text := w.next(); l != nil; l, text = w.next() {
		n, err := w.out.Write(text)
		w.wrote(l, text[:n], err)
		l.written <- err
	}
}

// next is the next line that is still in time, and its text with what is to be told of those before
// it.
func (w *writer) next() (l *logLine, text []byte) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.begun = time.Now()
	for len(w.lines) > 0 {
		l = w.lines[0]
		w.lines = slices.Delete(w.lines, 0, 1)
		if w.held -= len(l.text); w.begun.Before(l.until) {
			return l, w.complete(l)
		}
		w.dropped++
		l.written <- errLogFull
	}
	close(w.done)
	w.done = nil
	return nil, nil
}

// complete begins a line after one that was torn, and tells how many lines were dropped.
func (w *writer) complete(l *logLine) []byte {
	text := l.text
	if w.dropped > 0 {
		text = fmt.Appendf(bytes.TrimSuffix(text, []byte("}\n")), ",%q:%d}\n", "dropped_lines", w.dropped)
	}
	if l.told, w.dropped = w.dropped, 0; w.torn || !w.whole() {
		text = append([]byte("\n"), text...)
	}
	return text
}

// wrote takes note of what was written of a line.
func (w *writer) wrote(l *logLine, part []byte, err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if err != nil {
		w.dropped += l.told + 1
	}
	if len(part) > 0 {
		w.torn = part[len(part)-1] != '\n'
	}
}

// flush waits until all lines are written, or can't be any more.
func (w *writer) flush(ctx context.Context) {
	w.mutex.Lock()
	done, patience := w.done, time.Until(w.until)
	w.mutex.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(patience):
	}
}

// endsLine reports whether a log ends with a line end. If it doesn't, another process may be in the
// middle of its line: it gets some time before that counts as torn. On a busy machine each of the
// pauses takes longer, so they are less than half as many as the steps of logPatience.
func endsLine(log *os.File) bool {
	for range 4 {
		if host.EndsLine(log) {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return host.EndsLine(log)
}
