package textio

import (
	"iter"
	"slices"
)

// preferences yields lists of places for a hunk, the best first, each with the
// line next to which a hunk with a number goes: at the end of the file if the
// hunk says so; in the order of the hunks; else on lines that no other hunk is
// about.
func (p *placer) preferences(h *placement, places *linePlaces, atEnd bool) iter.Seq2[[]int32, int] {
	lists := [...][]int32{places.exact, places.all, places.marked}
	length := h.oldLines()
	return func(yield func([]int32, int) bool) {
		if atEnd || h.endsFile() {
			for _, list := range lists {
				if !yield(placesFrom(lastPlace(list, p.table.lines()-length), p.done), h.place) {
					return
				}
			}
		}
		if atEnd {
			return
		}
		for _, from := range [...]int{p.end, p.done} {
			for _, list := range lists {
				if !yield(placesFrom(list, from), h.place) {
					return
				}
			}
		}
		near := 0
		if h.Numbered {
			near = p.oldLine(h.place + p.grown)
		}
		for _, list := range lists {
			if !yield(p.untaken(list, length), near) {
				return
			}
		}
	}
}

func placesFrom(list []int32, from int) []int32 {
	i, _ := slices.BinarySearch(list, int32(from))
	return list[i:]
}

func containsPlace(list []int32, place int) bool {
	_, found := slices.BinarySearch(list, int32(place))
	return found
}

// lastPlace leaves only place, if it is in the list.
func lastPlace(list []int32, place int) []int32 {
	if place >= 0 && containsPlace(list, place) {
		return []int32{int32(place)}
	}
	return nil
}

// choose leaves the places that the hunk's numbers or anchors point to. If an
// anchor stands nowhere, it is returned.
func (p *placer) choose(h *placement, list []int32, near, length int) (chosen []int32, missing string) {
	switch {
	case len(list) == 0:
		return nil, ""
	case h.Numbered:
		return p.nearest(h, list, near, length), ""
	case len(h.Anchors) == 0 || h.looseAnchors && len(list) == 1:
		return list, ""
	}
	lines, missing := p.anchored(h.Anchors, true)
	var behind []int32
	for _, line := range lines {
		next := placesFrom(list, int(line))
		if len(next) > 0 && (len(behind) == 0 || behind[len(behind)-1] != next[0]) {
			behind = append(behind, next[0])
		}
	}
	if len(behind) == 0 && h.looseAnchors {
		return list, ""
	}
	return behind, missing
}

// nearest returns the place nearest to line near, or both if two are. A hunk that
// claims the end of the file, where git would have it, has one more candidate if
// it fits there.
func (p *placer) nearest(h *placement, list []int32, near, length int) []int32 {
	chosen := nearestPlaces(list, near)
	end := int32(p.table.lines() - length)
	if !p.form.begin && h.claimsEnd() && containsPlace(list, int(end)) && chosen[len(chosen)-1] != end {
		return append(chosen, end)
	}
	return chosen
}

// nearestPlaces returns the one or two of list that are nearest to line near.
func nearestPlaces(list []int32, near int) []int32 {
	i, found := slices.BinarySearch(list, int32(near))
	switch {
	case found || i == 0:
		return []int32{list[i]}
	case i == len(list):
		return []int32{list[i-1]}
	}
	below, above := near-int(list[i-1]), int(list[i])-near
	switch {
	case below < above:
		return []int32{list[i-1]}
	case below == above:
		return []int32{list[i-1], list[i]}
	}
	return []int32{list[i]}
}

// anchored returns the lines where a chain of anchors ends, ascending: behind the
// last change, or if there is none, before it.
func (p *placer) anchored(anchors []string, part bool) (lines []int32, missing string) {
	for i, anchor := range p.table.links(anchors, part) {
		found := p.table.anchorLines(anchor, part)
		if i > 0 {
			found = behindEach(lines, found)
		}
		if lines = found; len(lines) == 0 {
			return nil, anchor
		}
	}
	if behind := placesFrom(lines, p.done); len(behind) > 0 {
		return behind, ""
	}
	return lines, ""
}

// behindEach returns for each of lines the next of found, once each.
func behindEach(lines, found []int32) []int32 {
	var next []int32
	for _, line := range lines {
		if f := placesFrom(found, int(line)+1); len(f) > 0 && (len(next) == 0 || next[len(next)-1] != f[0]) {
			next = append(next, f[0])
		}
	}
	return next
}
