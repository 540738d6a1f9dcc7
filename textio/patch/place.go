package patch

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"fsbox/textio/edit"
)

// placer finds a place for each hunk of a file.
//
// Where git apply takes a patch, the outcome is the same to the byte, except:
//   - Of two places equally near, git takes the later; here that is an error. A
//     hunk that ends in changes and fits both near its number and at the end of
//     the file, where git puts it, is an error here, too.
//   - Hunks keep their order; git puts the second before the first if that is
//     nearer.
//   - The search starts from the old line number, not from the new one, which is
//     wrong once a hunk was left out by hand, and one short for a deletion without
//     context.
//   - Lines inserted without context into a CRLF file become CRLF, unless a "diff
//     --git" line shows that a program wrote the patch.
//   - A line marked as lacking its newline goes to the end of the file if it fits
//     there. Where the file goes on, or the line before lacks its newline, it is a
//     line of its own; git joins two.
//   - An insertion without context goes between the hunks before and after it, and
//     never between the lines of another one.
//
// What git refuses and this takes: hunks from the top or the end of a file that has grown there,
// hunks that share context, other line ends, a final newline missing in patch or file, numbers and
// counts that are wrong or missing.
type placer struct {
	table *lineTable
	form  patchForm
	loose bool        // hunks may match in the lenient tiers
	hunks []placement // in the order of their numbers, if all have one, else in that of the patch; additions last
	end   int         // the largest end of the hunks placed so far, in lines from 0
	done  int         // the line after the last one that these hunks change
	moved int         // how far from its number the last hunk with one went
	shown *int        // see Options
}

// placement is a hunk and where it goes, in lines of the old text from 0. Where there are several
// candidates, it is at the first for the time being.
type placement struct {
	*Hunk
	index      int32
	used       int32         // of Lines; fewer if blank lines at the end were no context
	start, end int           // its old lines; end exclusive
	exact      bool          // the file has the same line ends as the old lines
	tier       edit.LineTier // edit.LineExact, or the lenient tier in which it fits
	adapter    *edit.Adapter // in a lenient tier, brings its new lines into the file's form
	candidates *placeList    // nil unless there are several
	conflict   *HunkConflict
}

func newPlacer(ctx context.Context, text []byte, f *File, room []byte, options Options) *placer {
	p := &placer{table: newLineTable(ctx, text, f.Hunks, room), form: f.form, loose: options.Lenient, shown: options.Shown}
	if p.shown == nil {
		p.shown = new(int)
	}
	numbered := true
	p.hunks = make([]placement, 0, len(f.Hunks))
	for _, last := range [...]bool{false, true} {
		for i := range f.Hunks {
			if h := &f.Hunks[i]; h.isAddition() == last {
				p.hunks = append(p.hunks, placement{Hunk: h, index: int32(i)})
				numbered = numbered && h.Numbered
			}
		}
	}
	if numbered {
		slices.SortStableFunc(p.hunks, func(a, b placement) int { return cmp.Compare(a.place, b.place) })
	}
	return p
}

// place finds all places or reports every hunk that has none, or several.
func (p *placer) place() error {
	failed, notShown := 0, new(HunkConflict)
	for i := range p.hunks {
		h := &p.hunks[i]
		if h.use(len(h.Lines)); h.isByNumber() {
			continue
		}
		h.conflict = p.placeHunk(h)
		if h.conflict != nil {
			if failed++; failed > MaxShown {
				h.conflict = notShown
			}
			continue
		}
		if h.Numbered {
			p.moved = h.start - int(h.place)
		}
		p.end = max(p.end, h.end)
		p.done = max(p.done, h.start+h.doneAfter())
	}
	ambiguous := p.narrow()
	if err := p.table.ctx.Err(); err != nil {
		return err
	}
	if failed > 0 || ambiguous {
		return p.conflicts(failed == 0)
	}
	p.putByNumber()
	return nil
}

