package edit

import (
	"bytes"
	"context"
	"iter"
	"slices"

	"fsbox/textio/lines"
)

// SampleSize is how many places an error about too many places describes.
const SampleSize = 10

// run is a list of edits under way: the text so far and how it came about.
type run struct {
	ctx     context.Context
	limits  Limits
	text    []byte
	spare   []byte // a buffer to build the next text in
	owned   bool   // text is ours to reuse, not the caller's content
	added   int64
	results []Result
}

// apply makes one edit. If it can't, it returns the reason and leaves the run as it was.
func (r *run) apply(index int, edit Edit) error {
	if len(edit.Expected) == 0 {
		return &EmptyExpectedError{Edit: index}
	}
	if bytes.Equal(edit.Expected, edit.Replacement) && !r.limits.MayStay && !edit.From.cuts() {
		return &NoChangeError{Edit: index}
	}
	found := r.find(edit)
	if err := found.check(r.ctx, index, r.text, edit); err != nil {
		return err
	}
	out, err := r.replace(index, edit, found)
	if err != nil {
		return err
	}
	if bytes.Equal(out, r.text) && !r.limits.MayStay && !edit.From.cuts() {
		return &NoChangeError{Edit: index, Differs: edit.differs()}
	}
	done := Result{Replacements: found.count, Lines: found.lines(r.text), Tier: found.tier, Longer: r.longerWords(edit, found),
		Again: r.isAgain(out, found), Joins: joinsLine(r.text, edit, found)}
	r.results = append(r.results, done)
	r.advance(out)
	return nil
}

// joinsLine returns the line of the outcome that the next one now continues in the first place, as
// whole lines were expected, and the replacement lacks the end of the last; 0 if there is none. A
// blank at its end shows that it was meant to go on.
func joinsLine(text []byte, e Edit, found foundPlaces) int64 {
	last := e.Replacement[max(0, len(e.Replacement)-1):]
	if !bytes.HasSuffix(e.Expected, lines.LF) || len(last) == 0 || bytes.ContainsAny(last, " \t\r\n") || found.lenient {
		return 0
	}
	for _, at := range found.first(1) {
		begins := at.Start == 0 || text[at.Start-1] == '\n'
		if begins && at.End < len(text) && text[at.End] != '\n' && text[at.End] != '\r' {
			return spanLines(text, []Span{at})[0] + int64(bytes.Count(lines.WithLF(e.Replacement), lines.LF))
		}
	}
	return 0
}

// differs says in what the texts of an edit differ that changed nothing.
func (e *Edit) differs() TextDifference {
	if e.OnlyEnds() {
		return DiffersInEnds
	}
	return DiffersInForm
}

// foundPlaces is where an edit's expected text was found. spans are the places that don't overlap
// an earlier one, from the top; if the edit asks for one place, the first SampleSize of all. count
// is how many places there are. lenient says that the tier allows for one place only.
type foundPlaces struct {
	tier        string
	lenient     bool
	spans       iter.Seq[Span]
	count       int
	replacement func(Span) []byte
	search      search // not set for a lenient tier
}

// find looks in the first tier under which the expected text is in the text.
func (r *run) find(edit Edit) foundPlaces {
	for _, tier := range matchTiers {
		found := foundPlaces{tier: tier.name, search: tier.open(r.ctx, r.text, edit)}
		if edit.wantsOne() {
			s := found.search.survey()
			found.spans, found.count = slices.Values(s.sample), s.count
		} else {
			found.spans = found.search.places()
			found.count = r.count(found.spans)
		}
		if found.count > 0 {
			found.replacement = tier.replacer(r.text, edit)
			return found
		}
	}
	if !edit.Lenient {
		return foundPlaces{}
	}
	return findLenient(r.ctx, r.text, edit)
}

// count counts places, as long as the call isn't cancelled.
func (r *run) count(spans iter.Seq[Span]) (n int) {
	stop := lines.Stopper{Ctx: r.ctx}
	for range spans {
		if n++; stop.Now() {
			break
		}
	}
	return n
}

// first returns the first few places.
func (f foundPlaces) first(limit int) (spans []Span) {
	for span := range f.spans {
		if spans = append(spans, span); len(spans) == limit {
			break
		}
	}
	return spans
}

// lines returns the lines of the first places.
func (f foundPlaces) lines(text []byte) []int64 { return spanLines(text, f.first(MaxLines)) }

// wantsOne reports whether an edit is meant for one place.
func (e Edit) wantsOne() bool { return e.Count == 1 || (e.Count <= 0 && !e.All) }

