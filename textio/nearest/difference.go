package nearest

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

// Difference is the first difference between a region and the expected text: its 1-based line,
// its 1-based column in code points, and that line of both texts. Each is cut to 60 code points
// before and after the difference. Blanks that matter are visible: tab →, space at a line's end or
// at the difference ·, CR ␍, LF ␊, NBSP ⍽, other odd spaces and control characters <U+XXXX>,
// invalid bytes <0xXX>.
type Difference struct {
	Line     int64  `json:"line"`
	Column   int    `json:"column"` // code points, from 1
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

const shownAround = 60 // code points of a line shown on either side of its difference

// Comparison compares an expected text with a region of a file. The text may begin and end within
// lines of the file, unless whole is set.
type Comparison struct {
	Ctx            context.Context // of the search for regions
	File, Expected lines.Text
	Region         Region
	whole          bool
}

// Point is where a region first differs: the line of the file from 0, which may be the one after
// the last, both sides of it, and the byte offset of the difference in each.
type Point struct {
	Line                int
	Expected, Found     []byte
	ExpectedAt, FoundAt int
}

func (c Comparison) FirstDifference() Point {
	start := c.Region.Start - c.blankLinesBefore()
	for i := range c.Expected.Count() {
		expected, n := c.Expected.Line(i), start+i
		if n < 0 {
			return Point{Line: c.Region.Start, Expected: lines.LF, Found: c.File.Line(c.Region.Start)}
		}
		if n >= c.File.Count() {
			if len(expected) == 0 {
				expected = lines.LF // a blank line, to be seen
			}
			return Point{Line: n, Expected: expected}
		}
		found := c.File.Line(n)
		if c.sameLine(i, expected, found) {
			continue
		}
		at := DiffersFrom(n, expected, found, 0)
		if i == 0 && !c.whole {
			at = firstLineDiffers(n, expected, found)
		}
		if !c.whole && c.Expected.Ended(i) {
			at = at.withEnd()
		}
		return at
	}
	return c.lackOfEnd()
}

// blankLinesBefore is how many blank lines the expected text has before the line with which the
// region begins.
func (c Comparison) blankLinesBefore() int {
	n := 0
	for n < c.Expected.Count()-1 && len(c.Expected.Line(n)) == 0 {
		n++
	}
	if n == 0 || c.whole || !bytes.Equal(bytes.TrimSpace(c.Expected.Line(n)), bytes.TrimSpace(c.File.Line(c.Region.Start))) {
		return 0
	}
	return n
}

// BlankLine reports whether one side is a blank line at the difference, and the other isn't.
func (at Point) BlankLine() (sent, found bool) {
	isBlank := func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }
	return isBlank(at.Expected) && !isBlank(at.Found), isBlank(at.Found) && !isBlank(at.Expected)
}

// lackOfEnd is the difference where all lines agree: the file has no line end after its last line.
func (c Comparison) lackOfEnd() Point {
	last := c.Expected.Count() - 1
	expected, line := c.Expected.Line(last), c.Region.Start+last
	found := c.File.Line(line)
	return Point{Line: line, Expected: append(bytes.Clone(expected), '\n'), ExpectedAt: len(expected),
		Found: found, FoundAt: len(found)}
}

// GoesOn reports whether a line of the file continues where the expected text has its line end.
func (at Point) GoesOn() bool {
	return bytes.HasSuffix(at.Expected[at.ExpectedAt:], lines.LF) && len(at.Expected) == at.ExpectedAt+1 && at.FoundAt < len(at.Found)
}

// withEnd adds the expected line end, so that it is shown, where the line of the file continues
// with more than blanks.
func (at Point) withEnd() Point {
	rest := at.Found[at.FoundAt:]
	if at.ExpectedAt == len(at.Expected) && len(bytes.TrimSpace(rest)) > 0 && rest[0] != '\r' {
		at.Expected = append(bytes.Clone(at.Expected), '\n')
	}
	return at
}

// sameLine reports whether expected line i agrees with found, a line of the file. Unless lines must
// be whole, the first expected line may be the end of found, and the last one its beginning if no
// line end is expected after it.
func (c Comparison) sameLine(i int, expected, found []byte) bool {
	last := c.Expected.Count() - 1
	switch {
	case bytes.Equal(expected, found):
		return true
	case c.whole:
		return false
	}
	return i == 0 && bytes.HasSuffix(found, expected) || i == last && !c.Expected.Ended(last) && bytes.HasPrefix(found, expected)
}

// firstLineDiffers finds the first difference between the first expected line and a line found,
// inside which it may begin: it compares from the place of the longest beginning of expected that
// found has. If that is under 3 bytes and under a quarter of expected, it compares from the start
// of the line.
func firstLineDiffers(line int, expected, found []byte) Point {
	n := sort.Search(len(expected), func(n int) bool { return !bytes.Contains(found, expected[:n+1]) })
	if n < 3 && n*4 < len(expected) {
		n = 0 // rather the whole line, changed near its beginning
	}
	return DiffersFrom(line, expected, found, bytes.Index(found, expected[:n]))
}

