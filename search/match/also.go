package match

import (
	"bytes"
	"context"
	"sync/atomic"

	"fsbox/search/match/regex"
)

// Also is another query, whose matches are counted in the text that a search reads anyway. It may
// be shared by many goroutines.
type Also struct {
	m      *Matcher
	most   int64 // bytes of a file
	enough atomic.Bool
}

// NewAlso counts with m in so many bytes of each file; nil if it can't count what a search by main
// reads. The caller calls Stop once the files have so many bytes together: workers are ahead of it
// by different numbers of files in each run, so they don't know.
func NewAlso(m, main *Matcher, bytes int64) *Also {
	if main.literal == nil && main.query.Multiline || main.keepCR || m.query.Multiline != main.query.Multiline ||
		m.query.Multiline && m.keepCR {
		return nil
	}
	return &Also{m: m, most: bytes}
}

// EnoughLines is how many lines are counted in a file in which the search doesn't find all of them:
// where most lines match, to count takes longer than to search.
const EnoughLines = 50

// Stop ends the counting: enough lines were found.
func (a *Also) Stop() { a.enough.Store(true) }

// IsRunning is that of the matcher.
func (a *Also) IsRunning() bool { return a != nil && a.m.IsRunning() }

// mayMatch is that of the matcher, for lines in the middle of a file, from an offset on. Where no
// more is counted, it is false.
func (a *Also) mayMatch(lines []byte, offset int64, mem *regex.Memory) bool {
	return a != nil && !a.enough.Load() && offset < a.most && a.m.mayMatch(block{text: lines}, false, mem)
}

// AlsoResult is what an Also counts in a file.
type AlsoResult struct {
	Count int64 // matching lines, or matches of a multiline search
	Other int64 // the line of the first of them that the search doesn't find, 0 if there is none
	Part  bool  // there may be more: a part of the file wasn't searched, since the search ended or for one of the bounds
	Many  bool  // that part wasn't searched since there were EnoughLines
	Bytes int64 // of the text in which it has counted
}

// maxAlsoWhole is the largest text, in bytes, in which an Also counts matches that may span lines:
// RE2 needs a copy of it.
const maxAlsoWhole = 4 << 20

// counter counts with an Also in one file.
type counter struct {
	also   *Also
	main   *Matcher
	buf    *Buffers
	foldCR bool
	lines  int64 // before the next block, while no other line was found
	result AlsoResult
}

func newCounter(a *Also, main *Matcher, buf *Buffers) counter {
	if a == nil {
		return counter{}
	}
	if buf.also == nil {
		buf.also = new(Buffers)
	}
	return counter{also: a, main: main, buf: buf.also, foldCR: !a.m.keepCR && a.m.regex != nil && len(a.m.regex.Needs) == 0}
}

// lacks reports whether nothing is counted, or nothing more.
func (c *counter) lacks() bool { return c.also == nil || c.result.Part }

// add counts in a block, after the search: it changes the text.
func (c *counter) add(b block) {
	switch {
	case c.lacks():
		return
	case b.piece || c.also.enough.Load() || c.result.Bytes >= c.also.most:
		c.result.Part = true
		return
	case len(b.text) == 0:
		c.lines += b.passed
		return
	}
	text := b.text
	c.result.Bytes += int64(len(text))
	if c.foldCR {
		text = foldCRLF(text)
	}
	found := newCursor(c.also.m, text, c.buf)
	for pos := 0; pos < len(text) && found.err == nil; {
		at := found.find(pos)
		if at < 0 {
			break
		}
		start, end := lineStart(text, at), lineEnd(text, at)
		c.count(text, start, end)
		if pos = end + 1; c.hasEnough() {
			c.result.Part, c.result.Many = true, true
			return
		}
	}
	c.result.Part = c.result.Part || found.err != nil
	if c.result.Other == 0 {
		c.lines += int64(bytes.Count(text, []byte("\n")))
	}
}

func (c *counter) hasEnough() bool { return c.result.Count >= EnoughLines && c.result.Other > 0 }

// count counts the line text[start:end], which matches; in a search for whole words it only may
// match.
func (c *counter) count(text []byte, start, end int) {
	m := c.also.m
	if m.query.WholeWord && !c.isIn(m, text, start, end) {
		return
	}
	c.result.Count++
	if c.result.Other == 0 && !c.isIn(c.main, text, start, end) {
		c.result.Other = c.lines + int64(bytes.Count(text[:start], []byte("\n"))) + 1
	}
}

// isIn reports whether a line matches.
func (c *counter) isIn(m *Matcher, text []byte, start, end int) bool {
	line := text[start:end]
	if !m.keepCR {
		line = withoutCR(text, start, end)
	}
	spans, err := m.spans(line, 0, len(line)+1, 1, c.buf, c.buf.spans[:0])
	c.buf.spans = spans
	c.result.Part = c.result.Part || err != nil
	return len(spans) > 0
}

// whole counts in the text of a file whose matches may span lines.
func (c *counter) whole(ctx context.Context, text []byte) {
	if c.lacks() {
		return
	}
	if len(text) > maxAlsoWhole || c.also.enough.Load() {
		c.result.Part = true
		return
	}
	c.result.Bytes = int64(len(text))
	err := c.also.m.eachMatch(text, c.buf, func(start, _ int) bool {
		if isAfterLast(text, start) {
			return true
		}
		c.result.Count++
		if c.result.Other == 0 {
			if at, _ := c.main.findLiteral(text, start); at != start {
				c.result.Other = int64(bytes.Count(text[:start], []byte("\n"))) + 1
			}
		}
		c.result.Many = c.hasEnough()
		return !c.result.Many && ctx.Err() == nil
	})
	c.result.Part = c.result.Many || err != nil || ctx.Err() != nil
}

// isAfterLast reports whether a match begins after the last line of a text.
func isAfterLast(text []byte, start int) bool {
	return start == len(text) && (start == 0 || text[start-1] == '\n')
}
