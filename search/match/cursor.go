package match

import (
	"bytes"

	"fsbox/search/match/literal"
)

// batchBytes is how much text the regular expression gets in one call, give or take a line.
const batchBytes = 64 << 10

// segment says where a gathered line came from.
type segment struct{ gathered, text int } // offsets

// cursor steps through the matching lines of a block. A literal is simply searched. For a regular
// expression, that runs over a batch of lines at a time. If every match is known to contain one of
// some strings, a batch is the lines that have one (candidate lines), gathered into one text; else
// it is all lines.
type cursor struct {
	m    *Matcher
	text []byte
	buf  *Buffers
	hits []int // in text, ascending: one in each matching line of the batch
	done int   // start of the first line that is in no batch yet
	next [literal.MaxFinders]int
	err  error
}

func newCursor(m *Matcher, text []byte, buf *Buffers) *cursor {
	c := &buf.cursor
	*c = cursor{m: m, text: text, buf: buf}
	c.goTo(0)
	return c
}

// goTo lets the next batch begin at done, a line start, and forgets which occurrences candidate has
// found.
func (c *cursor) goTo(done int) {
	c.done = done
	for i := range c.next {
		c.next[i] = -1
	}
}

// find gives an offset in the first matching line at or after from, a line start; -1 if there is
// none.
func (c *cursor) find(from int) int {
	if c.m.literal != nil {
		at, _ := c.m.findLiteral(c.text, from)
		return at
	}
	for c.err == nil {
		for ; len(c.hits) > 0; c.hits = c.hits[1:] {
			if c.hits[0] >= from {
				return c.hits[0]
			}
		}
		c.done = max(c.done, from)
		if c.done >= len(c.text) {
			return -1
		}
		c.fillBatch()
	}
	return -1
}

func (c *cursor) fillBatch() {
	c.buf.segments = c.buf.segments[:0]
	var batch []byte
	if len(c.m.regex.Needs) > 0 {
		batch = c.gather()
	} else {
		end := c.nextLine(min(c.done+batchBytes, len(c.text)))
		batch = c.text[c.done:end]
		c.buf.segments = append(c.buf.segments, segment{0, c.done})
		c.done = end
	}
	if len(c.buf.segments) == 0 {
		return
	}
	// without the line end of the last line, so that no empty line follows it
	hits, more, err := c.m.regex.Lines(bytes.TrimSuffix(batch, []byte("\n")), &c.buf.regex)
	c.err = err
	c.place(hits)
	if more {
		c.goTo(c.nextLine(c.hits[len(c.hits)-1]))
	}
}

// nextLine gives the start of the line after the one that contains at.
func (c *cursor) nextLine(at int) int { return min(lineEnd(c.text, at)+1, len(c.text)) }

// place turns offsets in the batch into offsets in the text.
func (c *cursor) place(hits []int) {
	segs := c.buf.segments
	for i, at := range hits {
		for len(segs) > 1 && segs[1].gathered <= at {
			segs = segs[1:]
		}
		hits[i] = segs[0].text + at - segs[0].gathered
	}
	c.hits = hits
}

// gather copies candidate lines from done on into one text.
func (c *cursor) gather() []byte {
	c.buf.gathered = c.buf.gathered[:0]
	for len(c.buf.gathered) < batchBytes && c.done < len(c.text) {
		at := c.candidate(c.done)
		if at < 0 {
			c.done = len(c.text)
			break
		}
		start, end := lineStart(c.text, at), lineEnd(c.text, at)
		c.buf.segments = append(c.buf.segments, segment{len(c.buf.gathered), start})
		c.buf.gathered = append(c.buf.gathered, c.line(start, end)...)
		c.buf.gathered = append(c.buf.gathered, '\n')
		c.done = min(end+1, len(c.text))
	}
	return c.buf.gathered
}

// line is the line text[start:end] as the expression gets it: with the \r of its line end only if
// the query asks for \r.
func (c *cursor) line(start, end int) []byte {
	if c.m.keepCR {
		return c.text[start:end]
	}
	return withoutCR(c.text, start, end)
}

// withoutCR is the line text[start:end] without the \r of its line end.
func withoutCR(text []byte, start, end int) []byte {
	if end < len(text) && end > start && text[end-1] == '\r' {
		end--
	}
	return text[start:end]
}

// candidate finds the first needed string at or after from. The next occurrence of each string is
// remembered, so that the text isn't searched again and again for a rare one.
func (c *cursor) candidate(from int) int {
	first := -1
	for i, f := range c.m.regex.Needs {
		if c.next[i] < from {
			if c.next[i], _ = f.Find(c.text, from); c.next[i] < 0 {
				c.next[i] = len(c.text)
			}
		}
		if at := c.next[i]; at < len(c.text) && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}

// lineStart gives the start of the line that holds at.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd gives the offset of the line end at or after at, or the end of the text.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}
