package edit

import (
	"cmp"
	"context"
	"slices"

	"fsbox/textio/lines"
)

// Bounds of the search, so that a miss in 10 MiB costs about one pass over it.
const (
	maxSamePlaces = 256     // places of one line that vote; a commoner line says little
	maxVotes      = 200_000 // pairs of equal lines looked at
)

// lineVoter collects where in a file the lines of an expected text occur.
type lineVoter struct {
	index  map[uint64]int // of a line in ballot, by its lineHash
	filter [1 << 10]uint64
	ballot []lineBallot
}

// lineBallot is one distinct expected line: where it is in the expected text, where in the file
// (the first places), and how often there.
type lineBallot struct {
	expected, found []int
	count           int
}

// voteRegions returns regions that begin where expected's first line may lie, most votes first,
// without their ends. Each pair of equal lines votes for the place that aligns them; the rarer the
// line in the file, the heavier its vote.
func voteRegions(ctx context.Context, file, expected lines.Text) []lineRegion {
	v := newLineVoter(expected)
	stop := stopper{ctx: ctx}
	for i := 0; i < file.Count() && !stop.now(); i++ {
		v.see(lineHash(file.Line(i)), i)
	}
	slices.SortStableFunc(v.ballot, func(a, b lineBallot) int {
		return cmp.Compare(a.count*len(a.expected), b.count*len(b.expected))
	})
	return mostVotes(v.tally())
}

func newLineVoter(expected lines.Text) *lineVoter {
	v := &lineVoter{index: make(map[uint64]int)}
	for i := range expected.Count() {
		hash := lineHash(expected.Line(i))
		if hash == 0 {
			continue
		}
		n, known := v.index[hash]
		if !known {
			n = len(v.ballot)
			v.index[hash] = n
			v.ballot = append(v.ballot, lineBallot{})
			v.filter[hash>>6%uint64(len(v.filter))] |= 1 << (hash % 64)
		}
		v.ballot[n].expected = append(v.ballot[n].expected, i)
	}
	return v
}

// see records line i of the file. The filter keeps most lines from the map.
func (v *lineVoter) see(hash uint64, i int) {
	if v.filter[hash>>6%uint64(len(v.filter))]&(1<<(hash%64)) == 0 {
		return
	}
	n, ok := v.index[hash]
	if !ok {
		return
	}
	b := &v.ballot[n]
	b.count++
	if len(b.found) < maxSamePlaces {
		b.found = append(b.found, i)
	}
}

// tally adds up the votes by the line where expected would begin.
func (v *lineVoter) tally() map[int]float64 {
	votes := make(map[int]float64)
	left := maxVotes
	for _, b := range v.ballot {
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

func mostVotes(votes map[int]float64) []lineRegion {
	regions := make([]lineRegion, 0, len(votes))
	for first := range votes {
		regions = append(regions, lineRegion{start: first})
	}
	slices.SortFunc(regions, func(a, b lineRegion) int {
		return cmp.Or(cmp.Compare(votes[b.start], votes[a.start]), cmp.Compare(a.start, b.start))
	})
	return regions[:min(len(regions), scoredRegions)]
}

// similarRegions is for an expected text of which hardly a line is in the file. It compares the
// longest expected line with every line, and returns regions that begin where expected's first line
// would lie, the most similar first, without their ends. One similar line alone proves little, so
// its share counts half, and the regions are scored afterwards.
func similarRegions(ctx context.Context, file, expected lines.Text) []lineRegion {
	telling := longestLine(expected)
	s := newSimilarity(composed(expected.Line(telling)))
	var best []lineRegion
	stop := stopper{ctx: ctx}
	for i := 0; i < file.Count() && !stop.now(); i++ {
		share, _ := s.score(composed(file.Line(i)))
		full := len(best) == scoredRegions
		if share < minSimilarity || full && share/2 <= best[len(best)-1].score {
			continue
		}
		if full {
			best = best[:len(best)-1]
		}
		best = append(best, lineRegion{start: i - telling, score: share / 2})
		sortRegions(best)
	}
	return best
}

// longestLine returns the first line with the most bytes that are no blanks.
func longestLine(t lines.Text) int {
	longest, most := 0, -1
	for i := range t.Count() {
		n := 0
		for _, c := range t.Line(i) {
			if lowerByte(c) != 0 {
				n++
			}
		}
		if n > most {
			longest, most = i, n
		}
	}
	return longest
}

// nearestLine returns the line within 20 of near that equals line except for blanks, case,
// typography and the form of accents, or near itself.
func nearestLine(t lines.Text, line []byte, near int) int {
	hash := lineHash(line)
	if hash == 0 {
		return near
	}
	for distance := range 20 {
		for _, i := range [2]int{near + distance, near - distance} {
			if i < 0 || i >= t.Count() {
				continue
			}
			found := t.Line(i)
			if len(found) <= 2*len(line)+1024 && lineHash(found) == hash { // a giant line isn't worth hashing
				return i
			}
		}
	}
	return near
}
