package edit

import (
	"unicode"
	"unicode/utf8"

	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// foldedPair is a stretch of an expected text and the stretch of the file that it matches: both are
// the same after folding.
type foldedPair struct{ asked, found []byte }

// carryTypography returns the lines new. Words and signs that the asked lines have, too, are in
// them as the file has them. So what an edit does not mean to change keeps its curly quotes.
func carryTypography(pairs []foldedPair, new [][]byte) [][]byte {
	wanted := make([]foldedPair, len(new))
	for i, line := range new {
		wanted[i] = foldedPair{asked: line, found: line}
	}
	old, found := lineTokens(pairs)
	want, out := lineTokens(wanted)
	for i, n := range keptLines(old, want) {
		if n >= 0 {
			out[i] = found[n]
		}
	}
	lines := make([][]byte, 0, len(new))
	line := []byte{}
	for _, token := range out {
		line = append(line, token...)
		if token == nil {
			lines = append(lines, line)
			line = []byte{}
		}
	}
	return lines
}

// lineTokens lists both sides of the tokens of all pairs. A line feed, and nil on the side found,
// ends each pair.
func lineTokens(pairs []foldedPair) (asked, found [][]byte) {
	for _, pair := range pairs {
		for _, token := range foldedTokens(pair) {
			asked, found = append(asked, token.asked), append(found, token.found)
		}
		asked, found = append(asked, lines.LF), append(found, nil)
	}
	return asked, found
}

// foldedTokens cuts a pair into words, runs of dots, and single other characters.
func foldedTokens(pair foldedPair) (tokens []foldedPair) {
	last := tokenOther
	for len(pair.asked) > 0 {
		asked, found := foldedStep(pair)
		kind := kindOf(pair.asked)
		if n := len(tokens) - 1; kind != tokenOther && kind == last {
			tokens[n].asked = tokens[n].asked[:len(tokens[n].asked)+asked]
			tokens[n].found = tokens[n].found[:len(tokens[n].found)+found]
		} else {
			tokens = append(tokens, foldedPair{pair.asked[:asked], pair.found[:found]})
		}
		last = kind
		pair.asked, pair.found = pair.asked[asked:], pair.found[found:]
	}
	return tokens
}

// foldedStep measures, in bytes, the shortest beginnings of both sides that fold to the same: one
// character each, except for an ellipsis and three dots.
func foldedStep(pair foldedPair) (asked, found int) {
	var a, f []byte
	for {
		size := 0
		switch {
		case len(a) > 0 && len(a) == len(f), len(a) <= len(f) && asked == len(pair.asked), len(a) > len(f) && found == len(pair.found):
			return asked, found
		case len(a) <= len(f):
			a, size = appendFolded(a, pair.asked[asked:])
			asked += size
		default:
			f, size = appendFolded(f, pair.found[found:])
			found += size
		}
	}
}

type tokenKind int

const (
	tokenOther tokenKind = iota
	tokenWord
	tokenDots // so that an ellipsis is one token whichever way it is written
)

// kindOf tells what kind of token the first character of text belongs to.
func kindOf(text []byte) tokenKind {
	r, _ := utf8.DecodeRune(text)
	switch folded, _ := foldRune(r); {
	case folded == '.':
		return tokenDots
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return tokenWord
	}
	return tokenOther
}

// sequenceCells bounds the table that longestSequence fills: 4 bytes for each cell.
const sequenceCells = 1 << 22

// commonSequence returns for each item of b the index of the item of a that it repeats, -1 if none.
// It finds a longest common subsequence, or where that would cost too much, only what the lists
// have in common at both ends.
func commonSequence(a, b []int) []int {
	kept := make([]int, len(b))
	for i := range kept {
		kept[i] = -1
	}
	head := diff.Head(a, b)
	tail := diff.Tail(a[head:], b[head:])
	for i := range head {
		kept[i] = i
	}
	for i := range tail {
		kept[len(b)-1-i] = len(a) - 1 - i
	}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) > 0 && len(b) > 0 && len(a) <= sequenceCells/len(b) {
		for i, n := range longestSequence(a, b) {
			if n >= 0 {
				kept[head+i] = head + n
			}
		}
	}
	return kept
}

// longestSequence is commonSequence without bounds: it fills the whole table of longest common
// subsequences, from the ends of both lists to their starts.
func longestSequence(a, b []int) []int {
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	kept := make([]int, len(b))
	i := 0
	for j := range b {
		kept[j] = -1
		for i < len(a) && longest[i*width+j] > longest[i*width+j+1] {
			i++
			if a[i-1] == b[j] {
				kept[j] = i - 1
				break
			}
		}
	}
	return kept
}
