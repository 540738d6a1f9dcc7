package commands

import (
	"io"
	"strings"
)

// text writes the text form of one answer: what a model needs to know, and nothing else. Every
// verb's part is in a file text_<subject>.go. It goes out in chunks, so that a long answer isn't
// held in memory a second time.
//
// A text has up to three parts: what was asked for, a line for each warning, and one last line in
// square brackets with what the answer lacks and how to get it.
type text struct {
	w     io.Writer
	style *style // nil: the text form as it is
	b     []byte
	last  byte // the last byte that was written
	err   error
	notes []string // what the last line says
}

// texter is a result that has a text form.
type texter interface{ writeText(t *text, a answer) }

// text is the text form of an answer. It is the same however the request was sent.
func (a answer) text() string {
	var b strings.Builder
	_ = a.writeText(&b, nil) // a Builder takes everything
	return b.String()
}

// writeText writes the text form, in a style for people if there is one.
func (a answer) writeText(w io.Writer, s *style) error {
	t := &text{w: w, style: s, last: '\n'}
	switch r := a.Result.(type) {
	case texter:
		r.writeText(t, a)
	case nil:
		t.failure(a)
	default:
		t.line(a.Message)
		t.facts(r)
		t.note(a.Hint)
	}
	t.end(a.Warnings)
	t.flush()
	return t.err
}

// end writes warnings and the last line.
func (t *text) end(warnings []string) {
	for _, w := range warnings {
		t.fresh()
		t.paint(hueHint, "warning:")
		t.line(" ", w)
	}
	if len(t.notes) > 0 {
		t.fresh()
		t.paint(hueHint, "["+strings.Join(t.notes, "; ")+"]")
		t.line()
	}
}

// note adds to the last line.
func (t *text) note(s string) {
	if s != "" {
		t.notes = append(t.notes, s)
	}
}

// fresh ends the line at hand if it has no end: contents may lack theirs.
func (t *text) fresh() {
	if t.last != '\n' {
		t.add("\n")
	}
}

// line writes a line of several parts.
func (t *text) line(parts ...string) {
	for _, s := range parts {
		t.add(s)
	}
	t.add("\n")
}

// block writes text of several lines.
func (t *text) block(s string) {
	t.add(s)
	t.fresh()
}

// add writes text. A long one goes out as it is. Bytes that aren't UTF-8 become U+FFFD, as in JSON.
func (t *text) add(s string) {
	if s == "" {
		return
	}
	if s = shown(s); t.style != nil {
		s = visibleLines(s)
	}
	t.last = s[len(s)-1]
	if len(t.b)+len(s) > encodeChunk {
		t.flush()
	}
	if len(s) <= encodeChunk {
		t.b = append(t.b, s...)
	} else if t.err == nil {
		_, t.err = io.WriteString(t.w, s)
	}
}

func (t *text) flush() {
	if len(t.b) > 0 && t.err == nil {
		_, t.err = t.w.Write(t.b)
	}
	t.b = t.b[:0]
}
