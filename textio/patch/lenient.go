package patch

import (
	"slices"

	"fsbox/textio/edit"
)

// placeLenient looks for the hunk's old lines in the lenient tiers, in order. Numbers don't choose
// between places here: a tier that approximates has to leave no doubt.
func (p *placer) placeLenient(h *placement) *HunkConflict {
	block := edit.Block{Old: lineTexts(h.old()), New: lineTexts(linesThat(HunkLine.isAdded, h.Lines[:h.used]))}
	for tier := edit.LineTrailingBlanks; tier < edit.LineTiers; tier++ {
		if p.table.spend(2 * len(p.table.file.Bytes)); p.table.effort < 0 {
			return &HunkConflict{TooCommon: true}
		}
		places := p.lenientPlaces(h, block, tier)
		if places.count == 0 {
			continue
		}
		adapter, ok := edit.AdapterAt(p.table.file, block, int(places.places[0]), tier)
		if !ok && places.count == 1 {
			return &HunkConflict{}
		}
		h.tier, h.adapter = tier, &adapter
		h.put(places, len(block.Old))
		return nil
	}
	return &HunkConflict{}
}

// lenientPlaces returns the places of one tier that the order of the hunks, their anchors and the
// end of the file allow.
func (p *placer) lenientPlaces(h *placement, block edit.Block, tier edit.LineTier) placeList {
	old := h.old()
	hasNewline := !old[len(old)-1].NoNewline
	places := edit.FindLines(p.table.ctx, p.table.file, block, tier, func(first int) bool {
		atEnd := first+len(old) == p.table.lines()
		lacksNewline := atEnd && p.table.unterminated()
		contradicts := p.form.marks && lacksNewline == hasNewline // such a patch marks each line that lacks its newline
		return first >= p.end && !contradicts && (atEnd || !h.AtEnd && !h.lacksNewline(HunkLine.isNew))
	})
	if h.Numbered || len(places) <= 1 {
		return listPlaces(slices.Values(places))
	}
	chosen, _ := p.byAnchors(h, slices.Values(places), func(line int) int {
		if i, _ := slices.BinarySearch(places, line); i < len(places) {
			return places[i]
		}
		return -1
	})
	return chosen
}

// lineTexts returns the lines without carriage return.
func lineTexts(lines []HunkLine) [][]byte {
	texts := make([][]byte, len(lines))
	for i, line := range lines {
		texts[i] = withoutCR(line.Text)
	}
	return texts
}

// adapt gives the new lines of a run, which replaces old lines of the hunk, the indentation and
// typography of the file.
func (h *placement) adapt(r lineRun) []HunkLine {
	if h.tier == edit.LineExact || len(r.added) == 0 {
		return r.added
	}
	adapted := make([]HunkLine, 0, len(r.added))
	for i, text := range h.adapter.Adapt(r.start-h.start, r.end-h.start, lineTexts(r.added)) {
		adapted = append(adapted, HunkLine{Op: '+', Text: text, NoNewline: r.added[i].NoNewline})
	}
	return adapted
}
