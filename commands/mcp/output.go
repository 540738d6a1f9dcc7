package mcp

import (
	"bufio"
	"encoding/base64"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"fsbox/textio"
)

// output writes messages, each whole, from any goroutine. While others wait for their turn, a
// message stays in the buffer and the next one is added, so that many short answers go out in one
// write.
type output struct {
	waiting atomic.Int32
	mutex   sync.Mutex
	w       *bufio.Writer
	broken  func(error) // called when a write has failed
}

// message writes one line, which write makes. The buffer keeps the first error, and Flush returns
// it.
func (o *output) message(write func(writer)) {
	o.waiting.Add(1)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.waiting.Add(-1)
	write(writer{o.w})
	_ = o.w.WriteByte('\n')
	if o.waiting.Load() > 0 && o.w.Buffered() > 0 {
		return
	}
	if err := o.w.Flush(); err != nil {
		o.broken(err)
	}
}

// answer writes an answer, whose result is an object.
func (o *output) answer(id value, result func(writer)) {
	o.message(func(w writer) {
		result(w.head(id).add(`,"result":{`))
		w.add(`}}`)
	})
}

// fail writes an error.
func (o *output) fail(id value, f *failure) {
	o.message(func(w writer) {
		w.head(id).add(`,"error":{"code":`).number(int64(f.code)).add(`,"message":`).text(f.message)
		if f.data != nil {
			f.data(w.add(`,"data":`))
		}
		w.add(`}}`)
	})
}

// writer writes JSON piece by piece.
type writer struct{ *bufio.Writer }

// add writes JSON as it is.
func (w writer) add(json string) writer {
	_, _ = w.WriteString(json)
	return w
}

func (w writer) raw(json []byte) writer {
	_, _ = w.Write(json)
	return w
}

func (w writer) number(n int64) writer { return w.raw(strconv.AppendInt(w.AvailableBuffer(), n, 10)) }

// textAtOnce is how many bytes of a long text are written at a time, so that no second copy of it
// is made.
const textAtOnce = 16 << 10

// text writes a text as a JSON string.
func (w writer) text(text string) writer {
	w.add(`"`)
	for part := range textio.Parts(text, textAtOnce) {
		w.raw(textio.AppendEscaped(w.AvailableBuffer(), part))
	}
	return w.add(`"`)
}

// head begins a message that has an id; an unknown or wrong one is null.
func (w writer) head(id value) writer {
	if !id.isID() {
		id = value("null")
	}
	return w.add(`{"jsonrpc":"2.0","id":`).raw(id)
}

// failure is an error of the protocol: the answer to a request that reached no tool, or made one
// panic.
type failure struct {
	code    int
	message string
	data    func(writer) // nil for none
}

// Error makes a failure an error, so that a check can return it beside those of the decoder.
func (f *failure) Error() string { return f.message }

// Codes of JSON-RPC, and of the protocol.
const (
	codeParse       = -32700
	codeInvalid     = -32600
	codeNoMethod    = -32601
	codeParams      = -32602
	codeInternal    = -32603
	codeUnsupported = -32022 // protocol version
)

func invalid(message string) *failure   { return &failure{code: codeInvalid, message: message} }
func badParams(message string) *failure { return &failure{code: codeParams, message: message} }

// writeResult writes the members of the answer to a call.
func (c *Client) writeResult(w writer, r Result) {
	if q := c.later.Load(); q != nil {
		c.writeQuestion(w, *q)
		return
	}
	w.add(`"content":[`)
	if r.MediaType != "" {
		r.writeMedia(w)
	} else {
		w.add(`{"type":"text","text":`).text(r.Text).add(`}`)
	}
	w.add(`]`)
	if r.Structured != nil {
		r.Structured(w.add(`,"structuredContent":`))
	}
	if r.Failed {
		w.add(`,"isError":true`)
	}
	if c.era.modern {
		c.server.complete(w, "complete")
	}
}

// writeMedia writes an image or a sound.
func (r Result) writeMedia(w writer) {
	kind, _, _ := strings.Cut(r.MediaType, "/")
	w.add(`{"type":"` + kind + `","data":"`)
	to64 := base64.NewEncoder(base64.StdEncoding, w)
	_, _ = to64.Write(r.Media)
	_ = to64.Close()
	w.add(`","mimeType":`).text(r.MediaType).add(`}`)
}

// writeQuestion asks for another try of the call, with the answer to a question.
func (c *Client) writeQuestion(w writer, q Question) {
	q.write(w.add(`"inputRequests":{`).text(q.Key).add(`:{`))
	w.add(`}},"requestState":`).text(c.server.states.issue(q.Key))
	c.server.complete(w, "input_required")
}
