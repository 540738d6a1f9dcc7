package edit

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
)

// Quotes come in pairs, and code with half a typographic pair no longer parses. So where the lines
// of a lenient edit take their quotes from the file, they take both of a pair or none.

// quotePairs returns for each token the index of the quote that it makes a pair with, -1 if there
// is none. Double quotes make pairs by turns, single ones also by what is next to them: one within
// a word is an apostrophe. Quotes after a backslash make pairs among themselves. A double quote
// that is left over in a line makes a pair with one left over in a later line.
func quotePairs(tokens [][]byte) []int {
	partner := make([]int, len(tokens))
	open := make(map[quoteClass]int)  // index of the quote that waits for its partner in this line
	above := make(map[quoteClass]int) // the same of the lines before
	for i, token := range tokens {
		partner[i] = -1
		if string(token) == "\n" {
			for class, at := range open {
				class.leave(partner, above, at)
			}
			clear(open)
			continue
		}
		class := classOf(tokens, i)
		switch at, waits := open[class]; {
		case class.sign == 0:
		case waits && class.mayEnd(tokens, i):
			partner[at], partner[i] = i, at
			delete(open, class)
		case class.mayBegin(tokens, i):
			open[class] = i
		}
	}
	return partner
}

// quoteClass is what quotes that make pairs have in common; the zero value is that of no quote.
type quoteClass struct {
	sign    rune // ' or "
	escaped bool
}

func classOf(tokens [][]byte, i int) (c quoteClass) {
	r, size := utf8.DecodeRune(tokens[i])
	if r, _ = charset.Typewritten(r); size != len(tokens[i]) || r != '\'' && r != '"' {
		return c
	}
	return quoteClass{r, i > 0 && string(tokens[i-1]) == `\`}
}

// leave makes a pair of a double quote left over in a line and one left over above, or lets it
// wait.
func (c quoteClass) leave(partner []int, above map[quoteClass]int, at int) {
	before, waits := above[c]
	switch {
	case c.sign != '"':
	case waits:
		partner[before], partner[at] = at, before
		delete(above, c)
	default:
		above[c] = at
	}
}

// mayBegin reports whether a quote may be the first of a pair.
func (c quoteClass) mayBegin(tokens [][]byte, i int) bool {
	return c.sign == '"' || i == 0 || kindOf(tokens[i-1]) != tokenWord
}

// mayEnd reports whether a quote may be the last of a pair.
func (c quoteClass) mayEnd(tokens [][]byte, i int) bool {
	return c.sign == '"' || i+1 == len(tokens) || kindOf(tokens[i+1]) != tokenWord
}

// quotesFound are the tokens of lines that an edit replaces, as they were asked for and as the file
// has them, and the partners of the quotes among them.
type quotesFound struct {
	asked, found [][]byte
	partner      []int
	plain        plainQuotes
}

// plainQuotes tells of each kind of quotes whether the place of an edit has some, all in ASCII:
// then new ones are in ASCII as well.
type plainQuotes struct{ double, single bool }

func plainQuotesIn(place []byte) (p plainQuotes) {
	p = plainQuotes{bytes.IndexByte(place, '"') >= 0, bytes.IndexByte(place, '\'') >= 0}
	for _, r := range string(place) {
		if r >= utf8.RuneSelf {
			r, _ = charset.Typewritten(r)
			p.double, p.single = p.double && r != '"', p.single && r != '\''
		}
	}
	return p
}

// even makes each pair in out, which has the tokens want with those that kept gives from the file,
// one that the file could have: kept has for each the index of the old token, or -1.
func (q quotesFound) even(want, out [][]byte, kept []int) {
	for i, j := range quotePairs(want) {
		if j <= i {
			continue
		}
		first, last := q.pairOf(kept[i]), q.pairOf(kept[j])
		switch {
		case first == nil && last == nil:
			if c := classOf(want, i); c.sign == '"' && q.plain.double || c.sign == '\'' && q.plain.single {
				out[i], out[j] = plainQuote(want[i]), plainQuote(want[j])
			}
			continue
		case first == nil:
			first = last
		case last == nil:
			last = first
		}
		isFound := kept[i] >= 0 && kept[j] == q.partner[kept[i]] // a pair of the file, whatever it is made of
		if out[i], out[j] = first[0], last[1]; !isFound && isPlainQuote(out[i]) != isPlainQuote(out[j]) {
			out[i], out[j] = want[i], want[j]
		}
	}
}

// pairOf returns the pair, as the file has it, to which the old token n belongs; nil if n is -1.
func (q quotesFound) pairOf(n int) [][]byte {
	if n < 0 {
		return nil
	}
	switch p := q.partner[n]; {
	case p > n:
		return [][]byte{q.found[n], q.found[p]}
	case p >= 0:
		return [][]byte{q.found[p], q.found[n]}
	}
	open, end := counterparts(q.found[n])
	return [][]byte{open, end}
}

// evenLines makes the pairs even of which one quote is in a line that the edit keeps, as the file
// has it, and the other in a new line in place of one that had it: that one is changed. old are the
// lines that the edit expects.
func evenLines(old, made [][]byte, kept []int) {
	wasOpen := make(map[int]bool)
	for _, q := range openQuotes(old) {
		wasOpen[q.line] = true
	}
	now := openQuotes(made)
	for i := 0; i+1 < len(now); i += 2 {
		first, last := now[i], now[i+1]
		if isPlainQuote(first.quote) == isPlainQuote(last.quote) {
			continue
		}
		switch a, b := kept[first.line], kept[last.line]; {
		case a >= 0 && b < 0 && wasOpen[a]:
			_, quote := counterparts(first.quote)
			last.replace(made, quote)
		case b >= 0 && a < 0 && wasOpen[b]:
			quote, _ := counterparts(last.quote)
			first.replace(made, quote)
		}
	}
}

// openQuote is a double quote that is left over in a line.
type openQuote struct {
	line, at int
	quote    []byte
}

// openQuotes are those of some lines: the first and the second make a pair, and so on.
func openQuotes(texts [][]byte) (all []openQuote) {
	for i, text := range texts {
		open := openQuote{line: i, at: -1}
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRune(text[at:])
			if r, _ = charset.Typewritten(r); r == '"' && (at == 0 || text[at-1] != '\\') {
				if open.quote = text[at : at+size]; open.at >= 0 {
					at, open.at = at+size, -1
					continue
				}
				open.at = at
			}
			at += size
		}
		if open.at >= 0 {
			all = append(all, open)
		}
	}
	return all
}

func (q openQuote) replace(texts [][]byte, quote []byte) {
	text := texts[q.line]
	texts[q.line] = slices.Concat(text[:q.at], quote, text[q.at+len(q.quote):])
}

func isPlainQuote(token []byte) bool { return len(token) == 1 }

// plainQuote is the ASCII form of a quote.
func plainQuote(token []byte) []byte { return charset.FoldLine(token) }

// counterparts returns the pair to which a quote by itself belongs, by the habits of most
// languages.
func counterparts(quote []byte) (open, end []byte) {
	switch r, _ := utf8.DecodeRune(quote); r {
	case '“', '”', '‟':
		return []byte("“"), []byte("”")
	case '„':
		return quote, []byte("“")
	case '‘', '’', '‛':
		return []byte("‘"), []byte("’")
	case '‚':
		return quote, []byte("‘")
	}
	return quote, quote
}
