package textio

import (
	"cmp"
	"slices"
)

// placer finds a place for each hunk of a file.
//
// Where git apply takes a patch, the outcome is the same to the byte, except:
//   - Of two places equally near, git takes the later; here that is an error. So
//     is a hunk that ends in changes and fits both near its number and at the end
//     of the file, where git wants it.
//   - Hunks keep their order: git would put the second before the first if that
//     is nearer.
//   - The search starts from the old line number, not from the new one, which is
//     wrong once a hunk was left out by hand.
//   - Lines inserted without context into a CRLF file become CRLF, unless a "diff
//     --git" line shows that a program wrote the patch.
//   - Context marked as lacking its newline is the file's last line; git also
//     finds it elsewhere, and joins two lines.
//
// What git refuses and this takes: hunks from the top or the end of a file that
// has grown there, hunks that share context, other line ends, a final newline
// missing in patch or file, numbers and counts that are wrong or missing.
type placer struct {
	table *lineTable
	form  patchForm
	text  []byte
	loose bool        // the lenient tiers count
	hunks []placement // in the order of their places
	end   int         // of the last hunk placed, in lines from 0
	done  int         // behind the last line it changes
}

// placement is a hunk and where it goes, in lines of the old text from 0. Where
// there are several candidates, it is at the first for the time being.
type placement struct {
	*Hunk
	index      int
	start, end int // its old lines; end exclusive
	used       int // of Lines; fewer if blank lines at the end were no context
	exact      bool
	tier       lineTier    // beyond tierExact where it fits leniently,
	adapter    lineAdapter // which then brings its new lines into form
	candidates []int32
	conflict   *HunkConflict
}

func newPlacer(text []byte, f *FilePatch, lenient bool) *placer {
	p := &placer{table: newLineTable(text, f.Hunks), form: f.form, text: text, loose: lenient}
	numbered := true
	for i := range f.Hunks {
		p.hunks = append(p.hunks, placement{Hunk: &f.Hunks[i], index: i})
		numbered = numbered && f.Hunks[i].Numbered
	}
	if numbered {
		slices.SortStableFunc(p.hunks, func(a, b placement) int { return cmp.Compare(a.place, b.place) })
	}
	return p
}

// place finds all places or reports every hunk that has none, or several.
func (p *placer) place() error {
	failed := false
	for i := range p.hunks {
		h := &p.hunks[i]
		if h.conflict = p.placeHunk(h); h.conflict != nil {
			failed = true
			continue
		}
		p.end = max(p.end, h.end)
		p.done = h.start + h.doneAfter()
	}
	ambiguous := p.narrow()
	if failed {
		return p.conflicts()
	}
	if ambiguous {
		return p.ambiguities()
	}
	return nil
}

// doneAfter counts the old lines up to the last change.
func (h *placement) doneAfter() int {
	return h.end - h.start - (h.trailing() - (len(h.Lines) - h.used))
}

// narrow drops the candidates of hunks without numbers that leave no room for the
// hunks that follow, and reports whether any hunk still has several. A lenient
// tier has to find one place by itself.
func (p *placer) narrow() (ambiguous bool) {
	limit := p.table.lines()
	for i := len(p.hunks) - 1; i >= 0; i-- {
		h := &p.hunks[i]
		if h.conflict != nil {
			continue
		}
		length := h.end - h.start
		for len(h.candidates) > 1 && !h.Numbered && h.tier == tierExact && int(h.candidates[len(h.candidates)-1])+length > limit {
			h.candidates = h.candidates[:len(h.candidates)-1]
		}
		if len(h.candidates) > 1 {
			ambiguous = true
			limit = min(limit, int(h.candidates[len(h.candidates)-1]))
			continue
		}
		limit = min(limit, h.start)
	}
	return ambiguous
}

// placeHunk finds the candidates for a hunk and puts it at the first.
func (p *placer) placeHunk(h *placement) *HunkConflict {
	h.used = len(h.Lines)
	if !h.hasOld() {
		return p.placeInsertion(h)
	}
	conflict := p.tryPlace(h, h.AtEnd)
	if conflict == nil || p.placeWithoutTail(h) {
		return nil
	}
	h.used = len(h.Lines)
	if p.loose && p.placeLenient(h) == nil {
		return nil
	}
	h.candidates = nil
	return conflict
}

// placeWithoutTail places a hunk without the blank lines at its end: those that
// may be no part of it, or the one that seems to follow the file's last line end.
func (p *placer) placeWithoutTail(h *placement) bool {
	last := h.Lines[len(h.Lines)-1]
	old := h.oldLines()
	switch {
	case h.bareTail > 0 && h.bareTail < old:
		h.used = len(h.Lines) - h.bareTail
		return p.tryPlace(h, h.AtEnd) == nil
	case old > 1 && last.Op == ' ' && len(withoutCR(last.Text)) == 0 && !last.NoNewline && !p.table.unterminated():
		h.used = len(h.Lines) - 1
		return p.tryPlace(h, true) == nil
	}
	return false
}

