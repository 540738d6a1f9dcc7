package diff

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"

	"fsbox/textio/lines"
)

// matchLines finds the lines that two texts share within a range of whole lines, in order, and
// returns the ranges between them.
//
// It is a patience diff. First it matches lines that occur once in each text: the longest list of
// them that is in the same order in both. Then it matches equal lines next to these, and then what
// is left between them in the same way. So blank lines and closing brackets, which occur
// everywhere, never tear a function apart, and no text takes quadratic time.
func matchLines(old, new []byte, in Range) []Range {
	a, b, known := numberLines(old[in.OldStart:in.OldEnd], new[in.NewStart:in.NewEnd])
	m := lineMatch{a: a.ids, b: b.ids, seen: make([]sighting, known)}
	m.match(lineRange{0, len(a.ids), 0, len(b.ids)}, maxDiffDepth)
	ranges := make([]Range, len(m.changes))
	for i, c := range m.changes {
		ranges[i] = Range{
			OldStart: in.OldStart + a.starts[c.a], OldEnd: in.OldStart + a.starts[c.aEnd],
			NewStart: in.NewStart + b.starts[c.b], NewEnd: in.NewStart + b.starts[c.bEnd],
		}
	}
	return ranges
}

// maxDiffDepth is how often match looks again at what is left between matched lines.
const maxDiffDepth = 8

// numbered is a text whose lines have numbers: equal lines have the same number.
type numbered struct {
	ids    []int32
	starts []int // where each line starts, and where the last one ends
}

// numberLines numbers the lines of two texts, so that equal lines of both have the same number, and
// returns how many numbers there are.
func numberLines(old, new []byte) (a, b numbered, known int) {
	oldLines, newLines := lines.Count(old), lines.Count(new)
	all := oldLines + newLines
	t := lineIDs{seed: maphash.MakeSeed(), slots: make([]int32, 1<<bits.Len(uint(2*all))), lines: make([][]byte, 0, all)}
	a, b = t.number(old, oldLines), t.number(new, newLines)
	return a, b, len(t.lines)
}

// lineIDs gives lines their numbers: a hash table with more than twice as many slots as lines are
// put in.
type lineIDs struct {
	seed  maphash.Seed
	slots []int32  // number of a line plus one, 0 for none; a power of two of them
	lines [][]byte // by number
}

func (t *lineIDs) number(text []byte, lines int) numbered {
	n := numbered{ids: make([]int32, 0, lines), starts: make([]int, 0, lines+1)}
	at := 0
	for line := range bytes.Lines(text) {
		n.ids, n.starts = append(n.ids, t.id(line)), append(n.starts, at)
		at += len(line)
	}
	n.starts = append(n.starts, at)
	return n
}

func (t *lineIDs) id(line []byte) int32 {
	last := uint64(len(t.slots) - 1)
	for at := maphash.Bytes(t.seed, line) & last; ; at = (at + 1) & last {
		switch id := t.slots[at] - 1; {
		case id < 0:
			t.lines = append(t.lines, line)
			t.slots[at] = int32(len(t.lines))
			return int32(len(t.lines) - 1)
		case bytes.Equal(t.lines[id], line):
			return id
		}
	}
}

// lineRange is lines a to aEnd of the old text and b to bEnd of the new one.
type lineRange struct{ a, aEnd, b, bEnd int }

// sighting is what unique saw of a line in a round, its last look at some range: how often each
// text has the line there, and where the old one does.
type sighting struct{ round, inA, inB, at int32 }

type lineMatch struct {
	a, b    []int32
	seen    []sighting // by number of the line
	round   int32
	changes []lineRange
}

// match appends the changes within a range.
func (m *lineMatch) match(r lineRange, depth int) {
	head := Head(m.a[r.a:r.aEnd], m.b[r.b:r.bEnd])
	r.a, r.b = r.a+head, r.b+head
	tail := Tail(m.a[r.a:r.aEnd], m.b[r.b:r.bEnd])
	r.aEnd, r.bEnd = r.aEnd-tail, r.bEnd-tail
	if r.a == r.aEnd && r.b == r.bEnd {
		return
	}
	var anchors []anchor
	if depth > 0 && r.a < r.aEnd && r.b < r.bEnd {
		anchors = m.anchors(r)
	}
	if len(anchors) == 0 {
		m.changes = append(m.changes, r)
		return
	}
	for _, at := range anchors {
		m.match(lineRange{r.a, int(at.a), r.b, int(at.b)}, depth-1)
		r.a, r.b = int(at.a), int(at.b)
	}
	m.match(r, depth-1)
}

// anchor is a line that both texts have.
type anchor struct{ a, b int32 }

// anchors finds the longest list of lines, in the order of both texts, that occur once in each of
// them within a range.
func (m *lineMatch) anchors(r lineRange) []anchor {
	// Patience sorting: ends[n] is, so far, the candidate with the least a that a list of n+1 lines
	// can end with, and before[i] is the one that comes before candidate i in a list. Candidates
	// are visited in the order of b.
	candidates := m.unique(r)
	before := make([]int32, len(candidates))
	var ends []int32
	for i, c := range candidates {
		n, _ := slices.BinarySearchFunc(ends, c.a, func(end, a int32) int { return cmp.Compare(candidates[end].a, a) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, 0)
		}
		ends[n] = int32(i)
	}
	if len(ends) == 0 {
		return nil
	}
	list := make([]anchor, len(ends))
	for n, at := len(ends)-1, ends[len(ends)-1]; n >= 0; n, at = n-1, before[at] {
		list[n] = candidates[at]
	}
	return list
}

// unique gives the lines that occur once in each text within a range, in the order of the new one.
func (m *lineMatch) unique(r lineRange) []anchor {
	m.round++
	for i, id := range m.a[r.a:r.aEnd] {
		s := &m.seen[id]
		if s.round != m.round {
			*s = sighting{round: m.round}
		}
		s.inA, s.at = s.inA+1, int32(r.a+i)
	}
	for _, id := range m.b[r.b:r.bEnd] {
		if s := &m.seen[id]; s.round == m.round {
			s.inB++
		}
	}
	var list []anchor
	for i, id := range m.b[r.b:r.bEnd] {
		if s := &m.seen[id]; s.round == m.round && s.inA == 1 && s.inB == 1 {
			list = append(list, anchor{s.at, int32(r.b + i)})
		}
	}
	return list
}

// Head returns how many items at the start of both lists are the same.
func Head[T comparable](a, b []T) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Tail returns how many items at the end of both lists are the same.
func Tail[T comparable](a, b []T) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
