package edit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"fsbox/textio/lines"
)

// Caps of the text shown of a region: enough to copy from, small enough for a model's context.
const (
	shownLines     = 40
	shownChars     = 4000 // code points altogether
	shownLineChars = 1000 // code points of one line
	snippetChars   = 200  // code points of a line in an error about several places
)

// render describes the region with the difference found in it.
func (c comparison) render(at differencePoint) ClosestMatch {
	shown := ClosestMatch{StartLine: int64(c.region.start) + 1, EndLine: int64(c.region.end), Difference: at.show()}
	c.showText(&shown, at)
	return shown
}

// showText adds the region's lines, or those around the difference if it is too long, with a note
// for those left out.
func (c comparison) showText(to *ClosestMatch, at differencePoint) {
	from, last := c.region.start, min(at.line, c.region.end-1)
	if at.line >= from+shownLines*3/4 {
		from = last - shownLines/4
	}
	before := 0
	for n := last - 1; n >= from; n-- {
		if before += min(utf8.RuneCount(c.file.Line(n)), shownLineChars); before > shownChars*3/4 {
			from = n + 1
		}
	}
	lines := LeftOut(nil, int64(c.region.start)+1, int64(from))
	n, left := from, shownChars
	for ; n < min(c.region.end, from+shownLines) && left > 0; n++ {
		focus := 0
		if n == at.line {
			focus = at.foundAt
		}
		line := c.file.Line(n)
		shown := excerpt(line, focus, min(left, shownLineChars))
		to.Truncated = to.Truncated || utf8.RuneCount(line) > min(left, shownLineChars)
		left -= utf8.RuneCountInString(shown)
		lines = append(lines, shown)
	}
	to.Before, to.After = int64(from-c.region.start), int64(c.region.end-n)
	to.Truncated = to.Truncated || to.Before+to.After > 0
	to.Text = strings.Join(LeftOut(lines, int64(n)+1, int64(c.region.end)), "\n")
}

// ShowLines returns a text as ClosestMatch.Text has it.
func ShowLines(text lines.Text) string {
	whole := comparison{file: text, expected: text, region: lineRegion{end: text.Count()}}
	var shown ClosestMatch
	whole.showText(&shown, differencePoint{})
	return shown.Text
}

// LeftOut appends a note that the lines from first to last are not shown, if there are any.
func LeftOut(lines []string, first, last int64) []string {
	if first > last {
		return lines
	}
	return append(lines, fmt.Sprintf("… (lines %d-%d left out)", first, last))
}

// Snippets returns the line where each span begins, between its neighbours.
func Snippets(file lines.Text, spans []Span) []string {
	snippets := make([]string, 0, len(spans))
	for _, span := range spans {
		var list []string
		first := file.Count() // behind the last line
		if span.Start < len(file.Bytes) || first > 0 && !file.Ended(first-1) {
			first = file.At(span.Start)
		}
		for n := max(first-1, 0); n <= first || n < min(first+2, file.Count()); n++ {
			line, at := file.Line(n), 0
			if n == first {
				at = min(len(line), span.Start-file.Offset(n))
			}
			list = append(list, excerpt(line, at, snippetChars))
		}
		snippets = append(snippets, strings.Join(list, "\n"))
	}
	return snippets
}

// lineAround returns the byte range of the line that offset at lies in, with its ending.
func lineAround(text []byte, at int) (start, end int) {
	start = bytes.LastIndexByte(text[:at], '\n') + 1
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return start, at + i + 1
	}
	return start, len(text)
}

// excerpt returns up to limit code points of line around the byte offset at, with "…" for what is
// cut, and U+FFFD for each invalid byte.
func excerpt(line []byte, at, limit int) string {
	from, to := windowAround(line, at, limit)
	shown := string([]rune(string(line[from:to]))) // which makes U+FFFD of invalid bytes
	if from > 0 {
		shown = "…" + shown
	}
	if to < len(line) {
		shown += "…"
	}
	return shown
}

// windowAround returns the byte range of up to limit code points of line that has the offset at in
// its middle, or as near to it as the ends allow.
func windowAround(line []byte, at, limit int) (from, to int) {
	from, before := stepBack(line, at, limit/2)
	to, after := stepAhead(line, at, limit-before)
	from, _ = stepBack(line, from, limit-before-after)
	return from, to
}

func stepBack(line []byte, at, limit int) (offset, steps int) {
	for at > 0 && steps < limit {
		_, size := utf8.DecodeLastRune(line[:at])
		at -= size
		steps++
	}
	return at, steps
}

func stepAhead(line []byte, at, limit int) (offset, steps int) {
	for at < len(line) && steps < limit {
		_, size := utf8.DecodeRune(line[at:])
		at += size
		steps++
	}
	return at, steps
}
