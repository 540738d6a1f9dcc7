package textio

import "bytes"

// editSampleSize is how many places an error about too many of them describes.
const editSampleSize = 10

// editRun is a list of edits under way: the text so far and how it came about.
type editRun struct {
	tiers   []matchTier
	limits  EditLimits
	text    []byte
	spare   []byte // a buffer to build the next text in
	owned   bool   // text is ours to reuse, not the caller's content
	added   int64
	results []EditResult
	changes []DiffRange
}

// apply does one edit, or leaves the run as it was and says why not.
func (r *editRun) apply(index int, edit Edit) error {
	if len(edit.Expected) == 0 {
		return &EmptyExpectedError{Edit: index}
	}
	if bytes.Equal(edit.Expected, edit.Replacement) {
		return &NoChangeError{Edit: index}
	}
	tier, spans := r.match(edit.Expected)
	if err := checkPlaces(index, r.text, edit, spans); err != nil {
		return err
	}
	out, ranges, err := r.replace(index, spans, tier.replacer(r.text, edit))
	if err != nil {
		return err
	}
	if bytes.Equal(out, r.text) {
		return &NoChangeError{Edit: index}
	}
	r.results = append(r.results, EditResult{Replacements: len(spans), Lines: spanLines(r.text, spans), Tier: tier.name})
	r.changes = composeRanges(r.changes, ranges)
	r.advance(out)
	return nil
}

// match returns the first tier under which expected stands in the text, and where.
func (r *editRun) match(expected []byte) (matchTier, []matchSpan) {
	for _, tier := range r.tiers {
		if spans := tier.find(r.text, expected); len(spans) > 0 {
			return tier, spans
		}
	}
	return matchTier{}, nil
}

// checkPlaces reports a number of places other than the one the edit asks for.
func checkPlaces(index int, text []byte, edit Edit, spans []matchSpan) error {
	found := len(spans)
	sample := spans[:min(found, editSampleSize)]
	switch {
	case found == 0:
		return missError(index, text, edit)
	case edit.Count > 0 && found != edit.Count:
		return &CountMismatchError{Edit: index, Expected: edit.Count, Found: found, Lines: spanLines(text, sample)}
	case edit.Count <= 0 && !edit.All && found > 1:
		return &MultipleMatchesError{Edit: index, Count: found, Lines: spanLines(text, sample), Snippets: spanSnippets(text, sample)}
	}
	return nil
}

// replace builds the text with every span replaced. It stops at the first place
// that passes a limit, so that no more than the limit is ever held.
func (r *editRun) replace(index int, spans []matchSpan, replacement func(matchSpan) []byte) ([]byte, []DiffRange, error) {
	out := r.spare[:0]
	ranges := make([]DiffRange, 0, len(spans))
	added, tail := r.added, 0
	for _, span := range spans {
		out = append(out, r.text[tail:span.start]...)
		start := len(out)
		out = append(out, replacement(span)...)
		tail = span.end
		added += int64(len(out) - start)
		if err := r.limits.check(index, added, int64(len(out)), int64(len(r.text))); err != nil {
			return nil, nil, err
		}
		ranges = append(ranges, DiffRange{OldStart: span.start, OldEnd: span.end, NewStart: start, NewEnd: len(out)})
	}
	out = append(out, r.text[tail:]...)
	if err := r.limits.check(index, added, int64(len(out)), int64(len(r.text))); err != nil {
		return nil, nil, err
	}
	r.added = added
	return out, ranges, nil
}

// check reports the limit that a text of size bytes, grown from before, passes.
func (l EditLimits) check(index int, added, size, before int64) error {
	switch {
	case l.MaxAdded > 0 && added > l.MaxAdded:
		return &EditTooLargeError{Edit: index, Size: added, Limit: l.MaxAdded, Added: true}
	case l.MaxSize > 0 && size > l.MaxSize && size > before:
		return &EditTooLargeError{Edit: index, Size: size, Limit: l.MaxSize}
	}
	return nil
}

// advance makes out the current text and keeps the buffer of the last one.
func (r *editRun) advance(out []byte) {
	r.spare = nil
	if r.owned {
		r.spare = r.text
	}
	r.text, r.owned = out, true
}

// spanLines returns the 1-based line on which each span begins.
func spanLines(text []byte, spans []matchSpan) []int64 {
	lines := make([]int64, 0, len(spans))
	line, seen := int64(1), 0
	for _, span := range spans {
		line += int64(bytes.Count(text[seen:span.start], lineFeed))
		seen = span.start
		lines = append(lines, line)
	}
	return lines
}
