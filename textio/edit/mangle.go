package edit

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// How a model mangles a text that it copies. Each is a reason why a text isn't found that lies in
// what was sent, not in the file, and what a warning about new text can name.
const (
	MangleLineNumbers = "line_numbers"    // each line begins with its number, as programs that show files print it
	MangleDiffMarks   = "diff_marks"      // each line begins with the mark of a diff
	MangleBlocks      = "blocks"          // the text is a block to search and replace: see isBlockMark
	MangleFence       = "fence"           // the text is between lines of three backquotes
	MangleEntities    = "entities"        // < is written as &lt;
	MangleTwice       = "entities_twice"  // < is written as &amp;lt; where the file has &lt;
	MangleDecoded     = "decoded"         // the other way round: the file has &lt; where < was sent
	MangleUnicode     = "unicode_escapes" // the file has \u00e9, six characters, where é was sent
	MangleEscapes     = "escapes"         // a line end is written as \n, two characters, or a quote as \"
	MangleUnescaped   = "unescaped"       // the other way round: the file has \n as two characters
)

// mend is a text with one kind of mangling undone, and that kind. sure says that the text was
// certainly mangled: then regions like the fixed text are shown even if the file doesn't have it.
type fix struct {
	reason string
	text   []byte
	sure   bool
}

// maxEscaped bounds the texts whose characters are escaped in each way, in bytes: that makes them
// several times as long.
const maxEscaped = 256 << 10

// fixes yields all texts that may have been mangled to text, one after the other, as each takes as
// much memory as text; none if it has no sign of mangling.
func fixes(text []byte) iter.Seq[fix] {
	return func(yield func(fix) bool) {
		_ = yieldMends(text, func(reason string, plain []byte, sure bool) bool {
			return plain == nil || bytes.Equal(plain, text) || yield(fix{reason, plain, sure})
		})
	}
}

// yieldMends is false if add wants no more.
func yieldMends(text []byte, add func(reason string, plain []byte, sure bool) bool) bool {
	if !add(MangleLineNumbers, WithoutNumbers(text), bytes.Contains(text, lines.LF)) || !add(MangleBlocks, searchSide(text), true) ||
		!add(MangleDiffMarks, oldSide(firstHunk(text)), true) || !add(MangleDiffMarks, oldSide(text), false) ||
		!add(MangleFence, withoutFence(text), true) {
		return false
	}
	plain, entities := WithoutEntities(text), MangleEntities
	if Mangled(string(plain)) == MangleEntities {
		entities = MangleTwice
	}
	return add(entities, plain, true) && yieldEscapes(text, add)
}

// yieldEscapes is the part of yieldMends about escapes.
func yieldEscapes(text []byte, add func(reason string, plain []byte, sure bool) bool) bool {
	for _, form := range escapeForms {
		if len(text) <= maxEscaped && !add(MangleUnicode, escapedBy(text, form), false) {
			return false
		}
	}
	oneLine := bytes.Contains(text, []byte(`\n`)) && !bytes.Contains(text, lines.LF)
	for _, escapes := range escapeTables {
		if !add(MangleEscapes, replaceSigns(text, '\\', escapes), oneLine) {
			return false
		}
	}
	if hasLines(text) || bytes.Contains(text, []byte("\t")) {
		return add(MangleUnescaped, bytes.ReplaceAll(bytes.ReplaceAll(text, lines.LF, []byte(`\n`)), []byte("\t"), []byte(`\t`)), false)
	}
	return true
}

