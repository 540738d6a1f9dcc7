package nearest

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"fsbox/textio/lines"
)

// Bounds of the search, so that a miss in 10 MiB costs about one pass over it.
const (
	maxSamePlaces = 256     // places of one line that vote; a commoner line says little
	maxVotes      = 200_000 // pairs of equal lines looked at
	maxJoined     = 4 << 20 // bytes of lines put together
)

// lineBallot is one distinct expected line: where it is in the expected text, where in the file
// (the first places), and how often there.
type lineBallot struct {
	expected, found []int
	count           int
}

// voteRegions returns regions that begin where expected's first line may lie, most votes first,
// without their ends. Each pair of equal lines votes for the place that aligns them; the rarer the
// line in the file, the heavier its vote.
func voteRegions(ctx context.Context, file, expected lines.Text) []Region {
	ballots := make(map[string]*lineBallot) // by normal form
	var key []byte
	for i := range expected.Count() {
		if key = normal(key[:0], expected.Line(i)); len(key) == 0 {
			continue
		}
		if ballots[string(key)] == nil {
			ballots[string(key)] = &lineBallot{}
		}
		b := ballots[string(key)]
		b.expected = append(b.expected, i)
	}
	stop := lines.Stopper{Ctx: ctx}
	for i := 0; i < file.Count() && !stop.Now(); i++ {
		key = normal(key[:0], file.Line(i))
		if b := ballots[string(key)]; b != nil {
			if b.count++; len(b.found) < maxSamePlaces {
				b.found = append(b.found, i)
			}
		}
	}
	return mostVotes(tally(slices.Collect(maps.Values(ballots))))
}

// tally adds up the votes by the line where expected would begin.
func tally(ballots []*lineBallot) map[int]float64 {
	slices.SortFunc(ballots, func(a, b *lineBallot) int {
		return cmp.Or(cmp.Compare(a.count*len(a.expected), b.count*len(b.expected)), cmp.Compare(a.expected[0], b.expected[0]))
	})
	votes := make(map[int]float64)
	left := maxVotes
	for _, b := range ballots {
		for _, found := range b.found {
			for _, expected := range b.expected[:min(len(b.expected), maxSamePlaces)] {
				votes[found-expected] += 1 / float64(b.count)
			}
		}
		if left -= len(b.found) * len(b.expected); left < 0 {
			break
		}
	}
	return votes
}

func mostVotes(votes map[int]float64) []Region {
	regions := make([]Region, 0, len(votes))
	for first := range votes {
		regions = append(regions, Region{Start: first})
	}
	slices.SortFunc(regions, func(a, b Region) int {
		return cmp.Or(cmp.Compare(votes[b.Start], votes[a.Start]), cmp.Compare(a.Start, b.Start))
	})
	return regions[:min(len(regions), scoredRegions)]
}

// similarRegions is for an expected text of which hardly a line is in the file. It compares the
// longest expected line with every line, and returns regions that begin where expected's first line
// would lie, the most similar first, without their ends. One similar line alone proves little, so
// its share counts half, and the regions are scored afterwards.
func similarRegions(ctx context.Context, file, expected lines.Text) []Region {
	telling := longestLine(expected)
	like := newLikeness(normal(nil, expected.Line(telling)))
	var key []byte
	var best []Region
	stop := lines.Stopper{Ctx: ctx}
	for i := 0; i < file.Count() && !stop.Now(); i++ {
		key = normal(key[:0], file.Line(i))
		share, full := like.share(key), len(best) == scoredRegions
		if share < minSimilarity || full && share/2 <= best[len(best)-1].Score {
			continue
		}
		if full {
			best = best[:len(best)-1]
		}
		best = append(best, Region{Start: i - telling, Score: share / 2})
		sortRegions(best)
	}
	return best
}

// joinedRegions finds where lines of the file say the same as expected, at least at its beginning,
// if line ends count as blanks: a model may have put many lines into one.
func joinedRegions(ctx context.Context, file, expected lines.Text) (regions []Region) {
	var want, key []byte
	for i := range expected.Count() {
		want = normal(want, expected.Line(i))
	}
	stop, left := lines.Stopper{Ctx: ctx}, maxJoined
	for i := 0; i < file.Count() && left > 0 && !stop.Now(); i++ {
		if !mayBegin(want, file.Line(i)) {
			continue
		}
		key = normal(key[:0], file.Line(i))
		if len(key) == 0 || !bytes.HasPrefix(want, key) {
			continue
		}
		r := joinedAt(file, want, i)
		left -= file.Offset(r.End) - file.Offset(i)
		if r.Score >= minScore {
			regions = append(regions, r)
		}
	}
	return regions
}

