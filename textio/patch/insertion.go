package patch

// placeInsertion places a hunk without old lines and without a number: right after its anchors, or
// at the end of the file.
func (p *placer) placeInsertion(h *placement) *HunkConflict {
	h.exact = true
	var places placeList
	missing := ""
	switch {
	case h.AtEnd || h.lacksNewline(HunkLine.isNew) || len(h.Anchors) == 0:
		places = onePlace(p.table.lines())
	default:
		places, missing = p.afterAnchor(h.Anchors)
	}
	switch {
	case p.table.effort < 0:
		return &HunkConflict{TooCommon: true}
	case missing != "":
		return &HunkConflict{Anchor: missing}
	case places.count == 0:
		return &HunkConflict{OutOfOrder: true}
	}
	h.put(places, 0)
	return nil
}

// afterAnchor returns the places right after the lines that anchors mean, those after the last
// change.
func (p *placer) afterAnchor(anchors []string) (places placeList, missing string) {
	lines, missing := p.anchored(anchors, false)
	if missing != "" {
		return places, missing
	}
	return listPlaces(func(yield func(int) bool) {
		for line := range lines {
			if line >= p.done && !yield(line+1) {
				return
			}
		}
	}), ""
}