// DiffersFrom finds the first difference between expected and found from the offset from on, at the
// boundary of a code point in both.
func DiffersFrom(line int, expected, found []byte, from int) Point {
	rest := found[from:]
	n := diff.Head(expected, rest)
	for n > 0 && (insideRune(expected, n) || insideRune(rest, n)) {
		n--
	}
	return Point{Line: line, Expected: expected, Found: found, ExpectedAt: n, FoundAt: from + n}
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
func (c Comparison) fitted() (fits Region, reason string) {
	if len(sought(c.Expected).Bytes) < len(c.Expected.Bytes) {
		return c.Region, c.longReason()
	}
	asFound := c.Region
	if reason = c.reason(); reason == Content {
		const more = 10 // lines: as many as a model puts into one
		c.Region.Start, c.Region.End = max(0, asFound.Start-more), min(c.File.Count(), asFound.End+more)
		if reason = c.reason(); reason == Content {
			return asFound, reason
		}
	}
	keepsLines := reason == TrailingBlanks || reason == Indentation // and so needs as many
	if keepsLines && c.Region.End-c.Region.Start == c.Expected.Count() {
		return c.Region, reason
	}
	wide := c.Region
	holds := func(start, end int) bool {
		c.Region.Start, c.Region.End = start, end
		return c.reason() == reason
	}
	skipped := sort.Search(wide.End-wide.Start, func(n int) bool { return !holds(wide.Start+n+1, wide.End) })
	fits.Start = wide.Start + skipped
	kept := sort.Search(wide.End-fits.Start-1, func(n int) bool { return holds(fits.Start, fits.Start+n+1) })
	fits.End = fits.Start + kept + 1
	return fits, reason
}

// longReason is reason for a long text: the lines are compared one by one, and all must agree.
func (c Comparison) longReason() string {
	for _, f := range foldings() {
		if c.agrees(f) {
			return f.reason
		}
	}
	return Content
}

// agrees reports whether all lines are the same under a folding.
func (c Comparison) agrees(f folding) bool {
	const longest = 1 << 20 // bytes of a line
	stop := lines.Stopper{Ctx: c.Ctx}
	var want, have []byte
	for i := range c.Expected.Count() {
		expected, found := c.Expected.Line(i), c.File.Line(min(c.Region.Start+i, c.File.Count()-1))
		if stop.Now() || c.Region.Start+i >= c.File.Count() || len(expected)+len(found) > longest {
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
func (c Comparison) reason() string {
	at := c.FirstDifference()
	from, to := c.File.Offset(c.Region.Start), c.File.Offset(c.Region.End)
	reach := 4*len(c.Expected.Bytes) + 32<<10
	point := c.File.Offset(at.Line) + at.FoundAt
	start, end := max(from, min(to, point-reach)), min(to, point+reach)
	part := c.File.Bytes[start:end]
	if start > from || end < to {
		part = slices.Concat(cutAway(start > from), part, cutAway(end < to))
	}
	return foldReason(c.Ctx, part, c.Expected.Bytes, c.whole)
}

// cutAway is what a part of a region has in place of what was cut off, so that no line begins or
// ends there: a byte that no expected text has.
func cutAway(isCut bool) []byte {
	if isCut {
		return []byte{0xFF}
	}
	return nil
}

func (at Point) show() Difference {
	d := Difference{
		Line:     int64(at.Line) + 1,
		Column:   utf8.RuneCount(at.Found[:at.FoundAt]) + 1,
		Expected: showBlanks(at.Expected, at.ExpectedAt, false),
		Found:    showBlanks(at.Found, at.FoundAt, false),
	}
	if at.looksAlike() || norm.NFC.String(d.Expected) == norm.NFC.String(d.Found) { // a middle dot is also the sign for a blank
		d.Expected = showBlanks(at.Expected, at.ExpectedAt, true)
		d.Found = showBlanks(at.Found, at.FoundAt, true)
	}
	return d
}

// looksAlike reports whether both sides are the same at the difference except for the form of
// accents: é as one code point or as two. What follows may differ in other ways.
func (at Point) looksAlike() bool {
	first := func(line []byte, at int) string { // the code point before and that at the difference
		from, before := stepBack(line, at, 1)
		to, _ := stepAhead(line, at, 8)
		text := norm.NFC.Bytes(line[from:to])
		end, _ := stepAhead(text, 0, before+1)
		return string(text[:end])
	}
	return at.ExpectedAt < len(at.Expected) && at.FoundAt < len(at.Found) &&
		first(at.Expected, at.ExpectedAt) == first(at.Found, at.FoundAt)
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
