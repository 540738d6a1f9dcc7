package edit

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"fsbox/textio/lines"
)

// ClosestMatch is a region of a text that resembles what an edit expected. StartLine and EndLine
// are 1-based and inclusive. Text has the region's lines unchanged, joined by "\n" whatever their
// endings, invalid UTF-8 as U+FFFD; Truncated says that lines were left out or cut, which Text then
// shows. Before and After are how many were left out at its ends: a line of Text says so.
type ClosestMatch struct {
	StartLine     int64          `json:"start_line"`
	EndLine       int64          `json:"end_line"`
	Text          string         `json:"text"`                    // exactly as in the file
	Truncated     bool           `json:"text_truncated,omitzero"` // Text is cut, or empty if max_output_bytes is reached: don't copy it
	Difference    LineDifference `json:"first_difference"`
	Before, After int64          `json:"-"`
}

const (
	closestRegions = 3    // as many as a model can choose from at a glance
	scoredRegions  = 24   // candidates looked at line by line
	scoredLines    = 100  // of each candidate
	minScore       = 0.25 // below this share of likeness a region is noise
)

// lineRegion is a range of lines counted from 0, end exclusive, and how well it resembles the
// expected text, from 0 to 1.
type lineRegion struct {
	start, end int
	score      float64
}

func (r lineRegion) overlaps(other lineRegion) bool {
	return r.start < other.end && other.start < r.end
}

// missError builds the diagnosis of an edit that matches nowhere in text.
func missError(ctx context.Context, index int, text []byte, edit Edit) *MatchNotFoundError {
	e := &MatchNotFoundError{Edit: index, AlreadyApplied: hasReplacement(text, edit)}
	if !edit.Lenient {
		e.Lenient = lenientTier(ctx, text, edit)
	}
	c := comparison{ctx: ctx, file: lines.Split(text), expected: lines.Split(edit.Expected)}
	if edit.WholeWord {
		if e.Closest, e.NextToWord = c.nextToWords(edit); e.NextToWord > 0 {
			e.Reason = ClosestWholeWord
			return e
		}
	}
	if e.Lenient == "" {
		if e.Closest, e.Reason = c.mangled(); e.Reason != "" {
			return e
		}
	}
	if ctx.Err() != nil {
		return e
	}
	var at differencePoint
	e.Closest, e.Reason, at = c.nearest()
	if e.Reason == ClosestBlanks {
		e.BlankSent, e.BlankFound = at.blankLine()
	}
	e.GoesOn = e.Reason == ClosestContent && at.goesOn()
	return e
}

// nearest describes the regions of the file most like what is expected, best first, and how and
// where the best differs.
func (c comparison) nearest() (found []ClosestMatch, reason string, at differencePoint) {
	regions := closestTo(c.ctx, c.file, c.expected)
	if len(regions) == 0 {
		return nil, "", at
	}
	c.region = regions[0]
	c.region, reason = c.fitted()
	at = c.firstDifference()
	found = append(found, c.render(at))
	best := c.region
	for _, c.region = range regions[1:] {
		if !c.region.overlaps(best) {
			found = append(found, c.render(c.firstDifference()))
		}
	}
	return found, reason, at
}

// hasReplacement reports whether the replacement is in the text, in one place. One that is a part
// of the expected text must fill whole lines, because any remnant of the old text would contain it.
func hasReplacement(text []byte, edit Edit) bool {
	replacement := lines.WithLF(edit.Replacement)
	if bytes.Contains(lines.WithLF(edit.Expected), replacement) {
		return HasLines(text, bytes.Trim(replacement, "\n"))
	}
	return IsTelling(replacement) && isOnce(lines.WithLF(text), replacement)
}

// HasLines reports whether a text has the lines of block, in one place, LF and CRLF being the same.
func HasLines(text, block []byte) bool {
	if !IsTelling(block) {
		return false
	}
	text, block = lines.WithLF(text), bytes.TrimSuffix(lines.WithLF(block), lines.LF)
	between := slices.Concat(lines.LF, block, lines.LF)
	first, rest := between[1:], between[:len(between)-1]
	places := 0
	for _, has := range [...]bool{bytes.Equal(text, block), bytes.HasPrefix(text, first), bytes.HasSuffix(text, rest)} {
		if has {
			places++
		}
	}
	if at := bytes.Index(text, between); at >= 0 {
		if places++; bytes.Contains(text[at+1:], between) {
			places++
		}
	}
	return places == 1
}

// isOnce reports whether a text has a part in one place: what is in several is common, and shows
// nothing.
func isOnce(text, part []byte) bool {
	first := bytes.Index(text, part)
	return first >= 0 && !bytes.Contains(text[first+1:], part)
}

// IsTelling reports whether a text is long enough to be recognised: a shorter one is found nearly
// everywhere.
func IsTelling(text []byte) bool { return utf8.RuneCount(bytes.TrimSpace(text)) >= 4 }

// Closest describes the regions of file that are most like the lines expected, best first, and how
// the best differs: one of the Closest… constants, or "". The expected lines are whole lines.
func Closest(ctx context.Context, file, expected lines.Text) (found []ClosestMatch, reason string) {
	found, reason, _ = comparison{ctx: ctx, file: file, expected: expected, whole: true}.nearest()
	return found, reason
}