// escapeTables are signs as programs write them, each before what it is written for: escapes of
// line ends, those of quotes and of a shell, those of JSON for signs of HTML, and others of JSON.
var escapeTables = [...][]string{
	{`\r\n`, "\n", `\n`, "\n", `\t`, "\t", `\r`, "\r"},
	{`\"`, `"`, `\'`, `'`, "\\`", "`", `\$`, `$`},
	{`\u003c`, `<`, `\u003C`, `<`, `\u003e`, `>`, `\u003E`, `>`, `\u0026`, `&`, `\u0027`, `'`, `\u0022`, `"`},
	{`\r\n`, "\n", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\'`, `'`, `\\`, `\`, `\/`, `/`},
}

// entities are those that programs write for signs of code.
var entities = []string{"&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&#x27;", "'", "&apos;", "'",
	"&nbsp;", " ", "&#x2F;", "/", "&#47;", "/", "&amp;", "&"}

// escapeForms are how languages write a character beyond ASCII, by its code point or by a byte of
// its UTF-8.
var escapeForms = [...]string{`\u%04x`, `\u%04X`, `\u{%x}`, `\u{%X}`, `\U%08x`, `&#%d;`, `&#x%x;`, `&#x%X;`, `\x%02x`, `\%03o`}

// escapedBy is a text with its characters beyond ASCII escaped; those that \u has no room for are
// two surrogates.
func escapedBy(text []byte, form string) (out []byte) {
	if charset.IsASCII(text) {
		return text
	}
	for _, r := range string(text) {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case form[1] == 'x' || form[1] == '%':
			for _, c := range []byte(string(r)) {
				out = fmt.Appendf(out, form, c)
			}
		case r > 0xffff && strings.HasPrefix(form, `\u%`):
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(fmt.Appendf(out, form, high), form, low)
		default:
			out = fmt.Appendf(out, form, r)
		}
	}
	return out
}

// replaceSigns replaces signs, which all begin with the byte first, by what they are written for.
func replaceSigns(text []byte, first byte, table []string) []byte {
	if bytes.IndexByte(text, first) < 0 {
		return text
	}
	return []byte(strings.NewReplacer(table...).Replace(string(text)))
}

// Mangled says how a text was mangled, if that is certain without the file: MangleLineNumbers,
// MangleEntities or "". A single line that begins with a number is enough.
func Mangled(text string) string {
	switch {
	case WithoutNumbers([]byte(text)) != nil:
		return MangleLineNumbers
	case len(WithoutEntities([]byte(text))) < len(text):
		return MangleEntities
	}
	return ""
}

// WithoutEntities replaces the HTML entities that programs write for signs of code.
func WithoutEntities(text []byte) []byte { return replaceSigns(text, '&', entities) }

// withoutFence takes off a first line that begins with three backquotes and a last one of three
// backquotes; nil if there aren't both.
func withoutFence(text []byte) []byte {
	trimmed := bytes.TrimSpace(text)
	first, rest, more := bytes.Cut(trimmed, lines.LF)
	inner, closed := bytes.CutSuffix(rest, []byte("```"))
	if !more || !closed || !bytes.HasPrefix(first, []byte("```")) || !bytes.HasSuffix(inner, lines.LF) {
		return nil
	}
	return bytes.TrimSuffix(inner, lines.LF)
}

// searchSide returns the old lines of the first block to search and replace; nil if there is none.
// Roo Code has the number of the first line above them.
func searchSide(text []byte) (old []byte) {
	inside, begun := false, false
	for line := range bytes.Lines(text) {
		switch {
		case !inside:
			inside = isBlockMark(line, " SEARCH")
		case bytes.HasPrefix(line, []byte("=======")):
			return old
		case !begun && (bytes.HasPrefix(line, []byte(":start_line:")) || bytes.HasPrefix(line, []byte(":end_line:"))):
		case !begun && string(lines.TrimEnd(line)) == "-------":
		default:
			begun = true
			old = append(old, line...)
		}
	}
	return nil
}

// isBlockMark reports whether a line is one of those around a block to search and replace, or one
// side of it: several signs, and a word. Programs differ in the signs: <<<<<<< SEARCH and
// >>>>>>> REPLACE, or ------- SEARCH and +++++++ REPLACE. Only the first may be followed by more:
// "----- SEARCH RESULTS" is a heading.
func isBlockMark(line []byte, words ...string) bool {
	signs := len(line) - len(bytes.TrimLeft(line, "<>-+"))
	rest := string(bytes.TrimRight(line[signs:], "> \t\r\n"))
	return signs >= minBlockSigns && slices.ContainsFunc(words, func(word string) bool {
		return rest == word || line[0] == '<' && strings.HasPrefix(rest, word)
	})
}

// minBlockSigns is how many signs such a line has at least; a diff has three before a name.
const minBlockSigns = 5

// firstHunk returns the lines of the first hunk of a diff; nil if there is none.
func firstHunk(text []byte) []byte {
	_, hunk, _ := bytes.Cut(slices.Concat(lines.LF, text), []byte("\n@@"))
	_, hunk, _ = bytes.Cut(hunk, lines.LF)
	for _, line := range [...]string{"\n@@", "\ndiff --git "} {
		if end := bytes.Index(hunk, []byte(line)); end >= 0 {
			hunk = hunk[:end+1]
		}
	}
	return hunk
}

// oldSide returns the lines of a diff that are in the old file; nil if a line has no mark of a
// diff, or if no line is removed or added.
func oldSide(text []byte) []byte {
	var old []byte
	changes := false
	for line := range bytes.Lines(text) {
		switch line[0] {
		case ' ':
			old = append(old, line[1:]...)
		case '-':
			changes = true
			old = append(old, line[1:]...)
		case '+':
			changes = true
		case '\n':
			old = append(old, '\n')
		default:
			return nil
		}
	}
	if !changes || len(bytes.TrimSpace(old)) == 0 {
		return nil
	}
	return old
}

// WithoutNumbers takes line numbers off, and anchors, with or without a file's name in front of
// them; nil if a line has none, or they don't go up.
func WithoutNumbers(text []byte) []byte {
	last, tight := 0, false // tight: a line's text follows its number without a blank
	for line := range bytes.Lines(text) {
		number, rest, ok := cutNumber(line)
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case !ok || number <= last:
			return nil
		default:
			last = number
			tight = tight || len(bytes.TrimSpace(rest)) > 0 && rest[0] != ' '
		}
	}
	if last == 0 {
		return nil
	}
	var plain []byte
	spaced := !tight && hasColon(text)
	for line := range bytes.Lines(text) {
		if _, rest, ok := cutNumber(line); ok {
			line = rest
		}
		if spaced {
			line = bytes.TrimPrefix(line, []byte(" "))
		}
		plain = append(plain, line...)
	}
	return plain
}

