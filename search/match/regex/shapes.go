package regex

import (
	"regexp/syntax"
	"slices"

	"fsbox/search/match/literal"
)

const (
	// maxShapeNodes is the largest bytecode whose shapes are looked for: the work grows with its
	// square.
	maxShapeNodes = 300

	// maxReachedPlaces is how many places of a shape are on either side of the node that it is
	// around.
	maxReachedPlaces = 6
)

// shapesOf gives for each alternative of an expression a shape that is in all lines that match it:
// one of the shapes is in each matching line. It gives nil if there are none that help.
func shapesOf(tree *syntax.Regexp, word bool) (all []*literal.Shape) {
	alternatives := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpAlternate {
		alternatives = tree.Sub
	}
	for _, alt := range alternatives {
		code, err := newBytecode(inLine(alt, word), false)
		if err != nil || code == nil || len(code.nodes) > maxShapeNodes {
			return nil
		}
		shape := literal.Rarest(newShaper(code).all())
		if shape == nil {
			return nil
		}
		all = append(all, shape)
	}
	return all
}

// shaper finds out which bytes may be around the nodes of a bytecode that each match passes. It
// walks the graph in both directions.
type shaper struct {
	nodes         []byteNode // of the bytecode, and one more before its start
	start         int32
	reads         []literal.Bytes // by node, what it may read
	after, before [][]int32       // by node, its neighbours
}

func newShaper(code *bytecode) *shaper {
	n := len(code.nodes) + 1
	s := &shaper{slices.Concat(code.nodes, []byteNode{{op: syntax.InstMatch}}), code.start, make([]literal.Bytes, n), make([][]int32, n),
		make([][]int32, n)}
	s.connect(int32(n-1), code.start)
	for i := range code.nodes {
		node := &s.nodes[i]
		for _, r := range node.ranges {
			s.reads[i].Add(r.lo, r.hi)
			s.connect(int32(i), r.to)
		}
		if s.reads[i].Has(placeholder) { // stands for any invalid byte
			s.reads[i].Add(0x80, 0xFF)
		}
		if node.ranges == nil {
			s.connect(int32(i), node.out[0])
			s.connect(int32(i), node.out[1])
		}
	}
	return s
}

func (s *shaper) connect(from, to int32) {
	if to >= 0 {
		s.after[from] = append(s.after[from], to)
		s.before[to] = append(s.before[to], from)
	}
}

// all gives the shapes around all nodes that each match passes and that read a byte, or ask for the
// bound of a line.
func (s *shaper) all() (all []literal.Shape) {
	for i := range s.nodes {
		n, node := int32(i), &s.nodes[i]
		begins, ends := node.assert&syntax.EmptyBeginLine != 0, node.assert&syntax.EmptyEndLine != 0
		if node.ranges == nil && !begins && !ends || !s.isPassed(n) {
			continue
		}
		shape := literal.Shape{}
		own := s.reads[n]
		if begins || ends {
			own = *lineBound()
		}
		if !begins {
			shape.Places = s.around(n, s.before, syntax.EmptyBeginLine)
			slices.Reverse(shape.Places)
		}
		shape.At = len(shape.Places)
		shape.Places = append(shape.Places, own)
		if !ends {
			shape.Places = append(shape.Places, s.around(n, s.after, syntax.EmptyEndLine)...)
		}
		if begins {
			shape.At++
		}
		all = append(all, shape)
	}
	return all
}

// lineBound is what is at the end of a line, and before its start.
func lineBound() *literal.Bytes {
	var b literal.Bytes
	b.Add('\n', '\n')
	b.Add('\r', '\r')
	return &b
}

// isPassed reports whether there is no match that doesn't pass a node.
func (s *shaper) isPassed(n int32) bool {
	seen := make([]bool, len(s.nodes))
	seen[n] = true
	for stack := []int32{s.start}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if s.nodes[at].op == syntax.InstMatch {
			return false
		}
		stack = append(stack, s.after[at]...)
	}
	return true
}

// around gives what may be next to a node, in one direction: the bytes of each place, up to the
// bound of a line, or to one byte beyond the match.
func (s *shaper) around(n int32, next [][]int32, bound syntax.EmptyOp) (places []literal.Bytes) {
	from := next[n]
	for open := true; open && len(places) < maxReachedPlaces; {
		var place literal.Bytes
		place, from, open = s.step(from, next, bound)
		places = append(places, place)
	}
	return places
}

// step gives what is read from some nodes on, and the nodes after that. It returns open false if
// the match or the line may end there.
func (s *shaper) step(from []int32, next [][]int32, bound syntax.EmptyOp) (place literal.Bytes, reached []int32, open bool) {
	seen := make([]bool, len(s.nodes))
	open = true
	for stack := slices.Clone(from); len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		node := &s.nodes[at]
		switch {
		case node.ranges != nil:
			reached = append(reached, next[at]...)
			place.Or(&s.reads[at])
		case node.op == syntax.InstMatch:
			open = false
			place.Add(0, 0xFF)
		case node.assert&bound != 0:
			open = false
			place.Or(lineBound())
		default:
			stack = append(stack, next[at]...)
		}
	}
	return place, reached, open
}
