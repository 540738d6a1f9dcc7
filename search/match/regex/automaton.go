package regex

import (
	"regexp/syntax"
	"slices"
)

// automaton runs a bytecode over text, all its paths at once: a state is a set of nodes, and a
// table says which state follows on which byte. States are made when they are first reached (a lazy
// DFA): most expressions could have far more states than texts ever reach. An automaton belongs to
// one worker.
//
// The table is one list with a row for each state. A state is named by the index where its row
// begins, so that one addition gives the entry for a byte. The names of the first rows mean
// outcomes that aren't states: unmade, matched, dead.
type automaton struct {
	code   *bytecode
	table  []uint32
	states []stateSet
	names  map[string]uint32 // states by their sets
	start  uint32            // the state at the start of a line
	atHead bool              // a match begins at the start of a line only
	past   []uint32          // of code.spans, as table: what follows where that says matched
	quiet  uint32            // of code.spans: in states below it, no match is under way
	size   int               // memory of all states, in bytes
	read   int               // bytes read since the states were last dropped

	ended bool
	set   nodeSet // scratch
	next  nodeSet
	key   []byte
	hits  [lanes][]int
}

// stateSet is what a state consists of.
type stateSet struct {
	nodes  []int32 // those that read a byte, and assertions that wait for the next byte; ascending
	before byteKind
}

// byteKind is what the assertions need to know about a byte.
type byteKind uint8

const (
	otherByte byteKind = iota
	newlineByte
	wordByte
)

// Entries of the table that aren't states, as numbers of rows.
const (
	unmade  = iota // the next state isn't made yet
	matched        // the line matches
	dead           // the line can't match any more
	firstState
)

const (
	// maxAutomaton is the most memory that the states of one automaton may take, in bytes.
	maxAutomaton = 1 << 20

	// stateOverhead is about what a state takes besides its row and its nodes, in bytes.
	stateOverhead = 128
)

// prepare sets the automaton up to run a bytecode, and keeps its states if it already runs that
// one. The automaton may be the zero value.
func (a *automaton) prepare(code *bytecode) *automaton {
	if a.code != code {
		*a = automaton{code: code}
		a.set.seen = make([]bool, len(code.nodes))
		a.next.seen = make([]bool, len(code.nodes))
		a.drop()
	}
	return a
}

// drop forgets all states except the first one, which it makes anew.
func (a *automaton) drop() {
	a.table = append(a.table[:0], make([]uint32, firstState*a.code.classes)...)
	a.states = a.states[:0]
	a.names = map[string]uint32{}
	a.past = a.past[:0]
	a.size, a.read = 0, 0
	a.start = a.fresh(newlineByte)
	if a.code.spans {
		a.fresh(wordByte)
	}
	a.atHead = a.fresh(otherByte) == a.row(dead)
	a.quiet = uint32(len(a.table))
}

// fresh gives the state in which no match is under way.
func (a *automaton) fresh(before byteKind) uint32 {
	a.next.clear()
	a.follow(&a.next, a.code.start, 0)
	return a.state(&a.next, before)
}

// isTrivial reports whether the outcome is known at the start of a line: every line matches, or
// none does.
func (a *automaton) isTrivial() bool { return a.start < a.row(firstState) }

// isWasteful reports whether fewer than least bytes were read for each state that was made.
func (a *automaton) isWasteful(least int) bool { return a.read < least*len(a.states) }

// row gives the name of row n: the index where it begins.
func (a *automaton) row(n int) uint32 { return uint32(n * a.code.classes) }

// nodeSet is a set of nodes.
type nodeSet struct {
	nodes   []int32
	seen    []bool // by node: it was added, or passed
	matches bool   // the end of the expression is among them
}

func (s *nodeSet) clear() {
	s.nodes, s.matches = s.nodes[:0], false
	clear(s.seen)
}

