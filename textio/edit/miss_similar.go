package edit

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
