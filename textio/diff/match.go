package diff

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"slices"

	"fsbox/textio/lines"
)

// matcher finds the lines that two texts share, in order: as many as there are, so that the changes
// between them have as few lines as can be. It is the algorithm of Myers, which goes from both ends
// at once and divides the texts where the two ways meet. Lines that only one text has are left out
// before.
type matcher struct {
	a, b     side
	from, to frontier
	effort   int // how many steps may be taken
	ids      lineIDs
	list     []lineRange
}

// Bounds of the search for the fewest lines. Where each end has made maxCost changes before they
// meet, the texts are divided at the point that has come farthest; after leastCost changes, once
// two thirds of maxEffort steps have been taken in all. When all are taken, a window may take
// lineEffort for each of its lines, and what is then left counts as changed.
const (
	maxCost    = 2_000
	leastCost  = 32
	maxEffort  = 24_000_000
	lineEffort = 2
)

// side is the lines of one text.
type side struct {
	ids, back []int32 // numbers of those that the other text has as well; back is the other way round
	at        []int32 // where these are among all lines
	changed   []bool  // by line: it has no counterpart
	starts    []int   // where each line starts, and where the last one ends
	occurs    []bool  // by number: some line has it
}

// lineRange is lines a to aEnd of the old text and b to bEnd of the new one.
type lineRange struct{ a, aEnd, b, bEnd int32 }

// load matches the lines of two texts, in the memory of those before.
func (m *matcher) load(old, new []byte, effort int) {
	oldLines, newLines := lines.Count(old), lines.Count(new)
	m.ids.reset(oldLines + newLines)
	m.a.number(&m.ids, old, oldLines)
	m.b.number(&m.ids, new, newLines)
	m.matchAll(max(effort, lineEffort*(oldLines+newLines)))
}

// matchAll matches lines that have their numbers.
func (m *matcher) matchAll(effort int) {
	m.effort = effort
	m.a.occur(len(m.ids.lines))
	m.b.occur(len(m.ids.lines))
	m.a.keep(m.b.occurs)
	m.b.keep(m.a.occurs)
	m.from.reset(len(m.a.ids) + len(m.b.ids))
	m.to.reset(len(m.a.ids) + len(m.b.ids))
	m.match(box{0, len(m.a.ids), 0, len(m.b.ids)})
}

// Kept returns for each of the new texts the index of the old one that it repeats, -1 if it is
// changed or added. As many as can be are kept, in order.
func Kept(old, new [][]byte) []int {
	m := matcher{ids: lineIDs{seed: maphash.MakeSeed()}}
	m.ids.reset(len(old) + len(new))
	m.a.ids, m.b.ids = m.ids.of(old), m.ids.of(new)
	m.matchAll(maxEffort)
	kept, next := make([]int, len(new)), int32(0)
	for i := range kept {
		if kept[i] = -1; !m.b.changed[i] {
			next = m.a.changedTo(next)
			kept[i] = int(next)
			next++
		}
	}
	return kept
}

// resized is a list of n items in the memory of another one, if that has enough. What is in them is
// not cleared.
func resized[T any](list []T, n int) []T { return slices.Grow(list[:0], n)[:n] }

func (s *side) number(t *lineIDs, text []byte, lines int) {
	s.ids, s.starts = resized(s.ids, lines), resized(s.starts, lines+1)
	i, at := 0, 0
	for line := range bytes.Lines(text) {
		s.ids[i], s.starts[i] = t.id(line), at
		i, at = i+1, at+len(line)
	}
	s.starts[i] = at
}

// occur notes which numbers the lines have.
func (s *side) occur(known int) {
	s.occurs = resized(s.occurs, known)
	clear(s.occurs)
	for _, id := range s.ids {
		s.occurs[id] = true
	}
}

// keep sorts out the lines that the other text doesn't have.
func (s *side) keep(others []bool) {
	s.changed, s.at = resized(s.changed, len(s.ids)), resized(s.at, len(s.ids))
	n := 0
	for i, id := range s.ids {
		if s.changed[i] = !others[id]; !s.changed[i] {
			s.ids[n], s.at[n] = id, int32(i)
			n++
		}
	}
	s.ids, s.back = s.ids[:n], resized(s.back, n)
	for i, id := range s.ids {
		s.back[n-1-i] = id
	}
}

// left is how many steps may still be taken.
func (m *matcher) left() int { return m.effort - m.from.steps - m.to.steps }

// changes returns what is between equal lines. The last item is empty: it is
// where the texts end. The list holds until the next call.
func (m *matcher) changes() []lineRange {
	m.list = m.list[:0]
	for r := (lineRange{}); int(r.a) < len(m.a.changed) || int(r.b) < len(m.b.changed); r.a, r.b = r.aEnd+1, r.bEnd+1 {
		r.aEnd, r.bEnd = m.a.changedTo(r.a), m.b.changedTo(r.b)
		if r.a < r.aEnd || r.b < r.bEnd {
			m.list = append(m.list, r)
		}
	}
	a, b := int32(len(m.a.changed)), int32(len(m.b.changed))
	m.list = append(m.list, lineRange{a, a, b, b})
	return m.list
}

// changedTo returns the first line from i on that has a counterpart, or the end.
func (s *side) changedTo(i int32) int32 {
	for int(i) < len(s.changed) && s.changed[i] {
		i++
	}
	return i
}

// box is a part of both texts: lines a to aEnd of the old one and b to bEnd of the new one. Only
// those that are in both texts count.
type box struct{ a, aEnd, b, bEnd int }

