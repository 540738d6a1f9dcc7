package commands

import (
	"fsbox/commands/words"
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
	w      io.Writer
	direct int    // a text of more bytes goes to w as it is
	style  *style // nil: the text form as it is
	b      []byte
	last   byte // the last byte that was written
	err    error
	notes  []string // what the last line says
}

// textWriter is a result that has a text form.
type textWriter interface{ writeText(t *text, a answer) }

// text is the text form of an answer. It is the same however the request was sent.
func (a answer) text() string {
	var all wholeText
	_ = a.renderText(&text{w: &all, direct: longText, last: '\n'}) // all takes everything
	return all.text()
}

// longText is from how many bytes on wholeText gets a text as it is, and may not have to copy it.
const longText = 512

// wholeText keeps a text. If it comes in one piece, as the content of a small file does, it isn't
// copied.
type wholeText struct {
	first string
	all   strings.Builder // with first, once there is more
}

func (w *wholeText) Write(b []byte) (int, error) { return w.WriteString(string(b)) }

func (w *wholeText) WriteString(s string) (int, error) {
	if w.first == "" {
		w.first = s
		return len(s), nil
	}
	if w.all.Len() == 0 {
		w.all.WriteString(w.first)
	}
	return w.all.WriteString(s)
}

func (w *wholeText) text() string {
	if w.all.Len() == 0 {
		return w.first
	}
	return w.all.String()
}

// writeText writes the text form, in a style for people if there is one.
func (a answer) writeText(w io.Writer, s *style) error {
	return a.renderText(&text{w: w, direct: encodeChunk, style: s, last: '\n'})
}

func (a answer) renderText(t *text) error {
	a.Message, a.Hint, a.Warnings = words.OneLine(a.Message), words.OneLine(a.Hint), words.Mapped(a.Warnings, words.OneLine)
	switch r := a.Result.(type) {
	case textWriter:
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

// fresh ends the current line if it has no end: contents may lack theirs.
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
	if s = words.Shown(s); t.style != nil {
		s = words.VisibleLines(s)
	}
	t.last = s[len(s)-1]
	isLong := len(s) > t.direct
	if isLong || len(t.b)+len(s) > encodeChunk {
		t.flush()
	}
	if !isLong {
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
