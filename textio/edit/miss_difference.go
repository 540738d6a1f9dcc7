package edit

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/textio/diff"
	"fsbox/textio/lines"

	"golang.org/x/text/unicode/norm"
)

// LineDifference is the first difference between a region and the expected text: its 1-based line,
// its 1-based column in code points, and that line of both texts. Each is cut to 60 code points
// before and after the difference. Blanks that matter are visible: tab →, space at a line's end or
// at the difference ·, CR ␍, LF ␊, NBSP ⍽, other odd spaces and control characters <U+XXXX>,
// invalid bytes <0xXX>.
type LineDifference struct {
	Line     int64  `json:"line"`
	Column   int    `json:"column"` // code points, from 1
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

const shownAround = 60 // code points of a line shown on either side of its difference

// comparison compares an expected text with a region of a file. The text may begin and end within
// lines of the file, unless whole is set.
type comparison struct {
	ctx            context.Context // of the search for regions
	file, expected lines.Text
	region         lineRegion
	whole          bool
}

// differencePoint is where a region first differs: the line of the file from 0, which may be the
// one after the last, both sides of it, and the byte offset of the difference in each.
type differencePoint struct {
	line                int
	expected, found     []byte
	expectedAt, foundAt int
}

func (c comparison) firstDifference() differencePoint {
	start := c.region.start - c.blankLinesBefore()
	for i := range c.expected.Count() {
		expected, n := c.expected.Line(i), start+i
		if n < 0 {
			return differencePoint{line: c.region.start, expected: lines.LF, found: c.file.Line(c.region.start)}
		}
		if n >= c.file.Count() {
			if len(expected) == 0 {
				expected = lines.LF // a blank line, to be seen
			}
			return differencePoint{line: n, expected: expected}
		}
		found := c.file.Line(n)
		if c.sameLine(i, expected, found) {
			continue
		}
		at := differsFrom(n, expected, found, 0)
		if i == 0 && !c.whole {
			at = firstLineDiffers(n, expected, found)
		}
		if !c.whole && c.expected.Ended(i) {
			at = at.withEnd()
		}
		return at
	}
	return c.lackOfEnd()
}

// blankLinesBefore is how many blank lines the expected text has before the line with which the
// region begins.
func (c comparison) blankLinesBefore() int {
	n := 0
	for n < c.expected.Count()-1 && len(c.expected.Line(n)) == 0 {
		n++
	}
	if n == 0 || c.whole || !bytes.Equal(bytes.TrimSpace(c.expected.Line(n)), bytes.TrimSpace(c.file.Line(c.region.start))) {
		return 0
	}
	return n
}

// blankLine reports whether one side is a blank line at the difference, and the other isn't.
func (at differencePoint) blankLine() (sent, found bool) {
	isBlank := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	return isBlank(at.expected) && !isBlank(at.found), isBlank(at.found) && !isBlank(at.expected)
}

// lackOfEnd is the difference where all lines agree: the file has no line end after its last line.
func (c comparison) lackOfEnd() differencePoint {
	last := c.expected.Count() - 1
	expected, line := c.expected.Line(last), c.region.start+last
	found := c.file.Line(line)
	return differencePoint{line: line, expected: append(bytes.Clone(expected), '\n'), expectedAt: len(expected),
		found: found, foundAt: len(found)}
}

// goesOn reports whether a line of the file goes on where the expected text has its line end.
func (at differencePoint) goesOn() bool {
	return bytes.HasSuffix(at.expected[at.expectedAt:], lines.LF) && len(at.expected) == at.expectedAt+1 && at.foundAt < len(at.found)
}

// withEnd adds the expected line end, so that it is shown, where the line of the file continues
// with more than blanks.
func (at differencePoint) withEnd() differencePoint {
	rest := at.found[at.foundAt:]
	if at.expectedAt == len(at.expected) && len(bytes.TrimSpace(rest)) > 0 && rest[0] != '\r' {
		at.expected = append(bytes.Clone(at.expected), '\n')
	}
	return at
}

// sameLine reports whether expected line i agrees with found, a line of the file. Unless lines must
// be whole, the first expected line may be the end of found, and the last one its beginning if no
// line end is expected after it.
func (c comparison) sameLine(i int, expected, found []byte) bool {
	last := c.expected.Count() - 1
	switch {
	case bytes.Equal(expected, found):
		return true
	case c.whole:
		return false
	}
	return i == 0 && bytes.HasSuffix(found, expected) || i == last && !c.expected.Ended(last) && bytes.HasPrefix(found, expected)
}

// firstLineDiffers finds the first difference between the first expected line and a line found,
// inside which it may begin: it compares from the place of the longest beginning of expected that
// found has. If that is under 3 bytes and under a quarter of expected, it compares from the start
// of the line.
func firstLineDiffers(line int, expected, found []byte) differencePoint {
	n := sort.Search(len(expected), func(n int) bool { return !bytes.Contains(found, expected[:n+1]) })
	if n < 3 && n*4 < len(expected) {
		n = 0 // rather the whole line, changed near its beginning
	}
	return differsFrom(line, expected, found, bytes.Index(found, expected[:n]))
}

// differsFrom finds the first difference between expected and found from the offset from on, at the
// boundary of a code point in both.
func differsFrom(line int, expected, found []byte, from int) differencePoint {
	rest := found[from:]
	n := diff.Head(expected, rest)
	for n > 0 && (insideRune(expected, n) || insideRune(rest, n)) {
		n--
	}
	return differencePoint{line: line, expected: expected, found: found, expectedAt: n, foundAt: from + n}
}

// insideRune reports whether a code point of b begins before at and ends after it.
func insideRune(b []byte, at int) bool {
	for start := at - 1; start >= max(0, at-utf8.UTFMax+1); start-- {
		if _, size := utf8.DecodeRune(b[start:]); start+size > at {
			return true
		}
	}
	return false
}

// fitted is the region made to hold just the lines that differ from the expected text in less than
// content, and how they differ: line ends may be where the text has blanks, and vice versa.
// A region that differs in content stays as it is, and so does that of a long text.
func (c comparison) fitted() (fits lineRegion, reason string) {
	if len(sought(c.expected).Bytes) < len(c.expected.Bytes) {
		return c.region, c.longReason()
	}
	asFound := c.region
	if reason = c.reason(); reason == ClosestContent {
		const more = 10 // lines: as many as a model puts into one
		c.region.start, c.region.end = max(0, asFound.start-more), min(c.file.Count(), asFound.end+more)
		if reason = c.reason(); reason == ClosestContent {
			return asFound, reason
		}
	}
	keepsLines := reason == ClosestTrailingBlanks || reason == ClosestIndentation // and so needs as many
	if keepsLines && c.region.end-c.region.start == c.expected.Count() {
		return c.region, reason
	}
	wide := c.region
	holds := func(start, end int) bool {
		c.region.start, c.region.end = start, end
		return c.reason() == reason
	}
	skipped := sort.Search(wide.end-wide.start, func(n int) bool { return !holds(wide.start+n+1, wide.end) })
	fits.start = wide.start + skipped
	kept := sort.Search(wide.end-fits.start-1, func(n int) bool { return holds(fits.start, fits.start+n+1) })
	fits.end = fits.start + kept + 1
	return fits, reason
}

// longReason is reason for a long text: the lines are compared one by one, and all must agree.
func (c comparison) longReason() string {
	for _, f := range foldings() {
		if c.agrees(f) {
			return f.reason
		}
	}
	return ClosestContent
}

// agrees reports whether all lines are the same under a folding.
func (c comparison) agrees(f folding) bool {
	const longest = 1 << 20 // bytes of a line
	stop := stopper{ctx: c.ctx}
	var want, have []byte
	for i := range c.expected.Count() {
		expected, found := c.expected.Line(i), c.file.Line(min(c.region.start+i, c.file.Count()-1))
		if stop.now() || c.region.start+i >= c.file.Count() || len(expected)+len(found) > longest {
			return false
		}
		if want, have = f.fold(want[:0], expected), f.fold(have[:0], found); !bytes.Equal(want, have) {
			return false
		}
	}
	return true
}

// reason says how the region differs from the expected text. Of a long region only the part around
// the difference counts.
func (c comparison) reason() string {
	at := c.firstDifference()
	from, to := c.file.Offset(c.region.start), c.file.Offset(c.region.end)
	reach := 4*len(c.expected.Bytes) + 32<<10
	point := c.file.Offset(at.line) + at.foundAt
	start, end := max(from, min(to, point-reach)), min(to, point+reach)
	part := c.file.Bytes[start:end]
	if start > from || end < to {
		part = slices.Concat(cutAway(start > from), part, cutAway(end < to))
	}
	return foldReason(c.ctx, part, c.expected.Bytes, c.whole)
}

// cutAway is what a part of a region has in place of what was cut off, so that no line begins or
// ends there: a byte that no expected text has.
func cutAway(isCut bool) []byte {
	if isCut {
		return []byte{0xFF}
	}
	return nil
}

func (at differencePoint) show() LineDifference {
	d := LineDifference{
		Line:     int64(at.line) + 1,
		Column:   utf8.RuneCount(at.found[:at.foundAt]) + 1,
		Expected: showBlanks(at.expected, at.expectedAt, false),
		Found:    showBlanks(at.found, at.foundAt, false),
	}
	if at.looksAlike() || norm.NFC.String(d.Expected) == norm.NFC.String(d.Found) { // a middle dot is also the sign for a blank
		d.Expected = showBlanks(at.expected, at.expectedAt, true)
		d.Found = showBlanks(at.found, at.foundAt, true)
	}
	return d
}

// looksAlike reports whether both sides are the same at the difference except for the form of
// accents: é as one code point or as two. What follows may differ in other ways.
func (at differencePoint) looksAlike() bool {
	first := func(line []byte, at int) string { // the code point before and that at the difference
		from, before := stepBack(line, at, 1)
		to, _ := stepAhead(line, at, 8)
		text := norm.NFC.Bytes(line[from:to])
		end, _ := stepAhead(text, 0, before+1)
		return string(text[:end])
	}
	return at.expectedAt < len(at.expected) && at.foundAt < len(at.found) &&
		first(at.expected, at.expectedAt) == first(at.found, at.foundAt)
}

// showBlanks returns line around the byte offset at, with blanks made visible. With codes, which is
// for texts that would look alike, all characters beyond ASCII are shown by their numbers.
func showBlanks(line []byte, at int, codes bool) string {
	from, _ := stepBack(line, at, shownAround)
	to, _ := stepAhead(line, at, shownAround)
	trailing := len(bytes.TrimRight(line, " \t\r\n"))
	runStart := len(bytes.TrimRight(line[:at], " \t"))
	runEnd := len(line) - len(bytes.TrimLeft(line[at:], " \t"))
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
	}
	for i := from; i < to; {
		r, size := utf8.DecodeRune(line[i:to])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "<0x%02X>", line[i])
		case r == ' ' && (i >= trailing || i >= runStart && i < runEnd):
			b.WriteRune('·')
		default:
			showRune(&b, r, codes)
		}
		i += size
	}
	if to < len(line) {
		b.WriteString("…")
	}
	return b.String()
}

func showRune(b *strings.Builder, r rune, codes bool) {
	switch {
	case codes && (r >= utf8.RuneSelf || r == '<'):
		fmt.Fprintf(b, "<U+%04X>", r)
	case r == '\t':
		b.WriteRune('→')
	case r == '\r':
		b.WriteRune('␍')
	case r == '\n':
		b.WriteRune('␊')
	case r == 0xA0:
		b.WriteRune('⍽')
	case r != ' ' && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)):
		fmt.Fprintf(b, "<U+%04X>", r)
	default:
		b.WriteRune(r)
	}
}
