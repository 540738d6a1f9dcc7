package edit

import (
	"bytes"

	"fsbox/textio/lines"
)

// mangled tries each way to mend the expected text, in order. If the file has the fixed text, the
// result is that place, with the first difference to the text as it was sent. If it hasn't, but
// that text was certainly mangled in this way, the result is the regions most like the fixed text,
// if there are any. reason names the kind of mangling; it is "" if nothing was found, except for
// blocks and diffs: no file has such text.
func (c comparison) mangled() (found []ClosestMatch, reason string) {
	text, expected := lines.WithLF(c.file.Bytes), lines.WithLF(c.expected.Bytes)
	for m := range fixes(expected) {
		if at := bytes.Index(text, m.text); at >= 0 && len(bytes.TrimSpace(m.text)) > 0 {
			if place, differs := c.mangledPlace(text, expected, at, len(m.text)); differs {
				return []ClosestMatch{place}, m.reason
			}
			continue
		}
		if m.sure && !(m.reason == MangleEscapes && c.isLikerThan(m.text)) {
			c.expected = lines.Split(m.text)
			if found, _, _ = c.nearest(); len(found) > 0 {
				return found, m.reason
			}
			if m.reason == MangleBlocks || m.reason == MangleDiffMarks {
				return nil, m.reason
			}
		}
	}
	return c.decoded(expected)
}

// maxDecoded bounds the file in which entities are looked for, in bytes: it is held some three
// times meanwhile.
const maxDecoded = 2 << 20

// decoded finds the expected text where the file has HTML entities for signs of it.
func (c comparison) decoded(expected []byte) (found []ClosestMatch, reason string) {
	if len(c.file.Bytes) > maxDecoded || !bytes.ContainsAny(expected, `&<>"'`) {
		return nil, ""
	}
	plain := WithoutEntities(lines.WithLF(c.file.Bytes))
	at := bytes.Index(plain, expected)
	if at < 0 {
		return nil, ""
	}
	c.region.start = bytes.Count(plain[:at], lines.LF)
	c.region.end = c.region.start + lines.Count(expected)
	return []ClosestMatch{c.render(c.firstDifference())}, MangleDecoded
}

// isLikerThan reports whether the file has a region at least as much like the expected text as any
// is like the fixed one: then an escape in it, as in a format, is one in the file as well.
func (c comparison) isLikerThan(fixed []byte) bool {
	best := func(expected lines.Text) float64 {
		if regions := closestTo(c.ctx, c.file, expected); len(regions) > 0 {
			return regions[0].score
		}
		return 0
	}
	sent := best(c.expected)
	return sent > 0 && sent >= best(lines.Split(fixed))
}

// mangledPlace describes the place in the text, with line ends as LF, where the fixed expected
// text is. The difference is the first one to the text as it was expected. differs is false if the
// line there is as expected: then the file itself has what only looks mangled.
func (c comparison) mangledPlace(text, expected []byte, at, size int) (place ClosestMatch, differs bool) {
	same := differsFrom(0, expected, text[at:], 0).expectedAt
	start, end := lineAround(text, at+same)
	d := differencePoint{line: bytes.Count(text[:start], lines.LF), found: text[start:end], foundAt: at + same - start}
	from, to := lineAround(expected, same)
	d.expected, d.expectedAt = expected[from:to], same-from
	if d.foundAt < len(d.found)-1 && d.expectedAt < len(d.expected) {
		d.expected, d.found = lines.TrimEnd(d.expected), lines.TrimEnd(d.found)
	}
	c.region.start = bytes.Count(text[:at], lines.LF)
	c.region.end = c.region.start + bytes.Count(bytes.TrimSuffix(text[at:at+size], lines.LF), lines.LF) + 1
	return c.render(d), !bytes.Equal(d.expected, d.found)
}
