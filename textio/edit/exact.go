package edit

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// Span is a place where an expected text was found: a byte range, end exclusive.
type Span struct{ Start, End int }

// matchTier is one rule for when two texts count as the same. Tiers are tried in order and the
// first with a match is used for all places of an edit. The tiers that forgive more, and allow for
// one place only, are in lenient.go.
type matchTier struct {
	name string
	open func(ctx context.Context, text []byte, edit Edit) search
	// replacer returns a function from a place to its new bytes, to be called with ascending spans;
	// a result is good until the next call.
	replacer func(text []byte, edit Edit) func(Span) []byte
}

var matchTiers = [...]matchTier{
	{name: TierExact, open: openExact, replacer: exactReplacer},
	{name: TierEOL, open: openEOL, replacer: eolReplacer},
}

// search looks for an expected text. text and expected are in the form in which a tier compares
// them, such as with LF only.
type search struct {
	ctx            context.Context
	text, expected []byte
	wholeWord      bool                                   // only places for which isWhole holds
	isWhole        func(text []byte, start, end int) bool // is no character of a word next to the place?
	origins        func(iter.Seq[Span]) iter.Seq[Span]    // maps places in that form of the text to places in the text itself
}

// places yields the places that don't overlap, from the top, and can be called repeatedly: there
// may be millions of places.
func (s search) places() iter.Seq[Span] { return s.origins(s.apart) }

func (s search) apart(yield func(Span) bool) {
	if s.wholeWord {
		s.apartWords(yield)
		return
	}
	for from := 0; ; {
		i := bytes.Index(s.text[from:], s.expected)
		if i < 0 {
			return
		}
		start := from + i
		if from = start + len(s.expected); !yield(Span{Start: start, End: from}) {
			return
		}
	}
}

// apartWords is apart for whole words. A place that isn't a whole word may overlap the next one
// that is.
func (s search) apartWords(yield func(Span) bool) {
	end := 0
	for span := range s.all {
		if span.Start < end {
			continue
		}
		if end = span.End; !yield(span) {
			return
		}
	}
}

// all yields all places, those that overlap included, in linear time even where each overlaps
// thousands of others. bytes.Index is faster, but not linear then.
func (s search) all(yield func(Span) bool) {
	for start := range occurrences(s.ctx, s.expected, len(s.text), func(i int) byte { return s.text[i] }) {
		span := Span{Start: start, End: start + len(s.expected)}
		if s.admits(span) && !yield(span) {
			return
		}
	}
}

func (s search) admits(span Span) bool {
	return !s.wholeWord || s.isWhole(s.text, span.Start, span.End)
}

// matchSurvey says in how many places a text is found (count), and how many of them don't overlap
// an earlier one (apart). sample has the first of all places, at most SampleSize.
type matchSurvey struct {
	count, apart int
	sample       []Span
}

// survey counts all places.
func (s search) survey() (m matchSurvey) {
	first := bytes.Index(s.text, s.expected)
	if first < 0 {
		return m
	}
	one := Span{Start: first, End: first + len(s.expected)}
	if s.admits(one) && !bytes.Contains(s.text[first+1:], s.expected) { // mostly so; s.all would take longer
		return matchSurvey{count: 1, apart: 1, sample: slices.Collect(s.origins(slices.Values([]Span{one})))}
	}
	end := 0 // of the last place that counts as apart
	for span := range s.all {
		m.count++
		if span.Start >= end {
			m.apart, end = m.apart+1, span.End
		}
		if len(m.sample) < SampleSize {
			m.sample = append(m.sample, span)
		}
	}
	m.sample = slices.Collect(s.origins(slices.Values(m.sample)))
	return m
}