// check reports a number of places other than the one the edit asks for.
func (f foundPlaces) check(ctx context.Context, index int, text []byte, edit Edit) error {
	switch {
	case f.count == 0:
		return missError(ctx, index, text, edit)
	case (f.lenient || edit.wantsOne()) && f.count > 1, edit.Count > 0 && f.count != edit.Count:
		return f.placesError(index, text, edit)
	}
	return nil
}

func (f foundPlaces) placesError(index int, text []byte, edit Edit) error {
	all := matchSurvey{count: f.count, apart: f.count, sample: f.first(SampleSize)}
	if !f.lenient {
		all = f.search.survey()
	}
	e := &PlacesError{Edit: index, Count: all.count, Lines: spanLines(text, all.sample)}
	if all.apart < all.count {
		e.CountApart = all.apart
	}
	switch {
	case f.lenient && f.count > 1:
		e.Match = f.tier
	case edit.Count > 0:
		e.ExpectedCount = edit.Count
		return e
	}
	e.Snippets = Snippets(lines.Split(text), all.sample)
	return e
}

// longerWords looks for longer words that an edit of all places changed.
func (r *run) longerWords(edit Edit, found foundPlaces) LongerWords {
	if edit.WholeWord || edit.wantsOne() || found.lenient {
		return LongerWords{}
	}
	l := longerWords{text: r.text}
	stop := lines.Stopper{Ctx: r.ctx}
	for span := range found.spans {
		if stop.Now() {
			break
		}
		l.see(span)
	}
	return l.result()
}

// isAgain reports whether the one place of an edit was in a copy of its replacement already, as
// after the same edit before. out is the text with the replacement.
func (r *run) isAgain(out []byte, found foundPlaces) bool {
	if found.count != 1 {
		return false
	}
	span := found.first(1)[0]
	expected, replacement := r.text[span.Start:span.End], out[span.Start:span.End+len(out)-len(r.text)]
	before := bytes.Index(replacement, expected)
	return before >= 0 && before <= span.Start && bytes.HasPrefix(r.text[span.Start-before:], replacement)
}

// replace builds the text with every span replaced. It stops at the first place that passes a
// limit, so that no more than the limit is ever held, and when the call is cancelled.
func (r *run) replace(index int, edit Edit, found foundPlaces) ([]byte, error) {
	out := r.buffer(edit, found.count)
	stop := lines.Stopper{Ctx: r.ctx}
	added, tail := r.added, 0
	for span := range found.spans {
		out = append(out, r.text[tail:span.Start]...)
		start := len(out)
		out = append(out, found.replacement(span)...)
		tail = span.End
		added += int64(len(out) - start)
		if err := r.limits.check(index, added, int64(len(out)), int64(len(r.text))); err != nil {
			return nil, err
		}
		if stop.Now() {
			return nil, r.ctx.Err()
		}
	}
	out = append(out, r.text[tail:]...)
	if err := r.limits.check(index, added, int64(len(out)), int64(len(r.text))); err != nil {
		return nil, err
	}
	r.added = added
	return out, nil
}

// buffer is an empty slice with the capacity for the next text, as far as its size is known.
func (r *run) buffer(edit Edit, places int) []byte {
	size := len(r.text) + places*(len(edit.Replacement)-len(edit.Expected))
	if most := r.limits.MaxSize; size < 0 || size <= cap(r.spare) || most > 0 && int64(size) > max(most, int64(len(r.text))) {
		return r.spare[:0]
	}
	return make([]byte, 0, size)
}

// check returns an error if added, the bytes added so far, or size, that of a text grown from
// before, passes its limit.
func (l Limits) check(index int, added, size, before int64) error {
	switch {
	case l.MaxAdded > 0 && added > l.MaxAdded:
		return &TooLargeError{Edit: index, Size: added, Limit: l.MaxAdded, Added: true}
	case l.MaxSize > 0 && size > l.MaxSize && size > before:
		return &TooLargeError{Edit: index, Size: size, Limit: l.MaxSize}
	}
	return nil
}

// advance makes out the current text, and keeps the memory of the previous one for reuse.
func (r *run) advance(out []byte) {
	r.spare = nil
	if r.owned {
		r.spare = r.text
	}
	r.text, r.owned = out, true
}

// spanLines returns the 1-based line on which each span begins.
func spanLines(text []byte, spans []Span) []int64 {
	list := make([]int64, 0, len(spans))
	line, seen := int64(1), 0
	for _, span := range spans {
		line += int64(bytes.Count(text[seen:span.Start], lines.LF))
		seen = span.Start
		list = append(list, line)
	}
	return list
}
