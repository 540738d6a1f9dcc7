package patch

import (
	"cmp"
	"slices"
)

// takenLines are the old lines of a placed hunk.
type takenLines struct {
	*placement
	grown int32 // by how many lines the hunk makes the text longer
	reach int32 // the largest end of this hunk and those before it, which may overlap it in context
}

func (t takenLines) compare(other takenLines) int {
	return cmp.Or(cmp.Compare(t.start, other.start), cmp.Compare(t.end, other.end))
}

// take adds a hunk with its place to the placed ones.
func (p *placer) take(h *placement) {
	taken := takenLines{placement: h}
	for _, line := range h.Lines[:h.used] {
		switch line.Op {
		case '+':
			taken.grown++
		case '-':
			taken.grown--
		}
	}
	p.grown += int(taken.grown)
	at := len(p.taken)
	if at > 0 && taken.compare(p.taken[at-1]) < 0 { // out of order
		at, _ = slices.BinarySearchFunc(p.taken, taken, takenLines.compare)
	}
	taken.reach = int32(h.end)
	if at > 0 {
		taken.reach = max(taken.reach, p.taken[at-1].reach)
	}
	p.table.spend((len(p.taken) - at) / 16) // about what moving them costs
	p.taken = slices.Insert(p.taken, at, taken)
}

// isFree reports whether no placed hunk has any of the length lines from line place on.
func (p *placer) isFree(place, length int) bool {
	p.table.spend(20)
	i, _ := slices.BinarySearchFunc(p.taken, place+length, func(t takenLines, line int) int { return cmp.Compare(t.start, line) })
	return i == 0 || int(p.taken[i-1].reach) <= place
}

// oldLine turns a line of the text as patched so far, by which git counts, into one of the old
// text: for a line inside a hunk, the first one after the hunk.
func (p *placer) oldLine(patched int) int {
	p.table.spend(len(p.taken) / 4)
	line := patched
	for _, t := range p.taken {
		if line <= t.start {
			break
		}
		line = max(line-int(t.grown), t.end)
	}
	return min(max(line, 0), p.table.lines())
}

// placeInsertion places a hunk without old lines: where its number says, right after its anchors,
// or at the end of the file.
func (p *placer) placeInsertion(h *placement) *HunkConflict {
	h.exact = true
	var places placeList
	missing := ""
	switch {
	case h.AtEnd || h.lacksNewline(HunkLine.isNew) || !h.Numbered && len(h.Anchors) == 0:
		places = onePlace(p.table.lines())
	case h.Numbered:
		places = onePlace(p.insertionLine(h))
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

// afterAnchor returns the places right after the lines that anchors mean: those after the last
// change, else those that are not inside another hunk.
func (p *placer) afterAnchor(anchors []string) (places placeList, missing string) {
	lines, missing := p.anchored(anchors, false)
	if missing != "" {
		return places, missing
	}
	inOrder := func(place int) bool { return place >= p.done }
	free := func(place int) bool { return p.isFree(place, 0) }
	for _, fits := range [...]func(int) bool{inOrder, free} {
		places = listPlaces(func(yield func(int) bool) {
			for line := range lines {
				if fits(line+1) && !yield(line+1) {
					return
				}
			}
		})
		if places.count > 0 {
			break
		}
	}
	return places, ""
}

// insertionLine returns the line before which a hunk with a number goes.
func (p *placer) insertionLine(h *placement) int {
	place := int(h.place)
	if place < p.done {
		return p.oldLine(place + p.grown)
	}
	return min(place, p.table.lines())
}
