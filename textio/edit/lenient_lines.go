package edit

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// LineTier is a rule for when two lists of lines count as the same. Each tier ignores what the
// tiers before it ignore, and more. No tier accepts lines that are merely similar.
type LineTier uint8

const (
	LineExact          LineTier = iota // the same bytes, line ends aside
	LineTrailingBlanks                 // ignores blanks at line ends
	LineIndentation                    // ignores blanks at line starts, if one rule translates them all
	LineUnicode                        // takes quotes, dashes, ellipses and spaces beyond ASCII for those in ASCII
	LineTiers                          // the number of tiers
)

// String is the name that results and errors give the tier.
func (t LineTier) String() string {
	return [LineTiers]string{TierExact, TierTrailingBlanks, TierIndentation, TierUnicode}[t]
}

// Block is a change of whole lines, which come without their ends. Old are the lines sought. New
// are the lines to be put in, without those that stay; they show how the writer of the block
// indents.
type Block struct{ Old, New [][]byte }

// MaxCounted is how many places are counted; one more shows that there are others.
const MaxCounted = 10_000

// FindLines returns the places of the old lines in one of the tiers after LineExact: for each the
// number from 0 of the line of file at which it begins, ascending, those that overlap included.
// File is a text without its byte order mark. Blocks of nothing but blank lines are never found.
//
// Several places mean that the block is ambiguous. Going on to the next tier can't help: it
// forgives more, and finds these places again. Only places for which keep is true count, and of
// those only the first MaxCounted+1. If the call is cancelled, some are missing.
func FindLines(ctx context.Context, file lines.Text, block Block, tier LineTier, keep func(first int) bool) []int {
	if allBlank(block.Old) {
		return nil
	}
	places := findKeys(ctx, file, block.Old, tier, keep)
	if tier < LineIndentation || len(places) == 0 {
		return places
	}
	return indentedPlaces(ctx, file, block, places, tier)
}

// indentedPlaces picks the places whose indentation follows from that of the old lines by a rule.
func indentedPlaces(ctx context.Context, file lines.Text, block Block, places []int, tier LineTier) (indented []int) {
	indents := indentsOf(file)
	seen := make(map[string]bool) // by the indents of a place: a text that repeats lines repeats them, too
	left := indentChecks
	for _, first := range places {
		if ctx.Err() != nil {
			return nil
		}
		left -= file.Offset(first+len(block.Old)) - file.Offset(first)
		switch {
		case left < 0 && len(indented) > 1:
			return indented
		case left < 0 && len(places) > 1:
			return nil
		}
		var key []byte
		for i := range block.Old {
			key = append(append(key, splitBlanks(file.Line(first+i), tier).indent...), '\n')
		}
		ok, known := seen[string(key)]
		if !known {
			_, _, ok = solveIndents(file, block, first, tier, indents)
			seen[string(key)] = ok
		}
		if ok {
			indented = append(indented, first)
		}
	}
	return indented
}

// indentChecks bounds the bytes of all places whose indentation is compared in one search. A text
// with so many places has no single one to offer, and only those that were compared are counted.
const indentChecks = 64 << 20

// findKeys returns where the keys of the old lines occur one after the other. Each key has a
// number, from 1.
func findKeys(ctx context.Context, file lines.Text, old [][]byte, tier LineTier, keep func(first int) bool) (places []int) {
	numbers := make(map[string]int)
	want := make([]int, len(old))
	stop := lines.Stopper{Ctx: ctx}
	for i, line := range old {
		if stop.Now() {
			return nil
		}
		key := string(lineKey(line, tier))
		if numbers[key] == 0 {
			numbers[key] = len(numbers) + 1
		}
		want[i] = numbers[key]
	}
	number := func(i int) int { return numbers[string(lineKey(file.Line(i), tier))] }
	for first := range occurrences(ctx, want, file.Count(), number) {
		if !keep(first) {
			continue
		}
		if places = append(places, first); len(places) > MaxCounted {
			break
		}
	}
	return places
}

// itemsPerLook is after how many bytes or lines a search looks at its context.
const itemsPerLook = 1 << 14

