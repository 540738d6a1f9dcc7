package calllog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// narrowLog takes bytes only while it has room and is open.
type narrowLog struct {
	open chan struct{}
	room int
	got  bytes.Buffer
}

func (l *narrowLog) Write(text []byte) (int, error) {
	<-l.open
	n := min(len(text), l.room)
	l.room -= n
	l.got.Write(text[:n])
	if n < len(text) {
		return n, errors.New("full")
	}
	return n, nil
}

func newNarrowLog(room int) (*narrowLog, *writer) {
	l := &narrowLog{open: make(chan struct{}), room: room}
	return l, &writer{out: l, whole: func() bool { return true }, patience: logPatience}
}

// TestLogWithoutReader: lines wait while there is memory for them, others are dropped, and the next
// one says how many.
func TestLogWithoutReader(t *testing.T) {
	l, w := newNarrowLog(10 << 20)
	late := time.Now().Add(time.Hour)
	line := func(n int) []byte { return fmt.Appendf(nil, "{\"n\":%d,\"x\":%q}\n", n, strings.Repeat("x", 1000)) }
	sent, dropped := 0, 0
	for ; dropped < 5; sent++ {
		if err := w.write(line(sent), late); err != nil {
			dropped++
		}
	}
	close(l.open)
	w.flush(t.Context())
	if err := w.write([]byte("{\"last\":true}\n"), late); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(l.got.String(), "\n"), "\n")
	if len(got) != sent-dropped+1 || got[0]+"\n" != string(line(0)) {
		t.Errorf("%d lines of %d, the first is %.50s", len(got), sent, got[0])
	}
	if !strings.Contains(l.got.String(), `,"dropped_lines":5}`) || strings.Count(l.got.String(), "dropped_lines") != 1 {
		t.Errorf("what was dropped isn't told once: %.100s", got[len(got)-1])
	}
}

// TestLogOutOfTime: a line whose call had its time isn't written.
func TestLogOutOfTime(t *testing.T) {
	l, w := newNarrowLog(1000)
	late := time.Now().Add(time.Hour)
	_ = w.write([]byte("{\"n\":1}\n"), late)
	_ = w.write([]byte("{\"n\":2}\n"), time.Now())
	close(l.open)
	w.flush(t.Context())
	_ = w.write([]byte("{\"n\":3}\n"), late)
	if got, want := l.got.String(), "{\"n\":1}\n{\"n\":3,\"dropped_lines\":1}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTornLog: a line of which only a part found room is closed before the next, and counts as
// dropped.
func TestTornLog(t *testing.T) {
	l, w := newNarrowLog(12)
	close(l.open)
	late := time.Now().Add(time.Hour)
	for n, full := range []bool{false, true, true} {
		if err := w.write(fmt.Appendf(nil, "{\"n\":%d}\n", n), late); (err != nil) != full {
			t.Errorf("line %d: %v", n, err)
		}
	}
	l.room = 1000
	_ = w.write([]byte("{\"n\":3}\n"), late)
	_ = w.write([]byte("{\"n\":4}\n"), late)
	if got, want := l.got.String(), "{\"n\":0}\n{\"n\"\n{\"n\":3,\"dropped_lines\":2}\n{\"n\":4}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFlush: what ends the wait for a log that nobody reads is a signal, or that no line is in
// time.
func TestFlush(t *testing.T) {
	_, w := newNarrowLog(0)
	_ = w.write([]byte("{}\n"), time.Now())
	w.flush(t.Context())
	_ = w.write([]byte("{}\n"), time.Now().Add(time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.flush(ctx)
}

// TestPatience: a call hears of a line that fails late if the log is a file; it doesn't wait so
// long for a reader. The time is that of the bubble.
func TestPatience(t *testing.T) {
	for _, test := range []struct {
		patience, takes, left time.Duration // left: of the time of the call
		hears                 bool
	}{
		{logPatience, logPatience / 2, time.Hour, true}, {logPatience, time.Second, time.Hour, false},
		{filePatience, time.Second, time.Hour, true}, {filePatience, time.Hour, 2 * time.Hour, false},
		{filePatience, time.Second, logPatience, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			l, w := newNarrowLog(0)
			w.patience = test.patience
			time.AfterFunc(test.takes, func() { close(l.open) })
			start := time.Now()
			err := w.write([]byte("{}\n"), start.Add(test.left))
			if (err != nil) != test.hears || time.Since(start) > min(test.patience, test.left) {
				t.Errorf("%v after %v, of a write of %v, a patience of %v and %v left", err, time.Since(start), test.takes, test.patience, test.left)
			}
			w.flush(t.Context())
			time.Sleep(test.takes) // until nothing is under way
		})
	}
}
