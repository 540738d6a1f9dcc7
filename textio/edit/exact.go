package edit

import (
	"bytes"
	"iter"
	"slices"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// Span is a place where an expected text was found: a byte range, end exclusive.
type Span struct{ Start, End int }

// matchTier is one rule for when two texts count as the same. Tiers are tried in order and the
// first with a match is used for all places of an edit. The tiers that forgive more, and allow for
// one place only, are in lenient.go.
type matchTier struct {
	name string
	open func(text []byte, edit Edit) search
	// replacer returns a function from a place to its new bytes, to be called with ascending spans;
	// a result is good until the next call.
	replacer func(text []byte, edit Edit) func(Span) []byte
}

var matchTiers = [...]matchTier{
	{name: TierExact, open: openExact, replacer: exactReplacer},
	{name: TierEOL, open: openEOL, replacer: eolReplacer},
}

// search looks for an expected text, in the form in which a tier compares texts.
type search struct {
	text, expected []byte
	admits         placeTest                           // nil if any place will do
	origins        func(iter.Seq[Span]) iter.Seq[Span] // turns places into those in the text as it is
}

// places yields the places that don't overlap, from the top, and can be called repeatedly: there
// may be millions of places.
func (s search) places() iter.Seq[Span] { return s.origins(findBytes(s.text, s.expected, s.admits)) }

// survey counts all places.
func (s search) survey() matchSurvey {
	all := surveyBytes(s.text, s.expected, s.admits)
	all.sample = slices.Collect(s.origins(slices.Values(all.sample)))
	return all
}

// matchSurvey tells in how many places a text is found, and how many of them don't overlap an
// earlier one. Sample has the first of all, at most SampleSize.
type matchSurvey struct {
	count, apart int
	sample       []Span
}

// openExact looks for equal bytes. A place that begins at the \n of a \r\n takes the \r as well:
// the expected text begins with a line end, and a lone \r must not be left over.
func openExact(text []byte, edit Edit) search {
	origins := func(spans iter.Seq[Span]) iter.Seq[Span] { return withWholeEnds(text, edit.Expected, spans) }
	return search{text: text, expected: edit.Expected, admits: edit.admits(isWholeWord), origins: origins}
}

func withWholeEnds(text, expected []byte, spans iter.Seq[Span]) iter.Seq[Span] {
	if expected[0] != '\n' {
		return spans
	}
	return func(yield func(Span) bool) {
		end := 0
		for span := range spans {
			if span.Start > end && text[span.Start-1] == '\r' {
				span.Start--
			}
			if end = span.End; !yield(span) {
				return
			}
		}
	}
}

func findBytes(text, expected []byte, admits placeTest) iter.Seq[Span] {
	if admits != nil {
		return findAdmitted(text, expected, admits)
	}
	return func(yield func(Span) bool) {
		for from := 0; ; {
			i := bytes.Index(text[from:], expected)
			if i < 0 {
				return
			}
			start := from + i
			if from = start + len(expected); !yield(Span{Start: start, End: from}) {
				return
			}
		}
	}
}

// surveyBytes looks for one place and a second one. Only if there are two, it counts all with a
// slower method, which takes linear time even where each place overlaps thousands of others.
func surveyBytes(text, expected []byte, admits placeTest) (s matchSurvey) {
	first := bytes.Index(text, expected)
	if first < 0 {
		return s
	}
	if !bytes.Contains(text[first+1:], expected) && (admits == nil || admits(text, first, first+len(expected))) {
		return matchSurvey{count: 1, apart: 1, sample: []Span{{Start: first, End: first + len(expected)}}}
	}
	end := 0 // of the last place that counts as apart
	for start := range occurrences(expected, len(text), func(i int) byte { return text[i] }) {
		if admits != nil && !admits(text, start, start+len(expected)) {
			continue
		}
		s.count++
		if start >= end {
			s.apart, end = s.apart+1, start+len(expected)
		}
		if len(s.sample) < SampleSize {
			s.sample = append(s.sample, Span{Start: start, End: start + len(expected)})
		}
	}
	return s
}

// exactReplacer gives the line feeds of the replacement the ending of the line where the place
// begins, unless the replacement brings CRLF itself.
func exactReplacer(text []byte, edit Edit) func(Span) []byte {
	replacement := edit.Replacement
	if !bytes.Contains(replacement, lines.LF) || bytes.Contains(replacement, lines.CRLF) {
		return func(Span) []byte { return replacement }
	}
	endings := lineEndings{text: text, next: -1}
	withCRLF := bytes.ReplaceAll(replacement, lines.LF, lines.CRLF)
	return func(span Span) []byte {
		if len(endings.at(span.Start)) == len(lines.CRLF) {
			return withCRLF
		}
		return replacement
	}
}

// openEOL looks for text that is equal except for LF and CRLF. Both sides are compared with LF
// only; a place covers whole line ends, never a part of a CRLF.
func openEOL(text []byte, edit Edit) search {
	origins := func(spans iter.Seq[Span]) iter.Seq[Span] { return withOwnEnds(text, spans) }
	s := search{expected: lines.WithLF(edit.Expected), admits: edit.admits(charset.IsWholeWord), origins: origins}
	if bytes.Contains(edit.Expected, lines.LF) { // else the exact tier has found everything already
		s.text = lines.WithLF(text)
	}
	return s
}

// withOwnEnds turns places in a text with LF only into those in the text as it is.
func withOwnEnds(text []byte, spans iter.Seq[Span]) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		starts, ends := lfOrigin{text: text, next: -1}, lfOrigin{text: text, next: -1}
		for span := range spans {
			if !yield(Span{Start: starts.of(span.Start), End: ends.of(span.End)}) {
				return
			}
		}
	}
}