// isAddition reports whether a hunk goes to the end of the file, wherever it is in the patch.
func (h *Hunk) isAddition() bool { return !h.Numbered && !h.hasOld() && len(h.Anchors) == 0 }

// isByNumber reports whether only its number says where the hunk belongs: it has no old lines.
func (h *placement) isByNumber() bool {
	return h.Numbered && !h.hasOld() && !h.AtEnd && !h.lacksNewline(HunkLine.isNew)
}

// putByNumber puts hunks without old lines where their numbers say, or as near to that as the
// places of the hunks before and after them allow.
func (p *placer) putByNumber() {
	next := p.table.lines()
	for i := range slices.Backward(p.hunks) {
		if h := &p.hunks[i]; h.isByNumber() {
			h.start, h.exact = min(int(h.place), next), true
		}
		next = min(next, p.hunks[i].start)
	}
	done := 0
	for i := range p.hunks {
		h := &p.hunks[i]
		if h.isByNumber() {
			h.start = max(h.start, done)
			h.end = h.start
		}
		done = max(done, h.start+h.doneAfter())
	}
}

// doneAfter counts the old lines up to the last change.
func (h *placement) doneAfter() int {
	return h.end - h.start - (h.trailing() - (len(h.Lines) - int(h.used)))
}

// narrow drops the candidates of hunks without numbers after which the next hunks would not fit any
// more, and reports whether any hunk still has several. A lenient tier has to find one place by
// itself.
func (p *placer) narrow() (ambiguous bool) {
	limit := p.table.lines()
	for i := len(p.hunks) - 1; i >= 0; i-- {
		h := &p.hunks[i]
		if h.conflict != nil || h.isByNumber() {
			continue
		}
		if h.candidates != nil && !h.Numbered && h.tier == edit.LineExact && h.candidates.cut(limit-(h.end-h.start)) {
			h.candidates = nil
		}
		if h.candidates != nil {
			ambiguous = true
			limit = min(limit, int(h.candidates.places[len(h.candidates.places)-1]))
			continue
		}
		limit = min(limit, h.start)
	}
	return ambiguous
}

// placeHunk finds the candidates for a hunk and puts it at the first.
func (p *placer) placeHunk(h *placement) *HunkConflict {
	if !h.hasOld() {
		return p.placeInsertion(h)
	}
	conflict := p.tryPlace(h, h.AtEnd)
	if conflict == nil || p.placeWithoutTail(h) {
		return nil
	}
	h.use(len(h.Lines))
	if p.loose && p.placeLenient(h) == nil {
		return nil
	}
	h.candidates = nil
	return conflict
}

// placeWithoutTail places a hunk without the blank lines at its end: those that may be no part of
// it, or the one that seems to follow the file's last line end.
func (p *placer) placeWithoutTail(h *placement) bool {
	last := h.Lines[len(h.Lines)-1]
	switch {
	case h.bareTail > 0 && int(h.bareTail) < len(h.old()):
		h.use(len(h.Lines) - int(h.bareTail))
		return p.tryPlace(h, h.AtEnd) == nil
	case !p.form.git && len(h.old()) > 1 && last.Op == ' ' && len(withoutCR(last.Text)) == 0 && !last.NoNewline && !p.table.unterminated():
		h.use(len(h.Lines) - 1)
		return p.tryPlace(h, true) == nil
	}
	return false
}

// use says how many of the hunk's lines count.
func (h *placement) use(used int) { h.used = int32(used) }

// old are the lines to look for.
func (h *placement) old() []HunkLine { return linesThat(HunkLine.isOld, h.Lines[:h.used]) }

// put puts the hunk, which has so many old lines, at the first of some places.
func (h *placement) put(places placeList, length int) {
	h.start, h.candidates = int(places.places[0]), nil
	if h.end = h.start + length; places.count > 1 {
		h.candidates = &places
	}
}

// claimsEnd reports whether the hunk has context before its changes, but none after: whoever
// writes context leaves it out where the file ends.
func (h *placement) claimsEnd() bool { return h.Lines[0].Op == ' ' && h.trailing() == 0 }

