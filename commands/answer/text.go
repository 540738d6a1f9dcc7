package answer

import (
	"fsbox/commands/words"
	"io"
	"strings"
)

// Text writes the text form of one answer: what a model needs to know, and nothing else. What a
// verb says is beside the verb, as WriteText of its result. It goes out in chunks, so that a long
// answer isn't held in memory a second time.
//
// A text has up to three parts: what was asked for, a line for each warning, and one last line in
// square brackets with what the answer lacks and how to get it.
type Text struct {
	W     io.Writer
	Style *Style // nil: the text form as it is
	b     []byte
	last  byte // the last byte that was written
	err   error
	notes []string // what the last line says
}

// TextWriter is a result that has a text form.
type TextWriter interface{ WriteText(t *Text, a Answer) }

// Text is the text form of an answer. It is the same however the request was sent.
func (a Answer) Text() string {
	var all strings.Builder
	_ = a.WriteText(&all, nil) // all takes everything
	return all.String()
}

// WriteText writes the text form, in a style for people if there is one.
func (a Answer) WriteText(w io.Writer, s *Style) error {
	t := &Text{W: w, Style: s, last: '\n'}
	a.Message, a.Hint = words.OneLine(a.Message), words.OneLine(a.Hint)
	switch r := a.Result.(type) {
	case TextWriter:
		r.WriteText(t, a)
	case nil:
		writeFailure(t, a)
	default:
		t.Line(a.Message)
		t.Facts(r)
		t.Note(a.Hint)
	}
	for _, w := range a.Warnings {
		t.fresh()
		t.Paint(hueHint, "warning:")
		t.Line(" ", words.OneLine(w))
	}
	if len(t.notes) > 0 {
		t.fresh()
		t.Paint(hueHint, "["+strings.Join(t.notes, "; ")+"]")
		t.Line()
	}
	t.Flush()
	return t.err
}

// Note adds to the last line.
func (t *Text) Note(s string) {
	if s != "" {
		t.notes = append(t.notes, s)
	}
}

// fresh ends the current line if it has no end: contents may lack theirs.
func (t *Text) fresh() {
	if t.last != '\n' {
		t.Add("\n")
	}
}

// Line writes a line of several parts.
func (t *Text) Line(parts ...string) {
	for _, s := range parts {
		t.Add(s)
	}
	t.Add("\n")
}

// Block writes text of several lines.
func (t *Text) Block(s string) {
	t.Add(s)
	t.fresh()
}

// Add writes text. A long one goes out as it is. Bytes that aren't UTF-8 become U+FFFD, as in JSON.
func (t *Text) Add(s string) {
	if s == "" {
		return
	}
	if s = words.Shown(s); t.Style != nil {
		s = words.VisibleLines(s)
	}
	t.last = s[len(s)-1]
	isLong := len(s) > Chunk
	if isLong || len(t.b)+len(s) > Chunk {
		t.Flush()
	}
	if !isLong {
		t.b = append(t.b, s...)
	} else if t.err == nil {
		_, t.err = io.WriteString(t.W, s)
	}
}

func (t *Text) Flush() {
	if len(t.b) > 0 && t.err == nil {
		_, t.err = t.W.Write(t.b)
	}
	t.b = t.b[:0]
}
