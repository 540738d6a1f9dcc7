package answer

import (
	"io"
	"slices"
	"strings"

	"fsbox/commands/words"
	"fsbox/textio"
)

// Text writes the text form of one answer: what a model needs to know, and nothing else. What a
// command says is beside the command, as WriteText of its result.
//
// A text has up to four parts: if it isn't all, one first line in square brackets that says so and
// how to continue; what was asked for; a line for each warning; and one last line in square
// brackets with what else the answer lacks. docs/wire.md describes it.
//
// Of the first line, its readers rely on this, and on nothing else: it begins with "[", has
// "continue with start_line N" or "continue with cursor C", with "; " before and after that where
// there is more, and ends with "]". So the order of its parts is free, and a change of it, or of
// the notes in the last line, is one of WriteText alone: -update changes the scripts and pages that
// show the whole text, and no reader need be opened. (They are commands/bound_reader_test.go and
// left_out_sweep_test.go, testscript/envelope.go, bench/answer.go, hosts/reader/look.go, which
// hosts/change uses, and textio/elision.go, which knows "lines 1-20 of 60" in what a model copies.)
// What comes first, and that warnings come after the content, hosts and their models rely on.
//
// An answer with a bound is written when it is whole; any other goes out in chunks, so that a long
// one isn't held in memory a second time.
type Text struct {
	W      io.Writer
	Style  *Style // nil: the text form as it is
	b      []byte
	last   byte // the last byte that was written
	err    error
	bound  Bound
	useful func(advice string) string
	first  string   // what the first line says
	notes  []string // what the last line says
	paged  bool     // the body was measured when it was collected: it is never cut here
	parts  []int    // where parts of the body begin

	counts bool // nothing is written, only counted
	unit   textio.Unit
	size   int64 // units counted
	lines  int64
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
	t := &Text{W: w, Style: s, last: '\n', bound: a.Bound, useful: a.Useful}
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
	t.finish(a.Warnings)
	return t.err
}

// WriteNotes writes what the text form says besides the list that was asked for: that there is
// more, warnings, what was left out.
func (a Answer) WriteNotes(w io.Writer) error {
	body := &Text{W: io.Discard, last: '\n'}
	if r, ok := a.Result.(TextWriter); ok {
		r.WriteText(body, a)
	}
	t := &Text{W: w, last: '\n', notes: body.notes}
	t.First(body.first)
	t.finish(a.Warnings)
	return t.err
}

// finish writes what comes before and after the body.
func (t *Text) finish(warnings []string) {
	tail := t.fittingTail(warnings)
	if len(tail) > 0 {
		t.fresh()
	}
	if t.bound.Most > 0 && !t.paged {
		t.cut(tail)
	}
	if t.bound.Most > 0 && t.first != "" {
		body := t.b
		t.b = nil
		if t.writeFirst(); len(body) > Chunk {
			t.Flush()
			t.b = body
		} else {
			t.b = append(t.b, body...)
		}
	}
	for _, line := range tail {
		rest, isWarning := strings.CutPrefix(line, "warning:")
		if isWarning {
			t.Paint(hueHint, "warning:")
			t.Line(rest)
		} else {
			t.Paint(hueHint, line)
			t.Line()
		}
	}
	t.Flush()
}

// Whole lets an answer pass that a program takes, however long it is.
func (t *Text) Whole() { t.bound = Bound{} }

// First says what the first line does, before anything is written: that this isn't all, and how to
// continue.
func (t *Text) First(s string) {
	if s == "" || t.first != "" {
		return
	}
	if t.first = s; t.bound.Most == 0 && !t.counts {
		t.writeFirst()
	}
}

func (t *Text) writeFirst() {
	t.Paint(hueHint, "["+t.first+"]")
	t.Line()
}

// Page is First for a page, whose list or content was measured when it was collected.
func (t *Text) Page(s string) {
	t.paged = true
	t.First(s)
}

// Part says that a part of the body begins, before which it may be cut.
func (t *Text) Part() { t.parts = append(t.parts, len(t.b)) }

// Note adds to the last line.
func (t *Text) Note(s string) {
	if s != "" {
		t.notes = append(t.notes, s)
	}
}

// Advise adds to the last line something, and what to do about it, as far as the caller can.
func (t *Text) Advise(s, remedy string) {
	if s == "" {
		return
	}
	if t.useful != nil {
		remedy = t.useful(remedy)
	}
	if remedy != "" {
		s += "; " + remedy
	}
	t.Note(s)
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

// maxDoubled is up to what length, in bytes, the memory of a text is doubled when it is full:
// append adds a quarter to a long one, which takes 4 % of a glob with 32,000 paths (2026-11-29).
const maxDoubled = 4 << 20

// Add writes text. A long one goes out as it is. Bytes that aren't UTF-8 become U+FFFD, as in JSON.
func (t *Text) Add(s string) {
	if s == "" {
		return
	}
	if t.counts {
		t.count(words.Shown(s))
		return
	}
	if s = words.Shown(s); t.Style != nil {
		s = words.VisibleLines(s)
	}
	t.last = s[len(s)-1]
	isLong := len(s) > Chunk && t.bound.Most == 0
	if isLong || t.bound.Most == 0 && len(t.b)+len(s) > Chunk {
		t.Flush()
	}
	if !isLong {
		if len(t.b)+len(s) > cap(t.b) && len(t.b) < maxDoubled {
			t.b = slices.Grow(t.b, max(len(s), len(t.b)))
		}
		t.b = append(t.b, s...)
	} else if t.err == nil {
		_, t.err = io.WriteString(t.W, s)
	}
}

func (t *Text) count(s string) {
	t.last = s[len(s)-1]
	t.size += int64(t.unit.Len(s))
	t.lines += int64(strings.Count(s, "\n"))
}

func (t *Text) Flush() {
	if len(t.b) > 0 && t.err == nil {
		_, t.err = t.W.Write(t.b)
	}
	t.b = t.b[:0]
}
