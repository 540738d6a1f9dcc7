package textio

import (
	"bytes"
	"unicode/utf8"
)

// SniffLen is how many leading bytes of a file Sniff looks at.
const SniffLen = 8 << 10

// unknown8bit is what mail calls bytes in an encoding nobody named (RFC 1428).
const unknown8bit = "unknown-8bit"

// Head is what the first bytes of a file tell about it. MediaType is
// "text/plain" for text and "application/octet-stream" for binary data without
// a known signature. BOM is the length of the byte order mark in bytes, 0
// without one. Encoding is nil for binary files; for text without a BOM it is
// UTF-8, which Sniff assumes and does not check.
type Head struct {
	Binary    bool
	MediaType string
	BOM       int
	Encoding  *Encoding
}

// Sniff classifies a file by its first SniffLen bytes; more are ignored. A byte
// order mark of UTF-16 or UTF-32 makes it text; else a known signature or a NUL
// makes it binary.
func Sniff(head []byte) Head {
	head = head[:min(len(head), SniffLen)]
	e, bom := sniffBOM(head)
	if bom > 0 && e.unitWidth() > 1 {
		return Head{MediaType: "text/plain", BOM: bom, Encoding: e}
	}
	if media, ok := sniffSignature(head); ok {
		return Head{Binary: true, MediaType: media}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return Head{Binary: true, MediaType: "application/octet-stream"}
	}
	return Head{MediaType: "text/plain", BOM: bom, Encoding: e}
}

// sniffBOM returns the encoding whose byte order mark head begins with, and the
// mark's length; without one, UTF-8 and 0.
func sniffBOM(head []byte) (*Encoding, int) {
	if len(head) == 0 || (head[0] != 0 && head[0] < 0xef) { // no mark begins with a usual letter
		return &unicodeEncodings[0], 0
	}
	// UTF-32LE's mark begins with UTF-16LE's, so the wide forms come first.
	for i := len(unicodeEncodings) - 1; i >= 0; i-- {
		e := &unicodeEncodings[i]
		if mark := e.BOM(); bytes.HasPrefix(head, mark) {
			return e, len(mark)
		}
	}
	return &unicodeEncodings[0], 0
}

// Facts describes a whole text file. Encoding is a name as of Encoding.Name, or
// "unknown-8bit" for bytes that were taken for UTF-8 and are not. EOL is lf,
// crlf, cr (lone CR and no LF at all), mixed (LF and CRLF) or none. Lines end at
// LF only; a last line without one counts. Indent is tab, spaces:N, mixed or none.
type Facts struct {
	Encoding     string
	BOM          bool
	EOL          string
	FinalNewline bool
	Lines        int64
	Indent       string
}

// Describe reports the facts about a whole text file in the encoding e, nil
// being UTF-8. A byte order mark at the start is not part of the text.
func Describe(content []byte, e *Encoding) Facts {
	e = e.orUTF8()
	text, bom := content, false
	if mark := e.BOM(); len(mark) > 0 {
		text, bom = bytes.CutPrefix(content, mark)
	}
	facts := Facts{Encoding: e.Name(), BOM: bom}
	switch {
	case e.unitWidth() > 1:
		text = e.decode(text)
	case e.form == formUTF8 && !utf8.Valid(text):
		facts.Encoding = unknown8bit
	}
	tally := tallyLines(text)
	facts.EOL, facts.Lines, facts.FinalNewline = tally.eol(), tally.lines(), tally.final
	facts.Indent = describeIndent(text)
	return facts
}

// EOL is the field of that name in what Describe reports, for less.
func EOL(content []byte, e *Encoding) string {
	if e = e.orUTF8(); e.unitWidth() > 1 {
		content = e.decode(bytes.TrimPrefix(content, e.BOM()))
	}
	tally := tallyLines(content)
	return tally.eol()
}

// indentTally counts what the indented lines of a text begin with. Steps has,
// by width, how often a line stands that many spaces deeper than the one before.
type indentTally struct {
	tabs, spaces int
	steps        [9]int // nobody indents by more than 8
	depth        int
}

// describeIndent names the indentation of a text. A kind that has less than a
// tenth of the indented lines doesn't make it mixed: a stray line, or sample text.
func describeIndent(text []byte) string {
	var tally indentTally
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			end = len(text) - 1
			tally.add(text)
		} else {
			tally.add(text[:end])
		}
		text = text[end+1:]
	}
	less, all := min(tally.tabs, tally.spaces), tally.tabs+tally.spaces
	switch {
	case all == 0:
		return "none"
	case less*10 >= all && less > 0:
		return "mixed"
	case tally.tabs > tally.spaces:
		return "tab"
	}
	return "spaces:" + string(rune('0'+tally.step()))
}

// add counts one line. Blank lines say nothing, and a single space is the
// alignment of a block comment rather than an indent.
func (t *indentTally) add(line []byte) {
	body := bytes.TrimLeft(line, " ")
	depth := len(line) - len(body)
	if depth == 1 || isBlank(body) {
		return
	}
	switch {
	case depth > 0:
		t.spaces++
	case body[0] == '\t':
		t.tabs++
	}
	if step := depth - t.depth; step > 1 && step < len(t.steps) {
		t.steps[step]++
	}
	t.depth = depth
}

// isBlank reports a line of blanks. Nearly every line says with its first byte that it is none.
func isBlank(line []byte) bool {
	return len(line) == 0 || (line[0] <= ' ' || line[0] >= utf8.RuneSelf) && len(bytes.TrimSpace(line)) == 0
}

// step is the most frequent step, the smaller of two equally frequent ones.
func (t *indentTally) step() int {
	best := 0
	for width, n := range t.steps {
		if n > t.steps[best] {
			best = width
		}
	}
	if best == 0 { // one deep block, deeper than any step
		return len(t.steps) - 1
	}
	return best
}