// follow adds a node and those that can be reached from it without reading a byte. Assertions are
// passed if they are among those that hold, and added otherwise.
func (a *automaton) follow(s *nodeSet, node int32, holds syntax.EmptyOp) {
	for node >= 0 && !s.seen[node] {
		s.seen[node] = true
		n := &a.code.nodes[node]
		switch {
		case n.ranges != nil:
			s.nodes = append(s.nodes, node)
			return
		case n.op == syntax.InstFail:
			return
		case n.op == syntax.InstMatch:
			s.matches = true
			return
		case n.op == syntax.InstEmptyWidth && n.assert&^holds != 0:
			s.nodes = append(s.nodes, node)
			return
		}
		a.follow(s, n.out[1], holds)
		node = n.out[0]
	}
}

// state gives the state of a set, which it makes if it is new. before only counts if there are
// assertions in the set.
func (a *automaton) state(s *nodeSet, before byteKind) uint32 {
	if s.matches {
		return a.row(matched)
	}
	nodes, waits := s.nodes[:0], false
	for _, n := range s.nodes {
		node := &a.code.nodes[n]
		if node.ranges == nil {
			if node.assert&syntax.EmptyBeginLine != 0 && before != newlineByte {
				continue // never holds
			}
			waits = true
		}
		nodes = append(nodes, n)
	}
	if len(nodes) == 0 {
		return a.row(dead)
	}
	if !waits {
		before = otherByte
	}
	slices.Sort(nodes)
	a.key = append(a.key[:0], byte(before))
	for _, n := range nodes {
		a.key = append(a.key, byte(n), byte(n>>8))
	}
	if known, ok := a.names[string(a.key)]; ok {
		return known
	}
	name := uint32(len(a.table))
	a.table = append(a.table, make([]uint32, a.code.classes)...)
	a.states = append(a.states, stateSet{slices.Clone(nodes), before})
	a.names[string(a.key)] = name
	a.size += 4*a.code.classes*a.code.tables() + 4*len(nodes) + len(a.key) + stateOverhead
	return name
}

// step finds the state that follows on a byte, and enters it into the table.
func (a *automaton) step(from uint32, b byte) uint32 {
	at := from + uint32(a.code.class[b])
	to := a.successor(&a.states[int(from)/a.code.classes-firstState], b)
	if a.code.spans {
		a.past = append(a.past, make([]uint32, len(a.table)-len(a.past))...)
		if a.past[at] = to; a.ended {
			to = a.row(matched)
		}
	}
	a.table[at] = to
	return to
}

// successor gives the state that follows on a byte. Where matches may span lines it goes on after
// a match, and ended says whether there is one.
func (a *automaton) successor(from *stateSet, b byte) uint32 {
	nodes := from.nodes
	a.ended = false
	if a.code.asserts {
		a.set.clear()
		holds := holding(from.before, b)
		for _, n := range nodes {
			a.follow(&a.set, n, holds)
		}
		if a.ended = a.set.matches; a.ended && !a.code.spans {
			return a.row(matched)
		}
		nodes = a.set.nodes
	}
	if b == '\n' && !a.code.spans {
		return a.start
	}
	a.next.clear()
	for _, n := range nodes {
		for _, r := range a.code.nodes[n].ranges {
			if r.lo <= b && b <= r.hi {
				a.follow(&a.next, r.to, 0)
				break
			}
		}
	}
	a.follow(&a.next, a.code.start, 0) // a match may begin anywhere
	if a.code.spans {
		a.ended, a.next.matches = a.ended || a.next.matches, false
	}
	return a.state(&a.next, kindOf(b))
}

// holding gives the assertions that hold between what comes before and the byte b. None holds
// inside a character.
func holding(before byteKind, b byte) (holds syntax.EmptyOp) {
	if b&0xC0 == 0x80 {
		return 0
	}
	if before == newlineByte {
		holds |= syntax.EmptyBeginLine
	}
	if b == '\n' {
		holds |= syntax.EmptyEndLine
	}
	if (before == wordByte) != (kindOf(b) == wordByte) {
		return holds | syntax.EmptyWordBoundary
	}
	return holds | syntax.EmptyNoWordBoundary
}

func kindOf(b byte) byteKind {
	switch {
	case b == '\n':
		return newlineByte
	case b < 0x80 && syntax.IsWordChar(rune(b)):
		return wordByte
	}
	return otherByte
}
