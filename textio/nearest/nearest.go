// Package nearest finds what in a text is most like an expected text that isn't in it, and says how
// the two differ and where. It knows nothing of edits and of files.
//
// # Files
//
//	nearest.go     which regions are most like the expected text
//	search.go      where in a long text they may begin, in about one pass over it
//	fold.go        in what a region differs: blanks, typography, case, or what it says
//	difference.go  where it differs first, shown so that blanks can be told apart
//	text.go        the lines of a region, cut to what is worth showing
package nearest

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"fsbox/textio/lines"
)

// Match is a region of a text that resembles what an edit expected. StartLine and EndLine are
// 1-based and inclusive. Text has the region's lines unchanged, joined by "\n" whatever their
// endings, invalid UTF-8 as U+FFFD; Truncated says that lines were left out or cut, which Text then
// shows. Before and After are how many were left out at its ends: a line of Text says so.
type Match struct {
	StartLine     int64      `json:"start_line"`
	EndLine       int64      `json:"end_line"`
	Text          string     `json:"text"`                    // exactly as in the file
	Truncated     bool       `json:"text_truncated,omitzero"` // Text is cut, or empty if max_output_bytes is reached: don't copy it
	Difference    Difference `json:"first_difference"`
	Before, After int64      `json:"-"`
}

// MaxRegions is how many regions are described, at most.
const (
	MaxRegions    = 3    // as many as a model can choose from at a glance
	scoredRegions = 24   // candidates looked at line by line
	scoredLines   = 100  // of each candidate
	minScore      = 0.25 // below this share of likeness a region is noise
)

// Region is a range of lines counted from 0, end exclusive, and how well it resembles the
// expected text, from 0 to 1.
type Region struct {
	Start, End int
	Score      float64
}

func (r Region) overlaps(other Region) bool {
	return r.Start < other.End && other.Start < r.End
}

// Nearest describes the regions of the file most like what is expected, best first, and how and
// where the best differs.
func (c Comparison) Nearest() (found []Match, reason string, at Point) {
	regions := Regions(c.Ctx, c.File, c.Expected)
	if len(regions) == 0 {
		return nil, "", at
	}
	c.Region = regions[0]
	c.Region, reason = c.fitted()
	at = c.FirstDifference()
	found = append(found, c.Render(at))
	best := c.Region
	for _, c.Region = range regions[1:] {
		if !c.Region.overlaps(best) {
			found = append(found, c.Render(c.FirstDifference()))
		}
	}
	return found, reason, at
}

// To describes the regions of file that are most like the lines expected, best first, and how the
// best differs: one of the reasons of fold.go, or "". The expected lines are whole lines.
func To(ctx context.Context, file, expected lines.Text) (found []Match, reason string) {
	found, reason, _ = Comparison{Ctx: ctx, File: file, Expected: expected, whole: true}.Nearest()
	return found, reason
}

// Regions returns the regions of file most like expected, best first.
func Regions(ctx context.Context, file, expected lines.Text) []Region {
	if file.Count() == 0 {
		return nil
	}
	all := expected.Count()
	expected = sought(expected)
	regions := scoreRegions(file, expected, voteRegions(ctx, file, expected))
	if len(regions) == 0 || regions[0].Score < 0.5 {
		regions = append(regions, scoreRegions(file, expected, similarRegions(ctx, file, expected))...)
		regions = append(regions, joinedRegions(ctx, file, expected)...)
		sortRegions(regions)
	}
	regions = bestRegions(regions)
	for i := range regions {
		regions[i].End = min(regions[i].End+all-expected.Count(), file.Count())
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
func bestRegions(regions []Region) []Region {
	var best []Region
	for _, r := range regions {
		apart := !slices.ContainsFunc(best, r.overlaps)
		if apart && r.Score >= minScore && r.Score >= regions[0].Score/2 {
			best = append(best, r)
		}
		if len(best) == MaxRegions {
			break
		}
	}
	return best
}

func sortRegions(regions []Region) {
	slices.SortStableFunc(regions, func(a, b Region) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// scoreRegions aligns each region, which has only a start, and gives it its score, or keeps the one
// it has if that is higher. It sorts the regions best first.
func scoreRegions(file, expected lines.Text, regions []Region) []Region {
	for i, r := range regions {
		regions[i] = alignRegion(file, expected, r.Start)
		regions[i].Score = max(r.Score, regionLikeness(file, expected, r.Start))
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
func alignRegion(file, expected lines.Text, first int) Region {
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
	return Region{Start: start, End: max(start, min(end, file.Count()-1)) + 1}
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
