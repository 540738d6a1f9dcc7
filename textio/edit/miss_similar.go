package edit

const (
	maxSimilarBytes = 256 // of an expected line, blanks aside, that are compared
	minSimilarity   = 0.5 // a line holding less than this share is another line
)

// similarity compares lines with one expected line by the pairs of neighbouring bytes they share,
// blanks and ASCII case aside. It finds the expected line also as a part of a longer one, in one
// pass over the longer one.
type similarity struct {
	fold  [256]byte      // lowerByte as a table
	slot  [1 << 16]uint8 // of each pair in the expected line, from 1; 0 for other pairs
	owed  [256]int       // by slot: how often the expected line has the pair, less how often the window has it (see score)
	total int            // pairs in the expected line
}

func newSimilarity(expected []byte) *similarity {
	s := &similarity{}
	for c := range s.fold {
		s.fold[c] = lowerByte(byte(c))
	}
	slots, last := uint8(0), byte(0)
	for _, c := range expected {
		if c = s.fold[c]; c == 0 {
			continue
		}
		if last != 0 {
			slot := &s.slot[pairOf(last, c)]
			if *slot == 0 {
				slots++
				*slot = slots
			}
			s.owed[*slot]++
			s.total++
		}
		if last = c; s.total == maxSimilarBytes-1 {
			break
		}
	}
	return s
}

func pairOf(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// score compares the expected line with found. It slides a window of s.total pairs over found, and
// takes the window that shares most pairs with the expected line. share is the Dice coefficient of
// the two, from 0 to 1: 2·shared/(s.total+pairs in the window). end is where in found the window
// ends.
func (s *similarity) score(found []byte) (share float64, end int) {
	if s.total == 0 {
		return 0, 0
	}
	var stretch [maxSimilarBytes]uint8 // slots of the last s.total pairs, as a ring
	seen, at, shared, best, last := 0, 0, 0, 0, byte(0)
	for i, c := range found {
		if c = s.fold[c]; c == 0 {
			continue
		}
		if last != 0 {
			if seen >= s.total {
				shared -= s.leave(stretch[at])
			}
			slot := s.slot[pairOf(last, c)]
			stretch[at] = slot
			seen++
			if at++; at == s.total {
				at = 0
			}
			if shared += s.enter(slot); shared > best {
				best, end = shared, i+1
			}
		}
		last = c
	}
	for _, slot := range stretch[:min(seen, s.total)] {
		s.leave(slot)
	}
	return 2 * float64(best) / float64(s.total+min(seen, s.total)), end
}

// enter takes a pair into the window and returns how many shared pairs that adds.
func (s *similarity) enter(slot uint8) int {
	if slot == 0 {
		return 0
	}
	s.owed[slot]--
	if s.owed[slot] >= 0 {
		return 1
	}
	return 0
}

// leave takes a pair out of the window and returns how many shared pairs that costs.
func (s *similarity) leave(slot uint8) int {
	if slot == 0 {
		return 0
	}
	s.owed[slot]++
	if s.owed[slot] > 0 {
		return 1
	}
	return 0
}

// start returns where in found the window that ends at end begins.
func (s *similarity) start(found []byte, end int) int {
	for left := s.total + 1; left > 0 && end > 0; {
		end--
		if s.fold[found[end]] != 0 {
			left--
		}
	}
	return end
}
