package textio

// placeLenient looks for the hunk's old lines in the lenient tiers, in order.
// Numbers don't choose between places here: a tier that approximates has to
// leave no doubt.
func (p *placer) placeLenient(h *placement) *HunkConflict {
	block := lineBlock{old: lineTexts(h.Lines[:h.used], '+'), new: lineTexts(h.Lines[:h.used], ' ', '-')}
	for tier := tierTrailingBlanks; tier < lineTiers; tier++ {
		if p.table.effort -= 2 * len(p.text); p.table.effort < 0 {
			return &HunkConflict{TooCommon: true}
		}
		places := p.lenientPlaces(h, block, tier)
		if len(places) == 0 {
			continue
		}
		adapter, ok := adapterAt(p.table.file, block, int(places[0]), tier)
		if !ok && len(places) == 1 {
			return &HunkConflict{}
		}
		h.candidates, h.tier, h.adapter = places, tier, adapter
		h.start = int(places[0])
		h.end = h.start + len(block.old)
		return nil
	}
	return &HunkConflict{}
}

// lenientPlaces returns the places of one tier that the order of the hunks, their
// anchors and the end of the file allow.
func (p *placer) lenientPlaces(h *placement, block lineBlock, tier lineTier) []int32 {
	var places []int32
	old := h.old()
	for _, start := range findLines(p.table.file, block, tier) {
		last := start + len(old) - 1
		atEnd := last == p.table.lines()-1
		marked := p.form.marks && (atEnd && p.table.unterminated()) != old[len(old)-1].NoNewline
		if start >= p.end && !marked && (atEnd || !h.AtEnd && !h.endsFile()) {
			places = append(places, int32(start))
		}
	}
	if h.Numbered || len(h.Anchors) == 0 || len(places) < 2 {
		return places
	}
	places, _ = p.choose(h, places, h.place, len(old))
	return places
}

// lineTexts returns the lines without carriage return, but for those of the ops
// left out.
func lineTexts(lines []HunkLine, without ...byte) [][]byte {
	var texts [][]byte
	for _, line := range lines {
		out := false
		for _, op := range without {
			out = out || line.Op == op
		}
		if !out {
			texts = append(texts, withoutCR(line.Text))
		}
	}
	return texts
}

// adapt gives the new lines of a run, which replaces old lines of the hunk, the
// indentation and typography of the file.
func (h *placement) adapt(r lineRun) []HunkLine {
	if h.tier == tierExact || len(r.added) == 0 {
		return r.added
	}
	adapted := make([]HunkLine, 0, len(r.added))
	for i, text := range h.adapter.adapt(r.start-h.start, r.end-h.start, lineTexts(r.added)) {
		adapted = append(adapted, HunkLine{Op: '+', Text: text, NoNewline: r.added[i].NoNewline})
	}
	return adapted
}
