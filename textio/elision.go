package textio

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fsbox/textio/lines"
)

// Elision is a line of a new text that looks like a placeholder for text left out, such as "// ...
// rest of the code ...". Line is its number from 1, Text the line without the blanks around it.
type Elision struct {
	Line int64
	Text string
}

// FindElision returns the first placeholder in new, a text that is to replace old. Lines that are
// also in whole, all of the text before the change, don't count. A line is a placeholder if it has
// dots, or is a comment or in brackets, and all its words speak of omission: "existing code", "rest
// of the file unchanged", "omitted for brevity". Dots alone in a comment count only if new has
// fewer lines than old. Only English words are known.
func FindElision(old, new, whole []byte) (Elision, bool) {
	shrinks := bytes.Count(new, lines.LF) < bytes.Count(old, lines.LF)
	dots := bytes.Contains(new, []byte("...")) || bytes.Contains(new, []byte("…"))
	var known map[string]bool
	number := int64(0)
	for line := range bytes.Lines(new) {
		number++
		text := bytes.TrimSpace(line)
		if len(text) == 0 || len(text) > maxElisionBytes || !dots && !opensNote(text[0]) || !omits(string(text), shrinks) {
			continue
		}
		if known == nil {
			known = map[string]bool{}
			for line := range bytes.Lines(whole) {
				known[string(bytes.TrimSpace(line))] = true
			}
		}
		if !known[string(text)] {
			return Elision{Line: number, Text: string(text)}, true
		}
	}
	return Elision{}, false
}

// maxElisionBytes and maxElisionWords bound the lines that can be placeholders: those are short.
const (
	maxElisionBytes = 200
	maxElisionWords = 10
)

// elisionWords are the words that placeholders consist of, by the part that each word plays.
var elisionWords = [...]string{
	filler: " the of this your my our all and is are as for from in to with keep goes there other above below before left exactly it was " +
		"were any no ",
	what: " file function functions method methods class classes implementation content contents logic line lines body imports tests " +
		"component components section sections document page module script program config configuration fields properties entries " +
		"items cases rules styles html css markup data handlers routes types definitions declarations variables constants statements " +
		"setup text change changes ",
	code:    " code ",
	known:   " existing original previous remaining current ",
	rest:    " rest remainder ",
	gone:    " unchanged unmodified omitted brevity ",
	cut:     " untouched elided snipped snip truncated ",
	staying: " same remains remain stays stay shown not here continue continues follows ",
}

const (
	filler = iota
	what   // what is left out
	code
	known   // "existing": the text that stays
	rest    // "rest of"
	gone    // "omitted", "unchanged"
	cut     // "elided": the same, but enough only with dots or "rest"
	staying // enough only with "rest" or between dots
	foreign
)

// note is what a line says, comment signs and brackets aside.
type note struct {
	comment, bracketed    bool
	opens, closes, period bool // it begins with dots, ends with dots, ends as a sentence
	has                   [foreign + 1]bool
	words                 int
}

// readNote sorts the words of a line by their parts, up to a word that no placeholder has. After
// dots and "existing" or "rest", up to two other words are taken for names if a known word follows:
// "... existing parseConfig function ...".
func readNote(line string) (n note) {
	sign, _, _ := strings.Cut(line, " ")
	n.comment = strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || line[0] == '#' && !strings.HasPrefix(line, "##") ||
		strings.Contains(" {/* <!-- -- --[[ % ; ' REM * (* {- {# {{! <%# ", " "+sign+" ")
	n.bracketed = strings.IndexByte("([<{", line[0]) >= 0 && strings.IndexByte(")]>}", line[len(line)-1]) >= 0
	text := strings.Trim(strings.ReplaceAll(strings.TrimPrefix(line, "REM "), "…", "..."), "/*#<>!-;%'{}()[]= ")
	n.opens, n.closes = strings.HasPrefix(text, "..."), strings.HasSuffix(text, "...")
	n.period = !n.closes && strings.HasSuffix(text, ".") || strings.HasSuffix(text, ":")
	names, name := 0, false
	for word := range strings.FieldsSeq(strings.Trim(text, "()[]<>{}*-,:;. ")) {
		part := partOf(strings.ToLower(strings.Trim(word, "()[],:;'\"`")))
		name = part == foreign && n.opens && (n.has[known] || n.has[rest]) && names < 2
		if n.words++; name {
			names++
		} else if n.has[part] = true; part == foreign {
			return n
		}
	}
	n.has[foreign] = name || n.words > maxElisionWords
	return n
}

