package regex

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// bytecode is an expression as a graph that reads bytes: the program of package regexp/syntax, in
// which each class of characters is spelled out as the byte sequences of its characters in UTF-8.
// It never changes once it is made, so all workers share it.
type bytecode struct {
	nodes   []byteNode
	start   int32
	asserts bool       // there are assertions: ^ $ \b \B
	spans   bool       // matches may span lines
	class   [256]uint8 // bytes with the same number are the same to every node
	classes int
}

// byteNode is one step: it reads a byte in one of the ranges, or passes without reading one.
type byteNode struct {
	ranges []byteRange // ascending, none overlap; nil for a node that reads nothing
	op     syntax.InstOp
	assert syntax.EmptyOp // of syntax.InstEmptyWidth: what must hold here
	out    [2]int32       // where a node that reads nothing goes on; -1 for nowhere
}

// byteRange leads from the bytes lo to hi to a node.
type byteRange struct {
	lo, hi byte
	to     int32
}

// maxByteNodes bounds the graph: above it, making states takes longer than they save.
const maxByteNodes = 20_000

// newBytecode spells out an expression that matches within a line. It returns nil if the graph
// would be too large, if the expression has assertions about the whole text (\A, \z), and if it
// matches every line or none: an automaton can't begin in the state after a match. The error is for
// an expression that could not be compiled with a few more groups around it, as it will be.
func newBytecode(expr string, spans bool) (*bytecode, error) {
	tree, err := syntax.Parse("(("+expr+"))", syntax.Perl)
	if err != nil {
		return nil, &Error{"the regular expression is too large", -1}
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil || len(prog.Inst) > maxByteNodes {
		return nil, nil
	}
	b := byteWriter{nodes: make([]byteNode, len(prog.Inst)), known: map[string]int32{}}
	for i := range prog.Inst {
		if !b.write(i, &prog.Inst[i]) || len(b.nodes) > maxByteNodes {
			return nil, nil
		}
	}
	code := &bytecode{nodes: b.nodes, start: int32(prog.Start), asserts: b.asserts != 0, spans: spans}
	if spans {
		code.start = code.entry(code.start, map[int32]int32{})
	}
	code.classify(b.asserts)
	if new(automaton).prepare(code).isTrivial() {
		return nil, nil
	}
	return code, nil
}

// entry copies a node and those that can be reached from it without reading a byte. So a match that
// is under way is never in the same nodes as one that has not begun.
func (c *bytecode) entry(node int32, copies map[int32]int32) int32 {
	if node < 0 {
		return node
	}
	if made, ok := copies[node]; ok {
		return made
	}
	at := int32(len(c.nodes))
	copies[node] = at
	c.nodes = append(c.nodes, c.nodes[node])
	if n := c.nodes[node]; n.ranges == nil {
		out := [2]int32{c.entry(n.out[0], copies), c.entry(n.out[1], copies)}
		c.nodes[at].out = out
	}
	return at
}

// tables is how many tables an automaton has.
func (c *bytecode) tables() int {
	if c.spans {
		return 2
	}
	return 1
}

// byteWriter writes the nodes of a bytecode.
type byteWriter struct {
	nodes   []byteNode
	known   map[string]int32 // nodes for the later bytes of a character, by their ranges
	asserts syntax.EmptyOp   // all assertions that occur
}

// write makes node i from an instruction. It returns false for an assertion about the whole text.
func (b *byteWriter) write(i int, inst *syntax.Inst) bool {
	node := byteNode{op: inst.Op, out: [2]int32{int32(inst.Out), -1}}
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		node.out[1] = int32(inst.Arg)
	case syntax.InstEmptyWidth:
		node.assert = syntax.EmptyOp(inst.Arg)
		b.asserts |= node.assert
		if node.assert&(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return false
		}
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		node.ranges = b.sequences(runesOf(inst), int32(inst.Out))
		if len(node.ranges) == 0 {
			node.op = syntax.InstFail
		}
	}
	b.nodes[i] = node
	return true
}

// runesOf gives the characters that an instruction matches, as ascending pairs of bounds.
func runesOf(inst *syntax.Inst) []rune {
	switch {
	case inst.Op == syntax.InstRuneAny:
		return []rune{0, utf8.MaxRune}
	case inst.Op == syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, utf8.MaxRune}
	case len(inst.Rune) != 1:
		return inst.Rune
	}
	first := inst.Rune[0]
	runes := []rune{first}
	if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
		for r := unicode.SimpleFold(first); r != first; r = unicode.SimpleFold(r) {
			runes = append(runes, r)
		}
	}
	slices.Sort(runes)
	var pairs []rune
	for _, r := range runes {
		pairs = append(pairs, r, r)
	}
	return pairs
}