// match notes which lines within a box have no counterpart, or none that may still be looked for.
func (m *matcher) match(r box) {
	for {
		head := Head(m.a.ids[r.a:r.aEnd], m.b.ids[r.b:r.bEnd])
		r.a, r.b = r.a+head, r.b+head
		tail := Tail(m.a.ids[r.a:r.aEnd], m.b.ids[r.b:r.bEnd])
		r.aEnd, r.bEnd = r.aEnd-tail, r.bEnd-tail
		if r.a == r.aEnd || r.b == r.bEnd || m.left() <= 0 {
			m.a.mark(r.a, r.aEnd)
			m.b.mark(r.b, r.bEnd)
			return
		}
		a, b := m.divide(r)
		m.match(box{r.a, a, r.b, b})
		r.a, r.b = a, b
	}
}

func (s *side) mark(from, to int) {
	for _, i := range s.at[from:to] {
		s.changed[i] = true
	}
}

// divide returns a point that a way of the fewest changes through a box goes through.
func (m *matcher) divide(r box) (a, b int) {
	n, odd := r.aEnd-r.a, (r.aEnd-r.a+r.bEnd-r.b)%2 != 0
	m.from.enter(m.a.ids[r.a:r.aEnd], m.b.ids[r.b:r.bEnd])
	m.to.enter(m.a.back[len(m.a.back)-r.aEnd:][:n], m.b.back[len(m.b.back)-r.bEnd:][:r.bEnd-r.b])
	for {
		if x, y, met := m.from.advance(&m.to, odd); met {
			return r.a + x, r.b + y
		}
		if x, y, met := m.to.advance(&m.from, !odd); met {
			return r.aEnd - x, r.bEnd - y
		}
		if cost, left := m.from.cost, m.left(); cost >= maxCost || cost >= leastCost && left < maxEffort/3 || left <= 0 {
			x, y := m.from.farthest()
			return r.a + x, r.b + y
		}
	}
}

// frontier is how far one gets into a box with so many changes. A diagonal is the points with the
// same x-y: x lines of the old text have been passed, and y of the new one. On each of them only
// the farthest point counts.
type frontier struct {
	a, b   []int32
	points []int32 // x of the farthest point of each diagonal, or unreached
	cost   int     // changes so far
	steps  int     // how often a point was moved, in all boxes
}

const unreached = -2

func (f *frontier) reset(lines int) { f.points, f.steps = resized(f.points, lines+3), 0 }

// point is the farthest one on a diagonal; there is one more diagonal at each side of the box.
func (f *frontier) point(diagonal int) *int32 { return &f.points[diagonal+len(f.b)+1] }

func (f *frontier) enter(a, b []int32) {
	f.a, f.b, f.cost = a, b, 0
	*f.point(-1), *f.point(0), *f.point(1) = unreached, 0, unreached
}

// advance makes one change more on each diagonal. If look is set, it returns the first point where
// it meets other, which comes from the other end.
func (f *frontier) advance(other *frontier, look bool) (x, y int, met bool) {
	f.cost++
	least, most := -f.cost, f.cost
	if least < -len(f.b) {
		least += 2 * ((-len(f.b) - least + 1) / 2)
	} else {
		*f.point(least - 1) = unreached
	}
	if most > len(f.a) {
		most -= 2 * ((most - len(f.a) + 1) / 2)
	} else {
		*f.point(most + 1) = unreached
	}
	f.steps += (most - least) / 2
	for d := least; d <= most; d += 2 {
		x := f.step(d)
		opposite := len(f.a) - len(f.b) - d
		if look && opposite >= -other.cost && opposite <= other.cost && x+int(*other.point(opposite)) >= len(f.a) {
			return x, x - d, true
		}
	}
	return 0, 0, false
}

// step goes on to a diagonal from those beside it, and then along it as far as lines are equal.
func (f *frontier) step(d int) int {
	points := f.points[d+len(f.b):][:3] // of the diagonal before, this one, the one after
	x := int(points[1])
	if before := int(points[0]); before >= max(x, 0) && before < len(f.a) {
		x = before + 1
	}
	if after := int(points[2]); after > x && after-d <= len(f.b) {
		x = after
	}
	if x < 0 {
		return unreached
	}
	for x < len(f.a) && x-d < len(f.b) && f.a[x] == f.b[x-d] {
		x++
	}
	points[1] = int32(x)
	return x
}

// farthest is the point that has passed the most lines.
func (f *frontier) farthest() (x, y int) {
	for d := max(-f.cost, -len(f.b)); d <= min(f.cost, len(f.a)); d++ {
		if at := int(*f.point(d)); at >= 0 && 2*at-d > x+y {
			x, y = at, at-d
		}
	}
	return x, y
}

// lineIDs gives lines their numbers: a hash table with more than twice as many slots as lines are
// put in. A map from strings takes four times as long, and copies each line (2026-11-29).
type lineIDs struct {
	seed  maphash.Seed
	slots []int32  // number of a line plus one, 0 for none; a power of two of them
	lines [][]byte // by number
}

func (t *lineIDs) reset(lines int) {
	t.slots = resized(t.slots, 1<<bits.Len(uint(2*lines)))
	clear(t.slots)
	t.lines = slices.Grow(t.lines[:0], lines)
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

func (t *lineIDs) of(list [][]byte) []int32 {
	ids := make([]int32, len(list))
	for i, line := range list {
		ids[i] = t.id(line)
	}
	return ids
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
