package textio

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// unknown8bit is what mail calls bytes in an encoding nobody named (RFC 1428).
const unknown8bit = "unknown-8bit"

// Facts describes a whole text file. Encoding is a name from charset.Encoding.Name, or
// "unknown-8bit" for bytes that were taken for UTF-8 and are not. EOL is lf, crlf, cr (lone CR and
// no LF at all), mixed (LF and CRLF) or none. Lines end at LF only; a last line without LF counts,
// too. Indent is tab, spaces:N (N spaces a level), mixed or none.
type Facts struct {
	Encoding     string `json:"encoding"`
	BOM          bool   `json:"bom"`
	EOL          string `json:"eol"` // lf, crlf, cr, mixed, none
	FinalNewline bool   `json:"final_newline"`
	Lines        int64  `json:"lines"`
	Indent       string `json:"indent"` // tab, spaces:N, mixed, none
}

// Describe reports the facts about a whole text file in the encoding e, nil being UTF-8. A byte
// order mark at the start is not part of the text.
func Describe(content []byte, e *charset.Encoding) Facts {
	text, bom := content, false
	if mark := e.BOM(); len(mark) > 0 {
		text, bom = bytes.CutPrefix(content, mark)
	}
	facts := Facts{Encoding: e.Name(), BOM: bom}
	if e.IsUTF8() && !utf8.Valid(text) {
		facts.Encoding = unknown8bit
	}
	tally, indents := NewLineTally(nil), lines.IndentTally{}
	for part := range parts(text, e) {
		tally.Write(part)
		indents.Add(part)
	}
	indents.End()
	facts.EOL, facts.Lines, facts.FinalNewline = tally.eol(), tally.Lines(), tally.final
	facts.Indent = describeIndent(indents)
	return facts
}

// parts yields a text in UTF-8, or in whatever it is that has ASCII as it is.
func parts(content []byte, e *charset.Encoding) iter.Seq[[]byte] {
	if e.IsWide() {
		return e.Texts(content)
	}
	return func(yield func([]byte) bool) { yield(content) }
}

// EOL is the EOL of Describe's Facts; it takes less time than Describe.
func EOL(content []byte, e *charset.Encoding) string {
	if e.IsWide() {
		content = bytes.TrimPrefix(content, e.BOM())
	}
	tally := NewLineTally(nil)
	for part := range parts(content, e) {
		tally.Write(part)
	}
	return tally.eol()
}

// describeIndent names the indentation of a text. Tabs and spaces are mixed only if each kind has
// at least a tenth of the indented lines: fewer are stray lines, or sample text.
func describeIndent(tally lines.IndentTally) string {
	less, all := min(tally.Tabs, tally.Spaces), tally.Tabs+tally.Spaces
	switch {
	case all == 0:
		return "none"
	case less*10 >= all && less > 0:
		return "mixed"
	case tally.Tabs > tally.Spaces:
		return "tab"
	}
	return "spaces:" + string(rune('0'+tally.Step()))
}
