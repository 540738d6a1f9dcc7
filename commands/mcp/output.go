package mcp

import (
	"bufio"
	"io"
	"strconv"
	"sync"
	"sync/atomic"

	"fsbox/textio"
)

// output writes messages, each whole, from any goroutine. While others wait for their turn, it
// leaves what it has to the next one, so that many short answers go out in one write.
type output struct {
	waiting atomic.Int32
	mutex   sync.Mutex
	w       *bufio.Writer
	broken  func(error) // called when nobody reads any more
}

func newOutput(w io.Writer, broken func(error)) *output {
	return &output{w: bufio.NewWriterSize(w, 64<<10), broken: broken}
}

// message writes one line that write makes. An error sticks to the buffer and shows in the end.
func (o *output) message(write func(*bufio.Writer)) {
	o.waiting.Add(1)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.waiting.Add(-1)
	write(o.w)
	_ = o.w.WriteByte('\n')
	if o.waiting.Load() > 0 && o.w.Buffered() > 0 {
		return
	}
	if err := o.w.Flush(); err != nil {
		o.broken(err)
	}
}

// answer writes an answer whose result is JSON already.
func (o *output) answer(id, result []byte) {
	o.message(func(w *bufio.Writer) {
		_, _ = w.Write(append(appendHead(w.AvailableBuffer(), id), `,"result":`...))
		_, _ = w.Write(result)
		_ = w.WriteByte('}')
	})
}

// fail writes an error. An id that isn't known is null.
func (o *output) fail(id []byte, f *failure) {
	o.message(func(w *bufio.Writer) { _, _ = w.Write(append(f.append(appendHead(w.AvailableBuffer(), id)), '}')) })
}

func appendHead(b, id []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		return append(b, "null"...)
	}
	return append(b, id...)
}

// quotedAtOnce is how many bytes of a long text are quoted at a time, so that no second copy of it
// is made.
const quotedAtOnce = 16 << 10

// writeString writes a text as a JSON string.
func writeString(w *bufio.Writer, text string) {
	_ = w.WriteByte('"')
	for part := range textio.Parts(text, quotedAtOnce) {
		_, _ = w.Write(textio.AppendEscaped(w.AvailableBuffer(), part))
	}
	_ = w.WriteByte('"')
}

func appendNumber[N int | int64](b []byte, n N) []byte { return strconv.AppendInt(b, int64(n), 10) }