// openExact looks for equal bytes. A place that begins at the \n of a \r\n takes the \r as well:
// the expected text begins with a line end, and a lone \r must not be left over.
func openExact(ctx context.Context, text []byte, edit Edit) search {
	origins := func(spans iter.Seq[Span]) iter.Seq[Span] { return withWholeEnds(text, edit.Expected, spans) }
	return search{ctx: ctx, text: text, expected: edit.Expected, wholeWord: edit.WholeWord, isWhole: isWholeWord, origins: origins}
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

// exactReplacer gives the lines of the replacement the line ends of the file, as eolReplacer does,
// unless the replacement brings a CRLF itself, or line ends are all that it changes.
func exactReplacer(text []byte, edit Edit) func(Span) []byte {
	replacement := edit.Replacement
	plain := !bytes.Contains(replacement, lines.LF) || !bytes.Contains(text, lines.CRLF)
	if plain || bytes.Contains(replacement, lines.CRLF) || edit.OnlyEnds() {
		return func(Span) []byte { return replacement }
	}
	return eolReplacer(text, edit)
}

// OnlyEnds reports whether the replacement differs from the expected text in line ends only: then
// it is meant as it was sent.
func (e *Edit) OnlyEnds() bool {
	return bytes.Equal(lines.WithLF(e.Expected), lines.WithLF(e.Replacement))
}

// openEOL looks for text that is equal except for LF and CRLF. Both sides are compared with LF
// only; a place covers whole line ends, never a part of a CRLF.
func openEOL(ctx context.Context, text []byte, edit Edit) search {
	origins := func(spans iter.Seq[Span]) iter.Seq[Span] { return inOriginal(text, false, spans) }
	s := search{ctx: ctx, expected: lines.WithLF(edit.Expected), wholeWord: edit.WholeWord, isWhole: charset.IsWholeWord, origins: origins}
	if bytes.Contains(edit.Expected, lines.LF) { // else the exact tier has found everything already
		s.text = lines.WithLF(text)
	}
	return s
}

// inOriginal maps places in lines.WithLF(text), or with fold in charset.FoldLine of that, to places
// in text. Those that begin or end within the replacement of one character are left out.
func inOriginal(text []byte, fold bool, spans iter.Seq[Span]) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		starts, ends := origin{text: text, fold: fold}, origin{text: text, fold: fold}
		for span := range spans {
			start, startsWhole := starts.of(span.Start)
			end, endsWhole := ends.of(span.End)
			if startsWhole && endsWhole && !yield(Span{Start: start, End: end}) {
				return
			}
		}
	}
}

// eolReplacer gives each line of the replacement the line end of the line that it replaces; see
// endingSources.
func eolReplacer(text []byte, edit Edit) func(Span) []byte {
	if edit.OnlyEnds() {
		return func(Span) []byte { return edit.Replacement }
	}
	old, _ := cutLines(lines.WithLF(edit.Expected))
	made, ends := cutLines(lines.WithLF(edit.Replacement))
	sources := endingSources(diff.Kept(old, made), len(old))
	endings := lineEndings{text: text, next: -1}
	var out []byte
	var found [][]byte
	return func(span Span) []byte {
		found = slices.AppendSeq(found[:0], bytes.Lines(text[span.Start:span.End]))
		out = appendEnded(out[:0], made, ends, sources, found, endings.around(span))
		return out
	}
}

// appendEnded appends the lines new. Line i gets the line end of found[sources[i]], or that of the
// new line before it if there is none. The last line gets one only if ends is set.
func appendEnded(out []byte, new [][]byte, ends bool, sources []int, found [][]byte, around endsAround) []byte {
	ending := around.before
	for i, line := range new {
		out = append(out, line...)
		if n := sources[i]; n >= 0 && n < len(found) {
			if ending = around.last; bytes.HasSuffix(found[n], lines.LF) {
				ending = lines.EndingAt(found[n], len(found[n])-1)
			}
		}
		if ends || i < len(new)-1 {
			out = append(out, ending...)
		}
	}
	return out
}

// endingSources returns for each new line the index of the old line that has the line end for it. A
// kept line has its own. Other lines have, one by one, those of the old lines that they replace. If
// they are more, the rest has -1, which means the new line before.
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

// origin maps ascending offsets in lines.WithLF(text), or with fold in charset.FoldLine of that, to
// text, in linear time altogether.
type origin struct {
	text []byte
	fold bool
	at   int // in text
	made int // the same position in the other text
}

// of returns false for an offset inside the replacement of one character. The line feed that
// replaces a CRLF maps to its \r.
func (o *origin) of(offset int) (int, bool) {
	var out [8]byte
	for o.made < offset {
		size, made := 1, 1
		switch c := o.text[o.at]; {
		case c == '\r' && bytes.HasPrefix(o.text[o.at:], lines.CRLF):
			size = len(lines.CRLF)
		case c >= utf8.RuneSelf && o.fold:
			var folded []byte
			folded, size = charset.AppendTypewritten(out[:0], o.text[o.at:])
			made = len(folded)
		}
		o.at, o.made = o.at+size, o.made+made
	}
	return o.at, o.made == offset
}

// lineEndings finds the line ends of the lines at ascending offsets of a text, in linear time
// altogether. A last line without one has that of the line before; in a text without line ends it
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

// endsAround are the line ends at the edges of a place: before is that of the line before it, or,
// if it begins within a line or at the top, of the line where it begins; last is that of the line
// where it ends.
type endsAround struct{ before, last []byte }

// around finds the line ends of places, which ascend and don't overlap.
func (l *lineEndings) around(place Span) (e endsAround) {
	e.before = l.at(place.Start)
	if place.Start > 0 && l.text[place.Start-1] == '\n' {
		e.before = lines.EndingAt(l.text, place.Start-1)
	}
	e.last = e.before
	if !lines.AtStart(l.text, place.End) {
		e.last = l.at(place.End)
	}
	return e
}
