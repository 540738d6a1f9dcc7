package textio

import (
	"bytes"
	"strings"
	"unicode"

	"fsbox/textio/lines"
)

// Omission is a line of a new text that looks like a placeholder for text left out, such as "// ...
// rest of the code ...". Line is its number from 1, Text the line without the blanks around it.
type Omission struct {
	Line int64
	Text string
}

// FindOmission returns the first such line of new, which is to replace old, that the whole text
// before the change doesn't have as well. A line is taken for one if it is made of a comment or a
// bracket, or begins with dots, and all its words speak of omission: "existing code", "rest of the
// file unchanged", "omitted for brevity". Dots alone in a comment count only if new has fewer lines
// than old. It knows words in English only.
func FindOmission(old, new, whole []byte) (Omission, bool) {
	shrinks := bytes.Count(new, lines.LF) < bytes.Count(old, lines.LF)
	dots := hasDots(new)
	var known map[string]bool
	number := int64(0)
	for line := range bytes.Lines(new) {
		number++
		line = bytes.TrimSpace(line)
		if !mayOmit(line, dots) || !omits(string(line), shrinks) {
			continue
		}
		if known == nil {
			known = trimmedLines(whole)
		}
		if text := string(line); !known[text] {
			return Omission{Line: number, Text: text}, true
		}
	}
	return Omission{}, false
}

func hasDots(text []byte) bool {
	return bytes.Contains(text, []byte("...")) || bytes.Contains(text, []byte("…"))
}

// opensNote reports the first byte of a comment or a bracket. A line that begins with another one
// needs dots to be an omission.
func opensNote(first byte) bool {
	switch first {
	case '/', '<', '-', '{', '(', '[', '%', ';', '\'', 'R', '*', '#':
		return true
	}
	return false
}

// mayOmit reports a line with dots, or with a word that a note without dots must have. Most lines
// have neither, and omits, which decides, is expensive. Dots says whether there are any in the
// text.
func mayOmit(line []byte, dots bool) bool {
	switch {
	case len(line) == 0 || len(line) > maxOmissionBytes:
		return false
	case dots && hasDots(line):
		return true
	case !opensNote(line[0]):
		return false
	}
	lower := bytes.ToLower(line)
	for _, word := range [...]string{"rest", "rema", "omitted", "brevity", "unchanged", "unmodified", "existing", "original", "previous", "current"} {
		if bytes.Contains(lower, []byte(word)) {
			return true
		}
	}
	return false
}

func trimmedLines(text []byte) map[string]bool {
	lines := make(map[string]bool)
	for line := range bytes.Lines(text) {
		lines[string(bytes.TrimSpace(line))] = true
	}
	return lines
}

// omits reports that a line, without blanks around it, is an omission.
func omits(line string, shrinks bool) bool {
	said, comment := uncomment(line)
	note := readNote(said)
	switch {
	case note.words == nil:
		return shrinks && comment && note.opens
	case note.opens && (comment || note.spaced):
		return note.phrase().omits(true)
	case note.closes && (comment || note.bracketed):
		return note.phrase().omits(false)
	case comment || note.bracketed:
		return note.phrase().omitsPlainly()
	}
	return omitsInside(line)
}

// maxOmissionBytes is the longest line looked at: who leaves text out is brief.
const maxOmissionBytes = 200

// omitsInside reports an omission in a comment after code, which must begin with dots.
func omitsInside(line string) bool {
	for _, mark := range [...]string{"/*", "//", "#", "<!--"} {
		code, said, found := strings.Cut(line, mark)
		if !found || strings.HasSuffix(code, ":") { // http://
			continue
		}
		said, _, _ = strings.Cut(said, "*/")
		said, _, _ = strings.Cut(said, "-->")
		if note := readNote(said); note.opens && note.words != nil && note.phrase().omits(true) {
			return true
		}
	}
	return false
}

// uncomment removes the comment signs from a line.
func uncomment(line string) (said string, comment bool) {
	if inner, ok := strings.CutPrefix(line, "{"); ok && strings.HasSuffix(inner, "}") { // {/* in JSX */}
		line = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
	}
	for _, mark := range [...][2]string{
		{"/*", "*/"}, {"//", ""}, {"<!--", "-->"}, {"--[[", "]]"}, {"{-", "-}"}, {"(*", "*)"}, {"<%#", "%>"}, {"{#", "#}"}, {"{{!", "}}"},
		{"--", ""}, {"#", ""}, {"%", ""}, {";", ""}, {"'", ""}, {"REM ", ""}, {"* ", ""},
	} {
		if inner, ok := strings.CutPrefix(line, mark[0]); ok {
			inner = strings.TrimLeft(inner, mark[0][len(mark[0])-1:])
			return strings.TrimSpace(strings.TrimSuffix(inner, mark[1])), !strings.HasPrefix(line, "##")
		}
	}
	return line, false
}

// note is what a comment or a line says.
type note struct {
	opens, closes bool // with dots
	spaced        bool // a blank follows the dots at its start: it is no spread operator
	bracketed     bool
	sentence      bool // it ends with a full stop or a colon
	words         []string
}

// readNote takes dots and brackets off the ends. There are no words if it says more than words.
func readNote(said string) note {
	var n note
	said = strings.TrimSpace(said)
	n.bracketed = strings.ContainsAny(said[:min(1, len(said))], "([<{") && strings.ContainsAny(said[max(0, len(said)-1):], ")]>}")
	said = strings.Trim(said, "()[]<>{} ")
	said = strings.ReplaceAll(said, "…", "...")
	inner := strings.TrimLeft(said, ".")
	n.opens = len(said)-len(inner) >= 3
	n.spaced = strings.HasPrefix(inner, " ") || strings.HasPrefix(inner, "[") || strings.HasPrefix(inner, "(")
	said = strings.TrimRight(inner, ".")
	n.closes = len(inner)-len(said) >= 3
	n.sentence = len(inner)-len(said) == 1 || strings.HasSuffix(said, ":")
	said = strings.Trim(said, "()[]<>{}*-,:; ")
	for _, word := range strings.Fields(said) {
		word = strings.Trim(word, "()[],:;'\"`")
		if strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-'’/", r)
		}) {
			n.words = []string{"?"}
			return n
		}
		n.words = append(n.words, word)
	}
	return n
}

func (n note) phrase() phrase {
	lower := make([]string, len(n.words))
	for i, word := range n.words {
		lower[i] = strings.ToLower(word)
	}
	return phrase{words: lower, dotted: n.opens && n.closes,
		heading: len(n.words) > 0 && n.words[0] != lower[0], sentence: n.sentence}
}
