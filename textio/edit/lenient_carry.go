package edit

import (
	"unicode"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// foldedPair is a stretch of an expected text and the stretch of the file that it matches: both are
// the same after folding.
type foldedPair struct{ asked, found []byte }

// carryTypography returns the lines new. Words and signs that the asked lines have, too, are in
// them as the file has them. So what an edit does not mean to change keeps its curly quotes, both
// of each pair. plain tells of the quotes of the whole place.
func carryTypography(pairs []foldedPair, new [][]byte, plain plainQuotes) [][]byte {
	wanted := make([]foldedPair, len(new))
	for i, line := range new {
		wanted[i] = foldedPair{asked: line, found: line}
	}
	old, found := lineTokens(pairs)
	want, out := lineTokens(wanted)
	kept := diff.Kept(old, want)
	for i, n := range kept {
		if n >= 0 {
			out[i] = found[n]
		}
	}
	quotesFound{old, found, quotePairs(old), plain}.even(want, out, kept)
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
			a, size = charset.AppendTypewritten(a, pair.asked[asked:])
			asked += size
		default:
			f, size = charset.AppendTypewritten(f, pair.found[found:])
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
	switch folded, _ := charset.Typewritten(r); {
	case folded == '.':
		return tokenDots
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return tokenWord
	}
	return tokenOther
}
