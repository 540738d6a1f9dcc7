package words

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hiddenFinder finds characters that a terminal doesn't show, or that change how it shows others.
// It sees a text from its beginning.
type hiddenFinder struct {
	marks int  // combining marks in a row, up to here
	base  bool // what comes before is a letter or the like, on which a mark may be
}

// MaxMarks is how many combining marks a character may have: no language needs more, and longer
// runs cover the lines above and below.
const MaxMarks = 4

// isHidden reports whether a character must be shown as an escape: it controls the terminal,
// changes the direction of text, takes no space, shows nothing, or is a mark that is one too many
// or has no letter before it. Such a mark would be drawn over what fsbox itself writes: the sign of
// a line, a quote, the end of an escape. before is the text up to the character.
func (d *hiddenFinder) isHidden(r rune, before string) bool {
	switch {
	case r < utf8.RuneSelf:
		d.marks, d.base = 0, r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
		return r < ' ' && r != '\t' || r == 0x7F
	case !unicode.IsMark(r):
		d.marks = 0
	default:
		d.marks++
		if !d.base || d.marks > MaxMarks || d.marks == 1 && endsInEscape(before) {
			return true
		}
	}
	const blank = '\u2800' // of Braille
	hidden := !unicode.IsPrint(r) || r == blank || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	d.base = !hidden
	return hidden
}

// endsInEscape reports whether a text ends in an escape, as Visible and strconv.Quote write them.
func endsInEscape(text string) bool {
	tail := text[max(0, len(text)-len(`\U0010ffff`)):]
	at := strings.LastIndexByte(tail, '\\')
	if at < 0 {
		return false
	}
	switch tail = tail[at+1:]; {
	case tail == "":
		return false
	case len(tail) == 1:
		return strings.Contains("abfnrtv", tail)
	}
	digits, known := map[byte]int{'x': 2, 'u': 4, 'U': 8}[tail[0]]
	return known && len(tail) == 1+digits && strings.Trim(tail[1:], "0123456789abcdef") == ""
}

// Visible writes hidden characters (see isHidden), and bytes that aren't UTF-8, as escapes.
func Visible(text string) string {
	var b strings.Builder
	var d hiddenFinder
	text = escapeInvalid(text)
	for i, r := range text {
		switch {
		case !d.isHidden(r, text[:i]):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

// escapeInvalid writes bytes that aren't UTF-8 as \xff.
func escapeInvalid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// VisibleName is a path as it is, or quoted if it has something that doesn't show, or that could be
// taken for an escape.
func VisibleName(path string) string {
	if quoted := VisibleQuote(path); quoted != `"`+path+`"` {
		return quoted
	}
	return path
}

// VisibleQuote is a quoted text, with escapes for all that doesn't show.
func VisibleQuote(text string) string { return Visible(strconv.Quote(text)) }

// VisibleDiff is Visible for the lines of a diff. If it changes anything, it writes a backslash as
// two: so a text that has \x1b in it isn't the same as an escape.
func VisibleDiff(diff string) string {
	if VisibleLines(diff) == diff {
		return diff
	}
	return EscapedDiff(diff)
}

// EscapedDiff is VisibleDiff for a part of a diff that changes elsewhere.
func EscapedDiff(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		sign, text := line[:1], strings.TrimSuffix(line[1:], "\n") // a backslash in front is the diff's own
		b.WriteString(sign + Visible(strings.ReplaceAll(text, `\`, `\\`)) + "\n")
	}
	return b.String()
}

// VisibleLines is visible for a text of several lines: the line ends are kept.
func VisibleLines(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || r < ' ' && r != '\t' && r != '\n' || r == 0x7F }) {
		return text
	}
	return strings.Join(Mapped(strings.Split(text, "\n"), Visible), "\n")
}

// appendVisibleJSON writes JSON with escapes for hidden characters. Line ends aside, JSON can have
// these in strings only, where an escape means the same.
func appendVisibleJSON(b []byte, json string) []byte {
	var d hiddenFinder
	for i, r := range json {
		if !d.isHidden(r, json[:i]) || r == '\n' {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b
}

// VisibleJSON writes JSON with escapes for hidden characters: for what a person decides by or may
// see at a terminal, such as a log. Each piece that it gets ends at the end of a character.
type VisibleJSON struct{ W io.Writer }

func (v VisibleJSON) Write(json []byte) (int, error) {
	if _, err := v.W.Write(appendVisibleJSON(nil, string(json))); err != nil {
		return 0, err
	}
	return len(json), nil
}
