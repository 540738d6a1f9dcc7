package edit

import (
	"bytes"
	"context"
	"slices"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// lenientEdit is an edit under way whose expected text wasn't found byte by byte. Its lines are
// compared without their ends.
type lenientEdit struct {
	ctx       context.Context
	text      []byte // of the file
	bom       int    // length of the byte order mark that text begins with
	file      lines.Text
	expected  []byte // with LF only
	old, new  [][]byte
	oldEnds   bool // the expected text ends with a line end
	newEnds   bool // so does the replacement
	wholeWord bool
	kept      []int // for each new line the index of the old line it repeats, -1 if it is changed or added
}

// lenientPlaces are places in a lenient tier. A single one gets its replacement.
func lenientPlaces(tier LineTier, spans []Span, replacement func() []byte) foundPlaces {
	f := foundPlaces{tier: tier.String(), lenient: true, spans: slices.Values(spans), count: len(spans)}
	if len(spans) == 1 {
		made := replacement()
		f.replacement = func(Span) []byte { return made }
	}
	return f
}

// maxLenientLines bounds the lines of both texts of a lenient edit: each takes some 60 bytes, and
// nobody writes so many.
const maxLenientLines = 250_000

// findLenient finds the first lenient tier that has a place for the edit. It returns no places if
// no tier has one, if the only place has no clear indentation for a new line, or if the texts have
// more than maxLenientLines.
func findLenient(ctx context.Context, text []byte, edit Edit) foundPlaces {
	if bytes.Count(edit.Expected, lines.LF)+bytes.Count(edit.Replacement, lines.LF) > maxLenientLines {
		return foundPlaces{}
	}
	e := newLenientEdit(ctx, text, edit)
	if allBlank(e.old) {
		return foundPlaces{}
	}
	for tier := LineTrailingBlanks; tier < LineTiers && ctx.Err() == nil; tier++ {
		if tier == LineUnicode {
			if spans := e.findFolded(); len(spans) > 0 {
				return lenientPlaces(tier, spans, func() []byte { return e.folded(spans[0]) })
			}
		}
		if places := e.findWhole(tier); len(places) > 0 {
			return e.matchLines(tier, places)
		}
	}
	return foundPlaces{}
}

// lenientTier tells the tier in which an edit would match if it were lenient, or "".
func lenientTier(ctx context.Context, text []byte, edit Edit) string {
	if found := findLenient(ctx, text, edit); found.count == 1 && edit.Count <= 1 {
		return found.tier
	}
	return ""
}

func newLenientEdit(ctx context.Context, text []byte, edit Edit) *lenientEdit {
	e := &lenientEdit{ctx: ctx, text: text, expected: lines.WithLF(edit.Expected), bom: markOf(text), wholeWord: edit.WholeWord}
	e.file = lines.Split(text[e.bom:])
	e.old, e.oldEnds = cutLines(e.expected)
	e.new, e.newEnds = cutLines(lines.WithLF(edit.Replacement))
	e.kept = diff.Kept(e.old, e.new)
	return e
}

// cutLines cuts a text with LF only. ends says that it ends with a line end, after which no further
// line is counted.
func cutLines(text []byte) (list [][]byte, ends bool) {
	text, ends = bytes.CutSuffix(text, lines.LF)
	if len(text) == 0 && !ends {
		return nil, false
	}
	return bytes.Split(text, lines.LF), ends
}

// block is the edit as FindLines takes it.
func (e *lenientEdit) block() Block {
	block := Block{Old: e.old}
	for i, line := range e.new {
		if e.kept[i] < 0 {
			block.New = append(block.New, line)
		}
	}
	return block
}

// findWhole finds the places where whole lines match in a tier. Where the expected text ends with a
// line end, so must the place.
func (e *lenientEdit) findWhole(tier LineTier) []int {
	return FindLines(e.ctx, e.file, e.block(), tier, func(first int) bool {
		return (!e.oldEnds || e.file.Ended(first+len(e.old)-1)) && !e.leavesOut(e.spanOf(first))
	})
}

// leavesOut reports whether WholeWord leaves out a place, because a character of a word is next to
// it.
func (e *lenientEdit) leavesOut(span Span) bool {
	return e.wholeWord && !isWholeWord(e.text, span.Start, span.End)
}

// spanOf is the span of the place whose first line is line first of the file. If the expected text
// doesn't end with a line end, the span ends before the last line's own.
func (e *lenientEdit) spanOf(first int) Span {
	last := first + len(e.old) - 1
	if e.oldEnds {
		return Span{e.bom + e.file.Offset(first), e.bom + e.file.Offset(last+1)}
	}
	return Span{e.bom + e.file.Offset(first), e.bom + e.file.Offset(last) + len(e.file.Line(last))}
}

// matchLines makes the match for places that findWhole found; a place is the number of its first
// line. Only a single place gets a replacement. If its indentation can't be adapted, there is no
// match.
func (e *lenientEdit) matchLines(tier LineTier, places []int) foundPlaces {
	adapter, ok := AdapterAt(e.file, e.block(), places[0], tier)
	if !ok && len(places) == 1 {
		return foundPlaces{}
	}
	var spans []Span
	for _, first := range places {
		spans = append(spans, e.spanOf(first))
	}
	return lenientPlaces(tier, spans, func() []byte {
		found := slices.Collect(bytes.Lines(e.file.Bytes[e.file.Offset(places[0]):e.file.Offset(places[0]+len(e.old))]))
		return e.replacement(spans[0], found, adapter.Adapt)
	})
}

// findFolded finds the expected text anywhere, also within lines, with typographic characters
// replaced by ASCII on both sides, and LF and CRLF the same.
func (e *lenientEdit) findFolded() (spans []Span) {
	if charset.IsASCII(e.text) && charset.IsASCII(e.expected) {
		return nil // without typographic characters, the exact tiers have found everything already
	}
	s := search{ctx: e.ctx, text: charset.FoldLine(lines.WithLF(e.text)), expected: charset.FoldLine(e.expected),
		wholeWord: e.wholeWord, isWhole: charset.IsWholeWord}
	if !bytes.Contains(s.text, s.expected) {
		return nil
	}
	for span := range inOriginal(e.text, true, s.all) {
		if span.Start < e.bom {
			continue // the mark is the file's own
		}
		if spans = append(spans, span); len(spans) > MaxCounted {
			break
		}
	}
	return spans
}

// folded is the replacement for the one place that findFolded found.
func (e *lenientEdit) folded(place Span) []byte {
	found, plain := slices.Collect(bytes.Lines(e.text[place.Start:place.End])), plainQuotesIn(e.text[place.Start:place.End])
	return e.replacement(place, found, func(from, to int, new [][]byte) [][]byte {
		pairs := make([]foldedPair, 0, to-from)
		for i := from; i < to; i++ {
			pairs = append(pairs, foldedPair{asked: e.old[i], found: lines.TrimEnd(found[i])})
		}
		return carryTypography(pairs, new, plain)
	})
}

// replacement builds the text that replaces a place, which has the lines found.
// Lines that the edit keeps are taken from found. adapt brings the other lines into the file's
// form: each call has lines new that replace the old lines from to to.
func (e *lenientEdit) replacement(place Span, found [][]byte, adapt func(from, to int, new [][]byte) [][]byte) []byte {
	made := make([][]byte, 0, len(e.new))
	for from := 0; len(made) < len(e.new); {
		i := len(made)
		if n := e.kept[i]; n >= 0 {
			made = append(made, lines.TrimEnd(found[n]))
			from = n + 1
			continue
		}
		until, to := i, len(e.old)
		for until < len(e.new) && e.kept[until] < 0 {
			until++
		}
		if until < len(e.new) {
			to = e.kept[until]
		}
		made = append(made, adapt(from, to, e.new[i:until])...)
	}
	if !charset.IsASCII(e.text[place.Start:place.End]) || !charset.IsASCII(e.expected) {
		evenLines(e.old, made, e.kept)
	}
	endings := lineEndings{text: e.text, next: -1}
	return appendEnded(nil, made, e.newEnds, endingSources(e.kept, len(e.old)), found, endings.around(place))
}