// eolReplacer gives each line of the replacement the line end of the line that it replaces; see
// endingSources.
func eolReplacer(text []byte, edit Edit) func(Span) []byte {
	old, _ := cutLines(lines.WithLF(edit.Expected))
	made, ends := cutLines(lines.WithLF(edit.Replacement))
	sources := endingSources(keptLines(old, made), len(old))
	endings := lineEndings{text: text, next: -1}
	var out []byte
	var found []foundLine
	return func(span Span) []byte {
		first := endings.at(span.Start)
		found = foundLines(found[:0], text[span.Start:span.End])
		out = appendEnded(out[:0], made, ends, sources, found, first)
		return out
	}
}

// appendEnded appends new lines, each with the line end of the line found that sources names, or
// else first. The last one has none unless ends is set.
func appendEnded(out []byte, new [][]byte, ends bool, sources []int, found []foundLine, first []byte) []byte {
	for i, line := range new {
		out = append(out, line...)
		switch n := sources[i]; {
		case i == len(new)-1 && !ends:
		case n >= 0 && n < len(found) && len(found[n].ending) > 0:
			out = append(out, found[n].ending...)
		default:
			out = append(out, first...)
		}
	}
	return out
}

// keptLines tells for each new line, or token, which of the old it is, -1 if none.
func keptLines(old, new [][]byte) []int {
	var table keyTable
	return commonSequence(table.internAll(old), table.internAll(new))
}

// endingSources tells for each new line which of the old lines has the line end for it. A kept line
// has its own. Other lines have, one by one, those of the old lines that they replace. Further ones
// have -1, which is the line where the place begins.
func endingSources(kept []int, old int) []int {
	sources := make([]int, len(kept))
	limit := old
	for i := len(kept) - 1; i >= 0; i-- {
		if sources[i] = limit; kept[i] >= 0 {
			limit = kept[i]
		}
	}
	next := 0
	for i, n := range kept {
		limit := sources[i]
		switch {
		case n >= 0:
			sources[i], next = n, n+1
		case next < limit:
			sources[i] = next
			next++
		default:
			sources[i] = -1
		}
	}
	return sources
}

// lfOrigin maps ascending offsets in lines.WithLF(text) to text, in linear time altogether. The
// line feed made from a CRLF maps to its \r.
type lfOrigin struct {
	text    []byte
	next    int // of the first CRLF not passed yet; -1 before the first search
	removed int // carriage returns before next
}

func (o *lfOrigin) of(offset int) int {
	if o.next < 0 {
		o.search(0)
	}
	for o.next < len(o.text) && o.next-o.removed < offset {
		o.removed++
		o.search(o.next + len(lines.CRLF))
	}
	return offset + o.removed
}

func (o *lfOrigin) search(from int) {
	o.next = len(o.text)
	if i := bytes.Index(o.text[from:], lines.CRLF); i >= 0 {
		o.next = from + i
	}
}

// lineEndings tells the ending of the line at ascending offsets of a text, in linear time
// altogether. A last line without one has that of the line before; where there is none at all, it
// is LF.
type lineEndings struct {
	text   []byte
	next   int // offset of the \n that ends the last requested line, len(text) if none; -1 at first
	ending []byte
}

func (l *lineEndings) at(offset int) []byte {
	if offset <= l.next {
		return l.ending
	}
	end := bytes.IndexByte(l.text[offset:], '\n')
	if end >= 0 {
		l.next = offset + end
		l.ending = lines.EndingAt(l.text, l.next)
		return l.ending
	}
	l.next = len(l.text)
	l.ending = lines.LF
	if last := bytes.LastIndexByte(l.text[:offset], '\n'); last >= 0 {
		l.ending = lines.EndingAt(l.text, last)
	}
	return l.ending
}