// tryPlace looks for the hunk's used lines.
func (p *placer) tryPlace(h *placement, atEnd bool) *HunkConflict {
	pattern := p.table.pattern(h.old(), p.form)
	missing := ""
	for set := range p.preferences(h, pattern, atEnd) {
		var places placeList
		if places, missing = p.choose(h, set); places.count > 0 && p.table.effort >= 0 {
			h.put(places, len(pattern.lines))
			h.exact = p.table.fit(pattern, h.start) == fitsExactly
			return nil
		}
	}
	return p.misplaced(pattern, missing)
}

// misplaced says why a hunk has no place that it can go to: perhaps it fits at some places, but
// none is allowed.
func (p *placer) misplaced(pattern *pattern, anchor string) *HunkConflict {
	c := &HunkConflict{Anchor: anchor, FinalNewline: p.lacksNewline(pattern)}
	anywhere := placeSet{placer: p, pattern: pattern, least: fitsExceptNewline, to: p.table.lines()}
	for place := range anywhere.all {
		if c.Places = append(c.Places, int64(place)+1); len(c.Places) == edit.SampleSize {
			break
		}
	}
	c.OutOfOrder = len(c.Places) > 0 && anywhere.next(p.done) < 0
	if p.table.effort < 0 {
		return &HunkConflict{TooCommon: true}
	}
	return c
}

// lacksNewline reports whether old lines are at the end of a file without a final newline, and the
// patch, which marks missing newlines, marks none there.
func (p *placer) lacksNewline(pattern *pattern) bool {
	last := len(pattern.lines) - 1
	start := p.table.lines() - len(pattern.lines)
	return p.form.marks && start >= 0 && p.table.unterminated() && !pattern.lines[last].NoNewline && p.table.equal(pattern, start)
}

func (p *placer) results() []HunkResult {
	results := make([]HunkResult, len(p.hunks))
	for i := range p.hunks {
		h := &p.hunks[i]
		r := HunkResult{Line: int64(h.start) + 1, Match: h.match(), Again: p.isRepeated(h)}
		if h.Numbered {
			r.Offset = h.start - int(h.place)
		}
		results[h.index] = r
	}
	return results
}

// isRepeated reports whether the lines that a hunk inserts at its edge, where it has no context,
// are next to that place already: the hunk may have been applied before.
func (p *placer) isRepeated(h *placement) bool {
	lines := h.Lines[:h.used]
	first := slices.IndexFunc(lines, HunkLine.isOld)
	if first < 0 {
		return p.isAt(lines, h.start-len(lines)) || p.isAt(lines, h.start)
	}
	last := len(lines)
	for lines[last-1].isAdded() {
		last--
	}
	return lines[first].Op == ' ' && p.isAt(lines[:first], h.start-first) || lines[last-1].Op == ' ' && p.isAt(lines[last:], h.end)
}

// isAt reports whether lines are in the file from line at on. It is false for lines too short to
// show anything, which are found nearly everywhere.
func (p *placer) isAt(lines []HunkLine, at int) bool {
	if at < 0 || at+len(lines) > p.table.lines() || !edit.IsTelling(joinLines(lines, math.MaxInt)) {
		return false
	}
	for i, line := range lines {
		if !bytes.Equal(withoutCR(line.Text), withoutCR(p.table.raw(at+i))) {
			return false
		}
	}
	return true
}

// match names how the hunk fits.
func (h *placement) match() string {
	switch {
	case h.tier != edit.LineExact:
		return h.tier.String()
	case h.exact:
		return edit.TierExact
	}
	return edit.TierEOL
}

// placeInsertion places a hunk without old lines and without a number: right after its anchors, or
// at the end of the file.
func (p *placer) placeInsertion(h *placement) *HunkConflict {
	h.exact = true
	places, missing := onePlace(p.table.lines()), ""
	if !h.AtEnd && !h.lacksNewline(HunkLine.isNew) && len(h.Anchors) > 0 {
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
