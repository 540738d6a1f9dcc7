package patch

import (
	"bytes"
	"iter"
	"slices"

	"fsbox/textio/edit"
)

// placeSet is the places of a hunk between two lines, inclusive, at which the fit is least or
// better.
type placeSet struct {
	*placer
	pattern  *pattern
	least    fit
	from, to int
}

// next returns the first place of the set from line from on, -1 if there is none or the search was
// given up.
func (s *placeSet) next(from int) int { return s.seek(from, s.to, false) }

// before returns the last place of the set up to line to, likewise.
func (s *placeSet) before(to int) int { return s.seek(s.from, to, true) }

// seek looks for a place of the set between two lines, with back from the last to the first. It
// looks where the marks are those of the pattern, or, if the file has a line of the pattern once or
// never, only there.
func (s *placeSet) seek(from, to int, back bool) int {
	t, p := s.table, s.pattern
	from, to = max(from, s.from, 0), min(to, s.to, t.lines()-len(p.marks))
	if t.count[p.least] <= 1 {
		only := int(t.last[p.least]) - p.rare
		from, to = max(from, only), min(to, only-1+int(t.count[p.least]))
	}
	find := bytes.Index
	if back {
		find = bytes.LastIndex
	}
	for from <= to && t.effort >= 0 {
		at := find(t.marks[from:to+len(p.marks)], p.marks)
		switch {
		case at < 0:
			t.spend((to - from) * 4 / searched)
			return -1
		case s.has(from + at):
			return from + at
		case back:
			t.spend((to - from - at) * 4 / searched)
			to = from + at - 1
		default:
			t.spend(at / searched)
			from += at + 1
		}
	}
	return -1
}

func (s *placeSet) has(place int) bool {
	return place >= s.from && place <= s.to && s.table.fit(s.pattern, place) >= s.least
}

// all yields all places of the set, ascending.
func (s *placeSet) all(yield func(int) bool) {
	for place := s.next(s.from); place >= 0 && yield(place); place = s.next(place + 1) {
	}
}

// preferences yields sets of places for a hunk, the best first: at the end of the file if the hunk
// says so, then after the hunks before it, then also in the context that ends them.
func (p *placer) preferences(h *placement, pattern *pattern, atEnd bool) iter.Seq[*placeSet] {
	end := p.table.lines() - len(pattern.marks)
	var begins []int
	if atEnd || h.lacksNewline(HunkLine.isNew) {
		begins = append(begins, max(p.done, end))
	}
	if !atEnd {
		begins = append(begins, p.end, p.done)
	}
	return func(yield func(*placeSet) bool) {
		for _, from := range begins {
			for least := fitsExactly; least >= fitsExceptNewline; least-- {
				if !yield(&placeSet{placer: p, pattern: pattern, least: least, from: from, to: end}) {
					return
				}
			}
		}
	}
}

// choose returns those places of a set to which the hunk's number or anchors point, ascending. An
// anchor that isn't in the file is returned as missing.
func (p *placer) choose(h *placement, set *placeSet) (chosen placeList, missing string) {
	switch {
	case set.next(set.from) < 0:
		return placeList{}, ""
	case h.Numbered:
		return p.nearest(h, set), ""
	}
	return p.byAnchors(h, set.all, set.next)
}

// byAnchors returns those of a hunk's places to which its anchors point: for each line where they
// end, the next place, which next finds.
func (p *placer) byAnchors(h *placement, all iter.Seq[int], next func(line int) int) (chosen placeList, missing string) {
	if len(h.Anchors) == 0 {
		return listPlaces(all), ""
	}
	anchored, missing := p.anchored(h.Anchors, true)
	if missing == "" {
		chosen = listPlaces(afterLines(anchored, next))
	}
	if chosen.count == 0 && h.looseAnchors {
		return listPlaces(all), ""
	}
	return chosen, missing
}

// afterLines yields, for each of some lines, the first place from that line on. next finds it, and
// returns -1 if there is none.
func afterLines(lines iter.Seq[int], next func(line int) int) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := -1
		for line := range lines {
			if line <= last {
				continue
			}
			if last = next(line); last < 0 || !yield(last) || next(last+1) < 0 { // no place is left for a line further down
				return
			}
		}
	}
}

// placeList has the first edit.SampleSize of some places, ascending, and how many places there are,
// up to one more than edit.MaxCounted.
type placeList struct {
	places []int32
	count  int
}

func onePlace(line int) placeList { return placeList{places: []int32{int32(line)}, count: 1} }

// cut drops the places after line last, except for the first place, and reports whether that is the
// only one left.
func (l *placeList) cut(last int) (single bool) {
	if l.count > len(l.places) && int(l.places[len(l.places)-1]) <= last {
		return false // places that aren't in the list may be before that line, too
	}
	n, _ := slices.BinarySearch(l.places, int32(last+1))
	l.places = l.places[:max(n, 1)]
	l.count = len(l.places)
	return l.count == 1
}

func listPlaces(places iter.Seq[int]) (l placeList) {
	for place := range places {
		if l.count++; l.count > edit.MaxCounted {
			break
		}
		if len(l.places) < edit.SampleSize {
			l.places = append(l.places, int32(place))
		}
	}
	return l
}

// nearest returns the place nearest to the line that the hunk names, or both if two are equally
// near. Two other lines may count as well: if the hunk before has moved, the line as far from the
// one named; if the hunk claims the end of the file, that end, as in git. All different places that
// this gives are returned.
func (p *placer) nearest(h *placement, set *placeSet) placeList {
	near := int(h.place)
	chosen := nearestPlaces(set, near)
	if p.moved != 0 && set.from != set.to {
		chosen = append(chosen, nearestPlaces(set, near+p.moved)...)
	}
	if end := p.table.lines() - len(set.pattern.marks); !p.form.begin && h.claimsEnd() && set.has(end) {
		chosen = append(chosen, end)
	}
	slices.Sort(chosen)
	return listPlaces(slices.Values(slices.Compact(chosen)))
}

// nearestPlaces returns the one or two that are nearest to line near.
func nearestPlaces(set *placeSet, near int) []int {
	if set.has(near) {
		return []int{near}
	}
	below, above := set.before(near), set.next(near)
	switch {
	case below < 0 && above < 0: // the search was given up
		return nil
	case below < 0:
		return []int{above}
	case above < 0 || near-below < above-near:
		return []int{below}
	case near-below == above-near:
		return []int{below, above}
	}
	return []int{above}
}

// anchored returns the lines where a chain of anchors ends, ascending: those after the last change,
// or if there are none, all.
func (p *placer) anchored(anchors []string, part bool) (lines iter.Seq[int], missing string) {
	links, missing := p.table.links(anchors, part)
	if missing != "" {
		return nil, missing
	}
	for _, from := range [...]int{p.done, 0} {
		lines = chainEnds(links, from)
		for range lines {
			return lines, ""
		}
	}
	return nil, anchors[len(anchors)-1]
}
