package textio

import (
	"cmp"
	"slices"
	"strings"
)

// matchLines finds the lines that two texts share within a range of whole lines, in order, and gives what lies between them.
//
// It is a patience diff: lines that stand once in each text are matched first, the longest run of them that is in the same
// order in both; then the lines around them that are equal as well, and then what is left between them in the same way. So
// blank lines and closing brackets, which stand everywhere, never tear a function apart, and no text takes quadratic time.
func matchLines(old, new []byte, in DiffRange) []DiffRange {
	a, b, known := numberLines(old[in.OldStart:in.OldEnd], new[in.NewStart:in.NewEnd])
	m := lineMatch{a: a.ids, b: b.ids, seen: make([]sighting, known)}
	m.match(lineRange{0, len(a.ids), 0, len(b.ids)}, maxDiffDepth)
	ranges := make([]DiffRange, len(m.changes))
	for i, c := range m.changes {
		ranges[i] = DiffRange{
			in.OldStart + a.starts[c.a], in.OldStart + a.starts[c.aEnd],
			in.NewStart + b.starts[c.b], in.NewStart + b.starts[c.bEnd],
		}
	}
	return ranges
}

// maxDiffDepth is how often what lies between matched lines is looked at again.
const maxDiffDepth = 8

// numbered is a text whose lines have numbers: equal lines have the same.
type numbered struct {
	ids    []int32
	starts []int // where each line starts, and where the last one ends
}

// numberLines numbers the lines of two texts alike, and tells how many different ones there are.
func numberLines(old, new []byte) (a, b numbered, known int) {
	numbers := make(map[string]int32, lineCount(old))
	a, b = numberText(old, numbers), numberText(new, numbers)
	return a, b, len(numbers)
}

func numberText(text []byte, numbers map[string]int32) numbered {
	lines := lineCount(text)
	n := numbered{ids: make([]int32, 0, lines), starts: make([]int, 0, lines+1)}
	at := 0
	for line := range strings.Lines(string(text)) {
		id, ok := numbers[line]
		if !ok {
			id = int32(len(numbers))
			numbers[line] = id
		}
		n.ids, n.starts = append(n.ids, id), append(n.starts, at)
		at += len(line)
	}
	n.starts = append(n.starts, at)
	return n
}

// lineRange is lines a to aEnd of the old text and b to bEnd of the new one.
type lineRange struct{ a, aEnd, b, bEnd int }

// sighting is how often a line stands in each text within the range that was looked at last, and where in the old one.
type sighting struct{ round, inA, inB, at int32 }

type lineMatch struct {
	a, b    []int32
	seen    []sighting // by number of the line
	round   int32
	changes []lineRange
}

// match appends the changes within a range.
func (m *lineMatch) match(r lineRange, depth int) {
	head := equalHead(m.a[r.a:r.aEnd], m.b[r.b:r.bEnd])
	r.a, r.b = r.a+head, r.b+head
	tail := equalTail(m.a[r.a:r.aEnd], m.b[r.b:r.bEnd])
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

// anchors finds the longest list of lines, in the order of both texts, that stand once in each of them within a range.
func (m *lineMatch) anchors(r lineRange) []anchor {
	// Patience sorting: ends[n] is the candidate with the least a that a list of n+1 can end with so far, and before has the
	// one that each follows. Candidates come by b.
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

// unique gives the lines that stand once in each text within a range, in the order of the new one.
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

func equalHead(a, b []int32) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func equalTail(a, b []int32) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
