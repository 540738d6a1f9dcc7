package match

import (
	"math/bits"
	"regexp/syntax"
	"slices"
)

// quickHits gives an offset in each matching line of a batch, as far as the automaton can tell: ok
// is false if it can't.
func (m *Matcher) quickHits(batch []byte, buf *Buffers) (hits []int, ok bool) {
	if m.quick == nil || m.thrashes.Load() {
		return nil, false
	}
	a := buf.anywhere.prepare(m.quick, false)
	if buf.hits, ok = a.find(batch, buf.hits[:0]); !ok {
		m.giveUp(a)
	}
	return buf.hits, ok
}

// lineMayMatch reports whether a line, or a piece of one, may match: it is false only if the
// automaton finds no match.
func (m *Matcher) lineMayMatch(line []byte, buf *Buffers) bool {
	hits, ok := m.quickHits(validText(line, &buf.valid), buf)
	return !ok || len(hits) > 0
}

// giveUp frees the memory of an automaton with too many states. If it read few bytes for each
// state, it is not used again; if very few, RE2 isn't either.
func (m *Matcher) giveUp(a *automaton) {
	if a.isWasteful(minReuse) {
		m.thrashes.Store(true)
	}
	if a.isWasteful(minReuseRE2) {
		m.explodes.Store(true)
	}
	a.drop()
}

// leads reports whether a needed string tells where its match would begin: at a known distance
// before the string, or at the start of its line. The automaton then looks only there.
func (m *Matcher) leads() bool {
	return m.quick != nil && (m.lead >= 0 || m.fromLine) && !m.thrashes.Load()
}

// beginsLine reports whether every match of an expression begins where a line does.
func beginsLine(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine:
		return true
	case syntax.OpConcat:
		return len(re.Sub) > 0 && beginsLine(re.Sub[0])
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !beginsLine(sub) })
	}
	return false
}

// canLead reports whether the finders give every occurrence. One that ignores case may give two
// overlapping ones in the wrong order, and a search that goes on after the first would miss the
// other.
func canLead(finders []finder) bool {
	for _, f := range finders {
		switch f.(type) {
		case *exact, *teddy:
		default:
			return false
		}
	}
	return len(finders) > 0
}

// findLed does what find does, if Matcher.leads holds. ok is false if the automaton has too many
// states.
func (c *cursor) findLed(from int) (at int, ok bool) {
	if c.m.lead < 0 {
		return c.findFromLine(from)
	}
	if t, ok := c.m.needs[0].(*teddy); ok {
		return c.findPrinted(t, from)
	}
	for at := c.candidate(from); at >= 0; {
		v, after := c.tryLead(at, from)
		switch v {
		case matches:
			return at - c.m.lead, true
		case outOfMemory:
			return 0, false
		}
		at = c.candidate(after)
	}
	return -1, true
}

// findFromLine is findLed if every match begins where its line does. It looks at each line that has
// a needed string once.
func (c *cursor) findFromLine(from int) (at int, ok bool) {
	for at := c.candidate(from); at >= 0; at = c.candidate(c.nextLine(at)) {
		start := lineStart(c.text, at)
		switch v, _ := c.beginsAt(start); v {
		case matches:
			return start, true
		case outOfMemory:
			c.goTo(from)
			return 0, false
		}
	}
	return -1, true
}

// findPrinted is findLed for strings that teddy searches for. At each position that may have a
// fingerprint, it tries all strings of its buckets. candidate would not do: it uses teddy.find,
// which gives one string at a time, and so can miss a string that overlaps the one it gave.
func (c *cursor) findPrinted(t *teddy, from int) (at int, ok bool) {
	for p := from; ; {
		var set uint8
		if p, set = t.next(c.text, p); set == 0 {
			return -1, true
		}
		after := p + 1
		for ; set != 0; set &= set - 1 {
			for _, f := range t.buckets[bits.TrailingZeros8(set)] {
				at, _ := f.matchAt(c.text, from, p)
				if at < 0 {
					continue
				}
				v, next := c.tryLead(at, from)
				switch after = max(after, next); v {
				case matches:
					return at - c.m.lead, true
				case outOfMemory:
					return 0, false
				}
			}
		}
		p = after
	}
}

// tryLead tells whether a match begins where the needed string at offset at leads to, and gives in
// after where to look for the next string. If that reads more than maxLook bytes in vain, it looks
// at the whole line instead, since each further string in the line may take as long.
func (c *cursor) tryLead(at, from int) (v verdict, after int) {
	start := at - c.m.lead
	if start < from {
		return misses, at + 1
	}
	v, read := c.beginsAt(start)
	if after = at + 1; v == misses && read > maxLook {
		v, after = c.lineMatches(start), lineEnd(c.text, start)
	}
	if v == outOfMemory {
		c.goTo(from)
	}
	return v, after
}

// maxLook is how much text one candidate may take before its whole line is looked at instead, in
// bytes: so that the time for a line stays in proportion to its length.
const maxLook = 64

// beginsAt tells whether a match begins at an offset, and how much it read to know. Where text
// isn't ASCII, it uses the whole line, with invalid bytes replaced.
func (c *cursor) beginsAt(at int) (v verdict, read int) {
	a := c.buf.anchored.prepare(c.m.quick, true)
	v, read = a.begin(c.text, at, false)
	if v == unclear {
		line, start := c.validLine(at)
		v, read = a.begin(line, at-start, true)
	}
	if v == outOfMemory {
		c.m.giveUp(a)
	}
	return v, read
}

// lineMatches tells whether the line that holds an offset matches.
func (c *cursor) lineMatches(at int) verdict {
	line, _ := c.validLine(at)
	hits, ok := c.m.quickHits(line, c.buf)
	if !ok {
		return outOfMemory
	}
	return verdictOf(len(hits) > 0)
}

// validLine is the line that holds an offset, as valid UTF-8, and where it begins.
func (c *cursor) validLine(at int) (line []byte, start int) {
	start = lineStart(c.text, at)
	return validText(c.text[start:lineEnd(c.text, at)], &c.buf.valid), start
}