// closestTo returns the regions of file most like expected, best first.
func closestTo(ctx context.Context, file, expected lines.Text) []lineRegion {
	if file.Count() == 0 {
		return nil
	}
	all := expected.Count()
	expected = sought(expected)
	regions := scoreRegions(file, expected, voteRegions(ctx, file, expected))
	if len(regions) == 0 || regions[0].score < 0.5 {
		regions = append(regions, scoreRegions(file, expected, similarRegions(ctx, file, expected))...)
		regions = append(regions, joinedRegions(ctx, file, expected)...)
		sortRegions(regions)
	}
	regions = bestRegions(regions)
	for i := range regions {
		regions[i].end = min(regions[i].end+all-expected.Count(), file.Count())
	}
	return regions
}

// Of a longer expected text only the beginning is searched for: what is kept for each of its lines,
// and the time for each, is bounded then.
const (
	soughtLines = 2000
	soughtBytes = 128 << 10
)

// sought is the beginning of an expected text that is searched for, which mostly is all of it.
func sought(expected lines.Text) lines.Text {
	end := expected.Offset(soughtLines)
	if end > soughtBytes {
		if end = bytes.LastIndexByte(expected.Bytes[:soughtBytes], '\n') + 1; end == 0 {
			end = soughtBytes
		}
	}
	if end == len(expected.Bytes) {
		return expected
	}
	return lines.Split(expected.Bytes[:end])
}

// bestRegions picks from regions, sorted best first, those that are apart from each other and not
// much worse than the first.
func bestRegions(regions []lineRegion) []lineRegion {
	var best []lineRegion
	for _, r := range regions {
		apart := !slices.ContainsFunc(best, r.overlaps)
		if apart && r.score >= minScore && r.score >= regions[0].score/2 {
			best = append(best, r)
		}
		if len(best) == closestRegions {
			break
		}
	}
	return best
}

func sortRegions(regions []lineRegion) {
	slices.SortStableFunc(regions, func(a, b lineRegion) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
}

// scoreRegions aligns each region, which has only a start, and gives it its score, or keeps the one
// it has if that is higher. It sorts the regions best first.
func scoreRegions(file, expected lines.Text, regions []lineRegion) []lineRegion {
	for i, r := range regions {
		regions[i] = alignRegion(file, expected, r.start)
		regions[i].score = max(r.score, regionLikeness(file, expected, r.start))
	}
	sortRegions(regions)
	return regions
}

// regionLikeness compares the lines of expected with those from first on. Lines weigh by their
// length.
func regionLikeness(file, expected lines.Text, first int) float64 {
	var sum, total float64
	clip := 4 << 10 // bytes, so that many lines against long ones stay cheap
	if expected.Count() == 1 {
		clip = len(file.Bytes)
	}
	for i := range min(expected.Count(), scoredLines) {
		line := expected.Line(i)
		weight := float64(1 + min(len(bytes.TrimSpace(line)), maxSimilarBytes))
		total += weight
		if n := first + i; n >= 0 && n < file.Count() {
			found := file.Line(n)
			sum += weight * lineLikeness(line, found[:min(len(found), clip)])
		}
	}
	return sum / total
}

// lineLikeness compares an expected line with a line of the file: 1 if equal, close to 1 if they
// differ in what no reader would notice, else by the pairs of bytes they share.
func lineLikeness(expected, found []byte) float64 {
	switch {
	case bytes.Equal(expected, found):
		return 1
	case bytes.Equal(bytes.TrimSpace(expected), bytes.TrimSpace(found)):
		return 0.98
	}
	expected, found = normal(nil, expected), normal(nil, found)
	if bytes.Equal(expected, found) {
		return 0.95
	}
	return 0.9 * newLikeness(expected).share(found)
}

// alignRegion makes the region that expected covers when its first line lies at first. If the file
// has more or fewer lines there than expected, the region begins and ends at the nearest lines that
// agree with the first and the last expected line.
func alignRegion(file, expected lines.Text, first int) lineRegion {
	last := expected.Count() - 1
	start := nearestLine(file, expected.Line(0), first)
	end := nearestLine(file, expected.Line(last), first+last)
	if end == first+last {
		end = mostSimilarLine(file, expected.Line(last), end)
	}
	if end < start {
		start, end = first, first+last
	}
	start = max(0, min(start, file.Count()-1))
	return lineRegion{start: start, end: max(start, min(end, file.Count()-1)) + 1}
}

// mostSimilarLine returns the line within 5 of near that is most like line, or near itself. It is
// for the last line of a region: a line that was added above must not push it out.
func mostSimilarLine(t lines.Text, line []byte, near int) int {
	const clearly, reach = 0.5, 5
	best, most := near, clearly
	for n := max(0, near-reach); n <= min(near+reach, t.Count()-1); n++ {
		found := t.Line(n)
		score := lineLikeness(line, found[:min(len(found), 4<<10)])
		if n == near && score >= clearly {
			return near
		}
		if score > most {
			best, most = n, score
		}
	}
	return best
}