// occurrences returns where want occurs in a list of length n, overlapping places included, in time
// in proportion to n and the length of want (Knuth, Morris and Pratt, 1977). If the call is
// cancelled, some are missing.
func occurrences[T comparable](ctx context.Context, want []T, n int, item func(int) T) iter.Seq[int] {
	return func(yield func(int) bool) {
		back := borders(want)
		matched := 0
		for i := range n {
			if i%itemsPerLook == 0 && ctx.Err() != nil {
				return
			}
			next := item(i)
			for matched > 0 && want[matched] != next {
				matched = back[matched-1]
			}
			if want[matched] == next {
				matched++
			}
			if matched == len(want) {
				if !yield(i - matched + 1) {
					return
				}
				matched = back[matched-1]
			}
		}
	}
}

// borders returns for each beginning of list, at the index of its last item, the length of the
// longest shorter beginning with which it also ends.
func borders[T comparable](list []T) []int {
	back := make([]int, len(list))
	n := 0
	for i := 1; i < len(list); i++ {
		for n > 0 && list[n] != list[i] {
			n = back[n-1]
		}
		if list[n] == list[i] {
			n++
		}
		back[i] = n
	}
	return back
}

// lineKey is what a tier compares of a line: lines with the same key are the same in the tier. From
// LineIndentation on, indentation is left out of it and compared by itself.
func lineKey(line []byte, tier LineTier) []byte {
	switch tier {
	case LineTrailingBlanks:
		return bytes.TrimRight(line, lineBlanks)
	case LineIndentation:
		return bytes.Trim(line, lineBlanks)
	}
	return bytes.Trim(charset.FoldLine(line), lineBlanks)
}

// lineBlanks are the characters that count as blanks at the ends of a line. A carriage return is
// one: some tools leave several before a line feed.
const lineBlanks = " \t\r"

func allBlank(lines [][]byte) bool {
	return !slices.ContainsFunc(lines, func(line []byte) bool { return len(lineKey(line, LineUnicode)) > 0 })
}

// lineParts is a line taken apart. indent and trail are what the tier takes for blanks.
type lineParts struct{ indent, body, trail []byte }

func splitBlanks(line []byte, tier LineTier) lineParts {
	isBlank := func(r rune) bool {
		if tier == LineUnicode {
			r, _ = charset.Typewritten(r)
		}
		return r == ' ' || r == '\t' || r == '\r'
	}
	start := bytes.IndexFunc(line, func(r rune) bool { return !isBlank(r) })
	if start < 0 {
		return lineParts{trail: line}
	}
	body := bytes.TrimRightFunc(line[start:], isBlank)
	return lineParts{indent: line[:start], body: body, trail: line[start+len(body):]}
}

// Adapter brings new lines into the form of the place they go to.
type Adapter struct {
	file   lines.Text
	block  Block
	first  int // line of the file where the place begins, from 0
	tier   LineTier
	indent indentRule
	plain  plainQuotes
}

// AdapterAt makes the adapter for one of the places where FindLines found block. ok is false if the
// indentation of a new line has no clear counterpart in the file.
func AdapterAt(file lines.Text, block Block, first int, tier LineTier) (a Adapter, ok bool) {
	a = Adapter{file: file, block: block, first: first, tier: tier}
	if tier < LineIndentation {
		return a, true
	}
	rule, known, ok := solveIndents(file, block, first, tier, indentsOf(file))
	a.indent = rule
	if tier == LineUnicode {
		a.plain = plainQuotesIn(file.Bytes[file.Offset(first):file.Offset(first+len(block.Old))])
	}
	return a, ok && rule.covers(block.New, known, tier)
}

// Adapt returns the lines new, some of block.New, as they are to be in the file instead of the old
// lines in the range from, to, counted from 0, end exclusive. They are re-indented by the rule that
// leads from the old lines to the file's, and what they have in common with the old lines they
// replace keeps the file's quotes, dashes and spaces. The lines given are not changed.
func (a Adapter) Adapt(from, to int, new [][]byte) [][]byte {
	if a.tier < LineIndentation {
		return new
	}
	bodies := new
	if a.tier == LineUnicode {
		pairs := make([]foldedPair, 0, to-from)
		for i := from; i < to; i++ {
			asked, found := splitBlanks(a.block.Old[i], a.tier), splitBlanks(a.file.Line(a.first+i), a.tier)
			pairs = append(pairs, foldedPair{asked: asked.body, found: found.body})
		}
		bodies = carryTypography(pairs, new, a.plain)
	}
	adapted := make([][]byte, len(bodies))
	for i, line := range bodies {
		adapted[i] = a.indent.line(line, a.tier)
	}
	return adapted
}
