package commands

import (
	"encoding/base64"
	"io"
	"slices"
	"strings"
)

// text writes the text form of one answer: what a model needs to know, and nothing else. Every
// verb's part is in a file text_<subject>.go. Lines go out in chunks, so a long answer isn't held in
// memory a second time.
type text struct {
	w    io.Writer
	b    []byte
	last byte // the last byte of what has gone out
	err  error
}

// texter is implemented by results that have a text form of their own.
type texter interface{ writeText(t *text, a answer) }

// text is the text form of an answer, as every door shows it.
func (a answer) text() string {
	var b strings.Builder
	_ = a.writeText(&b) // a Builder takes everything
	return b.String()
}

// writeText writes the text form.
func (a answer) writeText(w io.Writer) error {
	t := &text{w: w}
	switch r := a.Result.(type) {
	case texter:
		r.writeText(t, a)
	case nil:
		t.failure(a)
	default:
		t.line(a.Message)
	}
	for _, warning := range a.Warnings {
		t.line("warning: " + warning)
	}
	t.flush()
	return t.err
}

func (t *text) failure(a answer) {
	t.line(string(a.Error) + ": " + a.Message)
	if a.Hint != "" {
		t.line("hint: " + a.Hint)
	}
}

// line writes a line.
func (t *text) line(s string) {
	t.add(s)
	t.add("\n")
}

// add writes text. A long one goes out directly.
func (t *text) add(s string) {
	if len(s) < encodeChunk {
		t.b = append(t.b, s...)
	}
	if len(t.b) >= encodeChunk || len(s) >= encodeChunk {
		t.flush()
	}
	if len(s) >= encodeChunk && t.err == nil {
		_, t.err = io.WriteString(t.w, s)
		t.last = s[len(s)-1]
	}
}

func (t *text) flush() {
	if len(t.b) > 0 && t.err == nil {
		_, t.err = t.w.Write(t.b)
		t.last = t.b[len(t.b)-1]
	}
	t.b = t.b[:0]
}

// writeText writes the content as base64.
func (r *ReadBytesResult) writeText(t *text, _ answer) {
	for part := range slices.Chunk(r.Content, base64Part) {
		t.add(base64.StdEncoding.EncodeToString(part))
	}
	t.add("\n")
}

// writeText writes the content.
func (r *ReadResult) writeText(t *text, _ answer) { t.add(r.Content) }