// oldLines counts the lines to look for.
func (h *placement) oldLines() int { return len(h.old()) }

// old returns the lines to look for.
func (h *placement) old() []HunkLine {
	var old []HunkLine
	for _, line := range h.Lines[:h.used] {
		if line.Op != '+' {
			old = append(old, line)
		}
	}
	return old
}

// endsFile reports whether the last of the new lines has no newline.
func (h *placement) endsFile() bool {
	for i := len(h.Lines) - 1; i >= 0; i-- {
		if h.Lines[i].Op != '-' {
			return h.Lines[i].NoNewline
		}
	}
	return false
}

// tryPlace looks for the hunk's used lines.
func (p *placer) tryPlace(h *placement, atEnd bool) *HunkConflict {
	old := h.old()
	places, found := p.table.places(p.table.pattern(old, p.form))
	if !found {
		return &HunkConflict{TooCommon: true}
	}
	conflict := &HunkConflict{Places: lineNumbers(places.all)}
	conflict.OutOfOrder = len(places.all) > 0 && len(placesFrom(places.all, p.done)) == 0
	for _, from := range [2]int{p.end, p.done} {
		for _, list := range [2][]int32{places.exact, places.all} {
			list = placesFrom(list, from)
			if atEnd || h.endsFile() {
				list = lastPlace(list, p.table.lines()-len(old))
			}
			if list, conflict.Anchor = p.choose(h, list, len(old)); len(list) > 0 {
				h.candidates = list
				h.start = int(list[0])
				h.end = h.start + len(old)
				h.exact = len(places.exact) > 0 && containsPlace(places.exact, h.start)
				return nil
			}
		}
	}
	return conflict
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
func (p *placer) choose(h *placement, list []int32, length int) (chosen []int32, missing string) {
	switch {
	case len(list) == 0:
		return nil, ""
	case h.Numbered:
		return p.nearest(h, list, length), ""
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

// nearest returns the place nearest to the stated one, or both if two are. A hunk
// that ends in changes says that the file ends there, which is how git takes it:
// if it also fits there, the end is one more candidate.
func (p *placer) nearest(h *placement, list []int32, length int) []int32 {
	i, found := slices.BinarySearch(list, int32(h.place))
	var near []int32
	switch {
	case found || i == 0:
		near = []int32{list[i]}
	case i == len(list) || h.place-int(list[i-1]) < int(list[i])-h.place:
		near = []int32{list[i-1]}
	case h.place-int(list[i-1]) == int(list[i])-h.place:
		near = []int32{list[i-1], list[i]}
	default:
		near = []int32{list[i]}
	}
	atEnd := int32(p.table.lines() - length)
	if !p.form.begin && h.leading() > 0 && h.trailing() == 0 && containsPlace(list, int(atEnd)) && near[len(near)-1] != atEnd {
		return append(near, atEnd)
	}
	return near
}

// anchored returns the lines where a chain of anchors ends, ascending: behind the
// last change, or if there is none, before it.
func (p *placer) anchored(anchors []string, part bool) (lines []int32, missing string) {
	for i, anchor := range anchors {
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

// placeInsertion places a hunk without old lines: where its number says, right
// behind its anchors, or at the end of the file.
func (p *placer) placeInsertion(h *placement) *HunkConflict {
	h.exact = true
	switch {
	case h.AtEnd || h.endsFile() || !h.Numbered && len(h.Anchors) == 0:
		h.candidates = []int32{int32(p.table.lines())}
	case h.Numbered:
		h.candidates = []int32{int32(min(h.place, p.table.lines()))}
	default:
		lines, missing := p.anchored(h.Anchors, false)
		if missing != "" {
			return &HunkConflict{Anchor: missing}
		}
		for _, line := range lines {
			h.candidates = append(h.candidates, line+1)
		}
		h.candidates = placesFrom(h.candidates, p.done)
	}
	if len(h.candidates) == 0 || int(h.candidates[0]) < p.done {
		return &HunkConflict{OutOfOrder: true}
	}
	h.start = int(h.candidates[0])
	h.end = h.start
	return nil
}

func (p *placer) results() []HunkResult {
	results := make([]HunkResult, len(p.hunks))
	for _, h := range p.hunks {
		r := HunkResult{Line: int64(h.start) + 1, Match: h.match()}
		if h.Numbered {
			r.Offset = h.start - h.place
		}
		results[h.index] = r
	}
	return results
}

// match names how the hunk fits.
func (h *placement) match() string {
	switch {
	case h.tier != tierExact:
		return h.tier.String()
	case h.exact:
		return TierExact
	}
	return TierEOL
}