// hasColon reports whether the sign after the first line's number is one after which programs write
// a blank, as in "12: text": neither a tab nor an arrow.
func hasColon(text []byte) bool {
	digits := withoutID(bytes.TrimLeft(text, " L0123456789"))
	return len(digits) > 0 && digits[0] != '\t' && !bytes.HasPrefix(digits, []byte("→"))
}

// cutNumber cuts a line after its number and the sign that follows it.
func cutNumber(line []byte) (number int, rest []byte, ok bool) {
	text := bytes.TrimLeft(line, " \t")
	if name, after, found := bytes.Cut(text, []byte(":")); found && isFileName(name) {
		text = after
	}
	text = bytes.TrimPrefix(text, []byte("L"))
	digits := len(text) - len(bytes.TrimLeft(text, "0123456789"))
	if digits == 0 {
		return 0, nil, false
	}
	number, err := strconv.Atoi(string(text[:digits]))
	if err != nil || number == 0 {
		return 0, nil, false
	}
	for _, sign := range [...]string{"→", "\t", ":", "|", "│", " |", " │", "-"} {
		if rest, ok := bytes.CutPrefix(withoutID(text[digits:]), []byte(sign)); ok {
			return number, rest, true
		}
	}
	return 0, nil, false
}

// withoutID takes off what an anchor has after the number of its line: # and three letters or
// digits.
func withoutID(text []byte) []byte {
	if len(text) > 4 && text[0] == '#' && isIDs(text[1]) && isIDs(text[2]) && isIDs(text[3]) {
		return text[4:]
	}
	return text
}

// isIDs reports whether an ID may have a letter or digit.
func isIDs(b byte) bool { return 'A' <= b && b <= 'Z' || '2' <= b && b <= '9' }

// isFileName reports whether a text can be what grep writes before a line's number.
func isFileName(name []byte) bool {
	return len(name) > 0 && bytes.IndexByte(name, '.') > 0 && !bytes.ContainsAny(name, " \t\"'()=")
}