// sequences spells out characters, given as runesOf gives them, as bytes of UTF-8. It returns the
// ranges of their first bytes, and adds nodes for the later ones. After the last byte of a
// character comes the node with number to.
func (b *byteWriter) sequences(pairs []rune, to int32) []byteRange {
	var root byteTree
	for i := 0; i+1 < len(pairs); i += 2 {
		root.addRunes(pairs[i], pairs[i+1])
	}
	return b.flatten(&root, to)
}

// flatten turns a tree into ranges, with a node for each branch. Equal branches share one.
func (b *byteWriter) flatten(t *byteTree, to int32) []byteRange {
	ranges := make([]byteRange, 0, len(t.branches))
	for i := range t.branches {
		branch := &t.branches[i]
		next := to
		if len(branch.below.branches) > 0 {
			next = b.share(b.flatten(&branch.below, to))
		}
		if n := len(ranges); n > 0 && ranges[n-1].to == next && ranges[n-1].hi+1 == branch.lo {
			ranges[n-1].hi = branch.hi
			continue
		}
		ranges = append(ranges, byteRange{branch.lo, branch.hi, next})
	}
	return ranges
}

// share returns the node with these ranges, and makes it if there is none.
func (b *byteWriter) share(ranges []byteRange) int32 {
	var key []byte
	for _, r := range ranges {
		key = append(key, r.lo, r.hi, byte(r.to), byte(r.to>>8), byte(r.to>>16), byte(r.to>>24))
	}
	node, ok := b.known[string(key)]
	if !ok {
		node = int32(len(b.nodes))
		b.nodes = append(b.nodes, byteNode{ranges: ranges, op: syntax.InstRune})
		b.known[string(key)] = node
	}
	return node
}

// byteTree holds byte sequences that were added in ascending order.
type byteTree struct{ branches []byteBranch }

type byteBranch struct {
	lo, hi byte
	below  byteTree
}

// addRunes adds the sequences of the characters from lo to hi. It cuts them into blocks: all
// sequences of a block have the same length, and each of their bytes takes all values of a range,
// as in E0 A0-BF 80-BF.
func (t *byteTree) addRunes(lo, hi rune) {
	const surrogateMin, surrogateMax = 0xD800, 0xDFFF // not in UTF-8
	if lo <= surrogateMax && hi >= surrogateMin {
		if lo < surrogateMin {
			t.addRunes(lo, surrogateMin-1)
		}
		if hi > surrogateMax {
			t.addRunes(surrogateMax+1, hi)
		}
		return
	}
	for lo <= hi {
		end := min(hi, blockEnd(lo, hi))
		t.addBlock([]byte(string(lo)), []byte(string(end)))
		lo = end + 1
	}
}

// blockEnd gives the last character of the block that begins with lo and does not go beyond hi.
func blockEnd(lo, hi rune) rune {
	for _, last := range [...]rune{0x7F, 0x7FF, 0xFFFF} { // the last ones with 1, 2 and 3 bytes
		if lo <= last {
			hi = min(hi, last)
			break
		}
	}
	const bits = 6 // of a character, in each byte after the first
	most := rune(1)<<(bits*(utf8.RuneLen(lo)-1)) - 1
	for low := rune(1<<bits - 1); low <= most && lo&^low != hi&^low; low = low<<bits | low {
		if lo&low != 0 {
			return lo | low
		}
		if hi&low != low {
			hi = hi&^low - 1
		}
	}
	return hi
}

// addBlock adds a block: all sequences whose i-th byte is from lo[i] to hi[i].
func (t *byteTree) addBlock(lo, hi []byte) {
	n := len(t.branches)
	if n == 0 || t.branches[n-1].lo != lo[0] || t.branches[n-1].hi != hi[0] {
		t.branches = append(t.branches, byteBranch{lo: lo[0], hi: hi[0]})
		n++
	}
	if len(lo) > 1 {
		t.branches[n-1].below.addBlock(lo[1:], hi[1:])
	}
}

// classify numbers the bytes so that those that no node tells apart have the same number.
func (c *bytecode) classify(asserts syntax.EmptyOp) {
	var begins [257]bool // a new number begins at this byte
	cut := func(lo, hi byte) { begins[lo], begins[int(hi)+1] = true, true }
	cut('\n', '\n')
	for i := range c.nodes {
		for _, r := range c.nodes[i].ranges {
			cut(r.lo, r.hi)
		}
	}
	if asserts != 0 {
		cut(utf8.RuneSelf, 0xBF) // the bytes that continue a character
	}
	if asserts&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
		cut('0', '9')
		cut('A', 'Z')
		cut('_', '_')
		cut('a', 'z')
	}
	for b := 1; b < 256; b++ {
		if begins[b] {
			c.classes++
		}
		c.class[b] = uint8(c.classes)
	}
	c.classes++
}
