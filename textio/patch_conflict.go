package textio

// Each failing hunk that is compared with the file costs a few passes over it:
// at most ten are, and no more once so many bytes have been read.
const (
	diagnosedHunks = 10
	diagnosedBytes = 8 << 20
)

// conflicts describes every hunk that has no place, and those with several.
func (p *placer) conflicts() *PatchConflictError {
	e := &PatchConflictError{}
	for i := range p.hunks {
		h := &p.hunks[i]
		var c HunkConflict
		switch {
		case h.conflict != nil:
			c = *h.conflict
			n := len(e.Hunks)
			known := c.TooCommon || c.Anchor == "" && len(c.Places) > 0 // it may stand there, or does
			p.diagnose(h, &c, !known && n < diagnosedHunks && n*len(p.text) < diagnosedBytes)
		case len(h.candidates) > 1:
			c.Places = lineNumbers(h.candidates)
			p.diagnose(h, &c, false)
		default:
			continue
		}
		c.Hunk, c.Line = h.index, h.Line
		if h.Numbered {
			c.OldStart = h.OldStart
		}
		e.Hunks = append(e.Hunks, c)
	}
	return e
}

// diagnose fills in what was expected, and if near is set, what there is instead.
func (p *placer) diagnose(h *placement, c *HunkConflict, near bool) {
	expected := joinLines(h.Lines, '+')
	if c.Anchor != "" {
		expected = []byte(c.Anchor + "\n")
	}
	if len(expected) == 0 {
		return
	}
	lines := splitLines(expected)
	whole := comparison{file: lines, expected: lines, region: lineRegion{end: lines.count()}}
	c.Expected, _ = whole.shownText(differencePoint{})
	if near {
		miss := missError(h.index, p.text, Edit{Expected: expected, Replacement: joinLines(h.Lines, '-'), Lenient: p.loose})
		c.Closest, c.Reason, c.AlreadyApplied = miss.Closest, miss.Reason, miss.AlreadyApplied
		if c.Anchor == "" && !p.loose {
			c.Lenient = miss.Lenient
		}
	}
}

// ambiguities describes the hunks with several places.
func (p *placer) ambiguities() *AmbiguousPatchError {
	e := &AmbiguousPatchError{}
	for i := range p.hunks {
		h := &p.hunks[i]
		if len(h.candidates) < 2 {
			continue
		}
		e.Hunks = append(e.Hunks, AmbiguousHunk{
			Hunk: h.index, Line: h.Line, Count: len(h.candidates),
			Lines: lineNumbers(h.candidates), Snippets: spanSnippets(p.text, p.spans(h)),
		})
	}
	return e
}

// lineNumbers returns the first ten of places as 1-based lines.
func lineNumbers(places []int32) []int64 {
	var lines []int64
	for _, line := range places[:min(len(places), editSampleSize)] {
		lines = append(lines, int64(line)+1)
	}
	return lines
}

// spans returns the first of a hunk's candidates as places in the text.
func (p *placer) spans(h *placement) []matchSpan {
	var spans []matchSpan
	for _, line := range h.candidates[:min(len(h.candidates), editSampleSize)] {
		start := p.table.file.offset(int(line))
		spans = append(spans, matchSpan{start: start, end: p.table.file.offset(int(line) + h.end - h.start)})
	}
	return spans
}
