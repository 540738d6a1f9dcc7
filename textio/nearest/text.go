package nearest

import (
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
)

// Render describes the region with the difference found in it.
func (c Comparison) Render(at Point) Match {
	shown := Match{StartLine: int64(c.Region.Start) + 1, EndLine: int64(c.Region.End), Difference: at.show()}
	c.showText(&shown, at)
	return shown
}

// showText adds the region's lines, or those around the difference if it is too long, with a note
// for those left out.
func (c Comparison) showText(to *Match, at Point) {
	from, last := c.Region.Start, min(at.Line, c.Region.End-1)
	if at.Line >= from+shownLines*3/4 {
		from = last - shownLines/4
	}
	before := 0
	for n := last - 1; n >= from; n-- {
		if before += min(utf8.RuneCount(c.File.Line(n)), shownLineChars); before > shownChars*3/4 {
			from = n + 1
		}
	}
	lines := LeftOut(nil, int64(c.Region.Start)+1, int64(from))
	n, left := from, shownChars
	for ; n < min(c.Region.End, from+shownLines) && left > 0; n++ {
		focus := 0
		if n == at.Line {
			focus = at.FoundAt
		}
		line := c.File.Line(n)
		shown := Excerpt(line, focus, min(left, shownLineChars))
		to.Truncated = to.Truncated || utf8.RuneCount(line) > min(left, shownLineChars)
		left -= utf8.RuneCountInString(shown)
		lines = append(lines, shown)
	}
	to.Before, to.After = int64(from-c.Region.Start), int64(c.Region.End-n)
	to.Truncated = to.Truncated || to.Before+to.After > 0
	to.Text = strings.Join(LeftOut(lines, int64(n)+1, int64(c.Region.End)), "\n")
}

// ShowLines returns a text as Match.Text has it.
func ShowLines(text lines.Text) string {
	whole := Comparison{File: text, Expected: text, Region: Region{End: text.Count()}}
	var shown Match
	whole.showText(&shown, Point{})
	return shown.Text
}

// LeftOut appends a note that the lines from first to last are not shown, if there are any.
func LeftOut(lines []string, first, last int64) []string {
	if first > last {
		return lines
	}
	return append(lines, fmt.Sprintf("… (lines %d-%d omitted)", first, last))
}

// Excerpt returns up to limit code points of line around the byte offset at, with "…" for what is
// cut, and U+FFFD for each invalid byte.
func Excerpt(line []byte, at, limit int) string {
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