// mayBegin is false of most lines that want, a normal form, doesn't begin with: it looks at one
// byte.
func mayBegin(want, line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || len(want) == 0 {
		return false
	}
	return line[0] >= utf8.RuneSelf || unicode.ToLower(rune(line[0])) == rune(want[0])
}

// joinedAt is the region that begins with a line and is as long as want, which has the normal form
// of lines put together. Its score is the share of want that agrees, up to the first line that
// doesn't; it is 0 if only one line agrees.
func joinedAt(file lines.Text, want []byte, first int) Region {
	r, rest, same, agreed := Region{Start: first, End: first}, want, 0, 0
	var key []byte
	for ; len(rest) > 0 && r.End < file.Count(); r.End++ {
		key = normal(key[:0], file.Line(r.End))
		rest = bytes.TrimPrefix(rest, []byte(" "))
		n := min(len(key), len(rest))
		if agreed == r.End-first && bytes.Equal(key[:n], rest[:n]) {
			same, agreed = same+n, agreed+1
		}
		rest = rest[n:]
	}
	if agreed > 1 {
		r.Score = float64(same) / float64(len(want))
	}
	return r
}

// longestLine returns the first line with the longest normal form.
func longestLine(t lines.Text) int {
	longest, most := 0, -1
	for i := range t.Count() {
		if n := len(normal(nil, t.Line(i))); n > most {
			longest, most = i, n
		}
	}
	return longest
}

// nearestLine returns the line within 20 of near that equals line except for blanks, case,
// typography and the form of accents, or near itself.
func nearestLine(t lines.Text, line []byte, near int) int {
	key := normal(nil, line)
	if len(key) == 0 {
		return near
	}
	for distance := range 20 {
		for _, i := range [2]int{near + distance, near - distance} {
			if i < 0 || i >= t.Count() {
				continue
			}
			found := t.Line(i)
			if len(found) <= 2*len(line)+1024 && isNormal(found, key) { // a giant line isn't worth it
				return i
			}
		}
	}
	return near
}

const (
	maxSimilarBytes = 256 // of an expected line that are compared
	minSimilarity   = 0.5 // a line holding less than this share is another line
)

// likeness compares lines with one expected line by the pairs of neighbouring bytes that they
// share; all lines are as normal gives them. It finds the expected line also as a part of a longer
// one, in one pass over the longer one.
type likeness struct {
	owed  [1 << 12]int16 // by pair: how often the expected line has it, less how often the window has it
	pairs int            // in the expected line
}

func newLikeness(expected []byte) *likeness {
	l := &likeness{pairs: max(min(len(expected), maxSimilarBytes)-1, 0)}
	for i := range l.pairs {
		*l.pair(expected, i)++
	}
	return l
}

// pair is the counter of the pair at an offset. Few pairs share one, which only costs quality.
func (l *likeness) pair(line []byte, i int) *int16 {
	return &l.owed[(uint(line[i])<<5^uint(line[i+1]))%uint(len(l.owed))]
}

// share slides a window of l.pairs pairs over found, and takes the one that has the most pairs in
// common with the expected line. The result is the Dice coefficient of the two, from 0 to 1:
// 2·common/(l.pairs+pairs in the window).
func (l *likeness) share(found []byte) float64 {
	common, most, last := 0, 0, max(len(found)-1, 0)
	if l.pairs == 0 {
		return 0
	}
	leave := func(i int) {
		slot := l.pair(found, i)
		if *slot++; *slot > 0 {
			common--
		}
	}
	for i := range last {
		if i >= l.pairs {
			leave(i - l.pairs)
		}
		slot := l.pair(found, i)
		if *slot--; *slot >= 0 {
			common++
		}
		most = max(most, common)
	}
	for i := max(last-l.pairs, 0); i < last; i++ {
		leave(i)
	}
	return 2 * float64(most) / float64(l.pairs+min(last, l.pairs))
}
