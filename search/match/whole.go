package match

import (
	"bytes"
	"cmp"
	"unicode/utf8"
)

const (
	// wideRoom is how much UTF-8 a file in UTF-16 or UTF-32 may always take, in bytes, however small
	// files must be: the default bound of files, which memory is reckoned for.
	wideRoom = 10 << 20

	// maxWhole is the largest file that a multiline search loads, in bytes. RE2 needs a copy of
	// each text in its own memory, 4 GiB for all workers together.
	maxWhole = 64 << 20

	// wholeHits bounds the matches RE2 finds in one call.
	wholeHits = 64 << 10
)

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
		most = max(limit, wideRoom)
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
	err = r.m.eachMatch(g.text, r.buf, func(start, end int) bool {
		g.add(start, end)
		return !r.over() && src.ctx.Err() == nil
	})
	g.close()
	r.pass(g.text[min(g.pos, len(g.text)):])
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
	g.r.pass(g.text[g.pos:g.start])
	g.pos = min(g.first+1, len(g.text))
	if g.r.count(g.r.asContext(g.text, g.start, g.first)) {
		match := g.r.describe(g.text, g.start, g.end, g.spans)
		next := min(g.end+1, len(g.text))
		match.EndLine += int64(bytes.Count(g.text[g.start:g.end], []byte("\n")))
		g.r.pass(g.text[g.pos:next]) // earlier matches may wait for these lines as context
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
	case !m.mayMatch(text):
		return nil
	}
	text = validText(text, &buf.valid)
	m.probe(text, buf)
	if m.query.WholeWord {
		return m.eachWord(text, 0, yield)
	}
	return m.eachBatch(text, yield)
}

// probeBytes is how much of a text probe runs the automaton over, to see whether RE2 would make a
// state for nearly each byte: an automaton that does runs out of memory within so many bytes.
const probeBytes = 8 << 10

// probe runs the automaton over the middle of a text, and sets m.explodes if it makes too many
// states there. It leaves out texts shorter than 2*probeBytes, which aren't worth it.
func (m *Matcher) probe(text []byte, buf *Buffers) {
	if m.sample == nil || len(text) < 2*probeBytes || m.explodes.Load() {
		return
	}
	from := runeStart(text, (len(text)-probeBytes)/2)
	a := buf.automaton.prepare(m.sample)
	hits, ok := a.find(text[from:runeStart(text, from+probeBytes)], buf.hits[:0])
	if ok {
		buf.hits = hits
		return
	}
	if a.isWasteful(minReuseRE2) {
		m.explodes.Store(true)
	}
	a.drop()
}

// mayMatch reports whether one of the strings that every match has is in the text.
func (m *Matcher) mayMatch(text []byte) bool {
	for _, f := range m.needs {
		if at, _ := f.find(text, 0); at >= 0 {
			return true
		}
	}
	return len(m.needs) == 0
}

// afterMatch says where to look for the next match: an empty one is not found twice.
func afterMatch(text []byte, start, end int) int {
	if start < end {
		return end
	}
	_, size := utf8.DecodeRune(text[end:])
	return end + max(size, 1)
}

// eachBatch runs RE2 over the text, then over what is left of it, until it has no more than one
// batch of matches.
func (m *Matcher) eachBatch(text []byte, yield func(start, end int) bool) error {
	for base, from := 0, 0; ; {
		matches, err := m.batch(text, base, from)
		if err != nil {
			return err
		}
		use, nextBase, nextFrom := len(matches), -1, -1
		if use == wholeHits {
			use, nextBase, nextFrom = cutBatch(text, base, matches)
		}
		for _, match := range matches[:use] {
			if s := base + match[0]; s >= from && !yield(s, base+match[1]) {
				return nil
			}
		}
		if nextBase < 0 {
			return nil
		}
		base, from = nextBase, nextFrom
	}
}

func (m *Matcher) batch(text []byte, base, from int) ([][]int, error) {
	if base == 0 {
		return m.filter.all(text, wholeHits)
	}
	find := m.rest
	if base < from {
		find = m.after
	}
	rest, err := find()
	if err != nil {
		return nil, err
	}
	return rest.all(text[base:], wholeHits)
}

// cutBatch says how many matches of a full batch to use, and where the next batch begins: at the
// start of the line of the last match, whose matches are then found again. There ^ and \b see what
// they would in the whole text. If that line holds all matches of the batch, or an earlier match
// reaches up to it, the next batch begins after the last match, with the character before it for
// context.
func cutBatch(text []byte, base int, matches [][]int) (use, nextBase, nextFrom int) {
	last := matches[len(matches)-1]
	line := lineStart(text, base+last[0])
	use = len(matches)
	for use > 0 && base+matches[use-1][0] >= line {
		use--
	}
	if use > 0 && base+matches[use-1][1] < line {
		return use, line, line
	}
	from := min(afterMatch(text, base+last[0], base+last[1]), len(text))
	return len(matches), runeBefore(text, from), from
}
