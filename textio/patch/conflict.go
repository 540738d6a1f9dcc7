package patch

import (
	"math"

	"fsbox/textio/edit"
	"fsbox/textio/lines"
	"fsbox/textio/nearest"
)

// To compare a failing hunk with the file takes a few passes over the file: at most ten hunks are
// compared, and none once diagnosedBytes have been read for others.
const (
	diagnosedHunks = 10
	diagnosedBytes = 8 << 20
	comparedBytes  = 1 << 20 // of a hunk; a longer one isn't compared
)

// shows reports whether the hunk that fails as the count-th of the file is described, and counts
// it.
func (p *placer) shows(count int) bool {
	if count > 1 && *p.shown >= MaxShown {
		return false
	}
	*p.shown++
	return true
}

// conflicts describes the hunks that have no place, and those with several. ambiguous says that all
// have a place.
func (p *placer) conflicts(ambiguous bool) *ConflictError {
	e := &ConflictError{Ambiguous: ambiguous}
	p.end = 0 // from here on, the end of the hunks before the one looked at
	for i := range p.hunks {
		h := &p.hunks[i]
		if h.conflict == nil {
			p.end = max(p.end, h.end)
		}
		if h.conflict == nil && h.candidates == nil {
			continue
		}
		switch e.Count++; {
		case !p.shows(e.Count):
		case ambiguous:
			e.Hunks = append(e.Hunks, HunkConflict{Hunk: int(h.index), Line: h.Line, Places: lineNumbers(h.candidates.places),
				Fits: h.candidates.count, Snippets: edit.Snippets(p.table.file, p.spans(h))})
		default:
			e.Hunks = append(e.Hunks, p.describe(h, len(e.Hunks)))
		}
	}
	return e
}

// describe says why a hunk doesn't fit; others is how many hunks were described before.
func (p *placer) describe(h *placement, others int) HunkConflict {
	c, affordable := HunkConflict{}, false
	if h.conflict == nil {
		c.Places = lineNumbers(h.candidates.places)
	} else {
		c = *h.conflict
		affordable = others < diagnosedHunks && others*len(p.table.file.Bytes) < diagnosedBytes
	}
	if c.Hunk, c.Line = int(h.index), h.Line; h.Numbered {
		c.OldStart = h.OldStart
	}
	known := c.TooCommon || c.Anchor == "" && len(c.Places) > 0 // its old lines are there, or too common: there is nothing to compare
	p.diagnose(h, &c, !known && affordable)
	c.NotCompared = !known && !affordable && h.hasOld()
	if h.AtEnd && len(c.Places) > 0 && affordable { // its old lines aren't at the end: perhaps its new lines are there
		c.AlreadyApplied = p.isApplied(h)
	}
	return c
}

// diagnose fills in what was expected and, if near is set, what the file has instead.
func (p *placer) diagnose(h *placement, c *HunkConflict, near bool) {
	expected := joinLines(linesThat(HunkLine.isOld, h.Lines), comparedBytes)
	near = near && len(expected) < comparedBytes
	if c.Anchor != "" {
		expected = []byte(c.Anchor + "\n")
	}
	if len(expected) == 0 {
		return
	}
	lines := lines.Split(expected)
	c.Expected = nearest.ShowLines(lines)
	if near {
		c.Closest, c.Reason = nearest.To(p.table.ctx, p.table.file, lines)
		c.AlreadyApplied = p.isApplied(h)
		if c.FinalNewline {
			c.Reason = nearest.FinalNewline
		}
		if c.Anchor == "" && !p.loose {
			c.Lenient = p.lenientFit(h)
		}
	}
}

// lenientFit tells the lenient tier in which a hunk without a place would have one, or "".
func (p *placer) lenientFit(h *placement) string {
	try := *h
	try.use(int(try.used))
	p.table.effort = maxEffort
	if p.placeLenient(&try) != nil || try.candidates != nil {
		return ""
	}
	p.end = max(p.end, try.end)
	return try.tier.String()
}

// isApplied reports whether the new lines of a hunk are lines of the text.
func (p *placer) isApplied(h *placement) bool {
	return edit.HasLines(p.table.file.Bytes, joinLines(linesThat(HunkLine.isNew, h.Lines), math.MaxInt))
}

// lineNumbers returns places as 1-based lines.
func lineNumbers(places []int32) []int64 {
	var lines []int64
	for _, line := range places {
		lines = append(lines, int64(line)+1)
	}
	return lines
}

// spans returns a hunk's candidates as places in the text.
func (p *placer) spans(h *placement) []edit.Span {
	var spans []edit.Span
	for _, line := range h.candidates.places {
		start := p.table.file.Offset(int(line))
		spans = append(spans, edit.Span{Start: start, End: p.table.file.Offset(int(line) + h.end - h.start)})
	}
	return spans
}
