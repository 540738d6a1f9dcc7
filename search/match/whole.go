package match

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"fsbox/textio/charset"
)

// maxWhole is the largest file that a multiline search loads, in bytes. RE2 needs a copy of each
// text in its own memory, 4 GiB for all workers together.
const maxWhole = 64 << 20

// searchWhole searches a file as one text.
func (r *report) searchWhole(src *blocks) (LineResult, error) {
	size, limit := src.stated, r.o.MaxMultiline
	if limit <= 0 || limit > maxWhole {
		limit = maxWhole
	}
	head, err := src.open()
	switch {
	case err != nil:
		return r.result, err
	case head.Binary && !r.o.Force:
		return LineResult{Binary: true}, nil
	case size > limit:
		return r.result, &TooLargeForMultilineError{Size: size, Limit: limit}
	}
	room := int(size) + 1
	most := limit
	if src.decoder != nil { // two bytes of UTF-16 may be three of UTF-8
		most = max(limit, charset.WideRoom)
		room = min(room+room/2, int(most)+2*src.sizes.step)
	}
	src.buf = withRoom(src.buf, room, 0)
	for !src.done() && src.at <= limit && int64(len(src.buf)) <= most {
		if err := src.fill(); err != nil {
			return r.result, err
		}
	}
	switch long := int64(len(src.buf)); {
	case src.at > limit: // the file is longer than the size it states
		return r.result, &TooLargeForMultilineError{Size: src.at, Limit: limit}
	case src.decoder != nil && long > most:
		return r.result, &TooLargeForMultilineError{Size: long, Limit: most}
	}
	g := &group{r: r, text: src.buf[src.used:]}
	if r.foldCR {
		g.text = foldCRLF(g.text)
	}
	r.anchors.begin(g.text)
	err = r.m.eachMatch(g.text, r.buf, func(start, end int) bool {
		g.add(start, end)
		return !r.over() && src.ctx.Err() == nil
	})
	g.close()
	r.pass(g.text, min(g.pos, len(g.text)), len(g.text))
	r.flush()
	return r.result, cmp.Or(err, src.ctx.Err())
}

// group collects matches that are reported as one: each starts in the same line as the first, or in
// a line that an earlier one reaches.
type group struct {
	r          *report
	text       []byte
	pos        int      // start of the first line not processed yet
	first      int      // end of the first line
	start, end int      // bounds of the lines that the matches in spans cover
	spans      [][2]int // counted from start
}

// add takes one match, in ascending order.
func (g *group) add(start, end int) {
	if start == len(g.text) && (start == 0 || g.text[start-1] == '\n') {
		return // after the last line
	}
	if len(g.spans) > 0 && start > g.end {
		g.close()
	}
	if len(g.spans) == 0 {
		g.start, g.first = lineStart(g.text, start), lineEnd(g.text, start)
		g.end = g.first
	}
	g.end = max(g.end, lineEnd(g.text, max(start, end-1)))
	if len(g.spans) <= maxSubmatches {
		g.spans = append(g.spans, [2]int{start - g.start, end - g.start})
	}
}

// close reports the matches collected, as one LineMatch. Processing goes on after the last of their
// lines.
func (g *group) close() {
	if len(g.spans) == 0 || g.r.over() {
		return
	}
	g.r.pass(g.text, g.pos, g.start)
	g.pos = min(g.first+1, len(g.text))
	if g.r.count(g.r.asContext(g.text, g.start, g.first)) {
		match := g.r.describe(g.text, g.start, g.end, g.spans)
		next := min(g.end+1, len(g.text))
		match.EndLine += int64(bytes.Count(g.text[g.start:g.end], []byte("\n")))
		g.r.pass(g.text, g.pos, next) // earlier matches may wait for these lines as context
		g.pos = next
		g.r.add(match)
	}
	g.spans = g.spans[:0]
}

// eachMatch yields the matches in a whole text, in order, without overlap.
func (m *Matcher) eachMatch(text []byte, buf *Buffers, yield func(start, end int) bool) error {
	switch {
	case m.literal != nil:
		m.eachLiteral(text, 0, yield)
		return nil
	case !m.regex.MayMatch(text, &buf.regex):
		return nil
	}
	text = buf.regex.Valid(text)
	if !m.query.WholeWord {
		return m.regex.Each(text, &buf.regex, yield)
	}
	var err error
	last := -1
	m.regex.EachPart(text, &buf.regex, func(start, end int) bool {
		more := true
		_, size := utf8.DecodeRune(text[end:]) // what comes after a word matters
		err = m.eachWord(text[:end+size], start, &last, func(s, e int) bool {
			if s >= end && end < len(text) {
				return false
			}
			more = yield(s, e)
			return more
		})
		return more && err == nil
	})
	return err
}

// afterMatch says where to look for the next match: an empty one is not found twice.
func afterMatch(text []byte, start, end int) int {
	if start < end {
		return end
	}
	_, size := utf8.DecodeRune(text[end:])
	return end + max(size, 1)
}