func partOf(word string) int {
	for part, words := range elisionWords {
		if strings.Contains(words, " "+word+" ") {
			return part
		}
	}
	if strings.Trim(word, "0123456789-") == "" {
		return filler // "lines 10-20 omitted"
	}
	return foreign
}

// opensNote reports whether a comment or a bracket may begin with this byte.
func opensNote(first byte) bool { return strings.IndexByte("/<-{([%;'R*#", first) >= 0 }

// isCutNote reports whether a line, without blanks around it, is what a tool writes where it shows
// only a part of a file, such as "[lines 1-20 of 60; continue with start_line 21]": whoever copies
// that has not seen the rest.
func isCutNote(line string) bool {
	if line[0] != '[' || line[len(line)-1] != ']' {
		return false
	}
	for part := range strings.SplitSeq(strings.ToLower(line[1:]), "; ") {
		var from, to, all int64
		n, _ := fmt.Sscanf(strings.TrimPrefix(part, "showing "), "lines %d-%d of %d", &from, &to, &all)
		if n == 3 && (from > 1 || to < all) {
			return true
		}
	}
	return false
}

// omits reports whether a line, without blanks around it, is a placeholder. A line without dots
// must say in full that text is left out.
func omits(line string, shrinks bool) bool {
	if isCutNote(line) {
		return true
	}
	dots := strings.Contains(line, "...") || strings.Contains(line, "…")
	said := func(s string) bool { return strings.Contains(line, s) }
	if !dots && (!opensNote(line[0]) || !slices.ContainsFunc(fullSayings[:], said)) {
		return false // most lines end here
	}
	for _, begin := range [...]string{"/* ...", "// ...", "# ...", "<!-- ..."} { // a comment after code
		if at := strings.Index(line, begin); dots && at > 0 {
			line = line[at:]
		}
	}
	n := readNote(line)
	dotted := n.opens || n.closes
	switch {
	case n.words == 0:
		return shrinks && n.comment && n.opens
	case n.has[foreign], !n.comment && !n.bracketed && !n.opens:
		return false
	case n.words == 1 && !n.comment && !strings.Contains(line, " "):
		return false // a spread operator: ...items
	case says(line, "for brevity"), dotted && says(line, "same as before"):
		return true
	}
	noun := n.has[what] || n.has[code]
	switch {
	case dotted:
		return n.has[gone] || n.has[cut] || n.has[known] && noun || n.has[rest] && n.words > 1 && (noun || n.has[staying]) ||
			n.opens && n.closes && (noun || n.has[rest] || n.has[staying])
	case n.has[rest]:
		return n.has[gone] || n.has[cut] || n.has[staying]
	}
	return n.saysAll(line, noun)
}

// saysAll reports whether a note without dots and without "rest" says in full that text is left
// out: "existing code", "unchanged".
func (n note) saysAll(line string, noun bool) bool {
	sentence := says(line, " is ") || says(line, " are ") || says(line, " was ") || says(line, " were ") // a full sentence, as in tests
	single := n.words == 1 && strings.Contains(line, "un")                                               // with a capital, it is a heading
	return !n.period && (n.has[known] && n.has[code] || n.has[gone] && !n.has[staying] && !sentence && (noun || single))
}

// fullSayings are words of which every placeholder without dots has one. The first letter is left
// out, since it may be a capital.
var fullSayings = [...]string{"est", "emain", "mitted", "revity", "nchanged", "nmodified", "xisting", "riginal", "revious", "urrent"}

func says(line, phrase string) bool { return strings.Contains(strings.ToLower(line), phrase) }
