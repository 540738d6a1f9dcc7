package match

import "math"

// fused finds any of several strings in one pass. It searches for a pair of byte classes that two
// bytes of each string belong to, and compares the strings where it finds one. Of two strings in
// one line it may find the second one first. It is used where teddy, which is more selective,
// doesn't work.
type fused struct {
	texts []string
	at    []int // index of the pair's first byte in each string
	pair  pair
}

const (
	// maxFusedGap is the largest distance of the two bytes that is tried.
	maxFusedGap = 7

	// maxFusedHits is how often a pair may be expected, per byte of text, to be worth more than a
	// pass for each string. The expected number assumes that bytes are independent of each other;
	// in the Linux sources there are some eight times as many.
	maxFusedHits = 0.0005
)

// newFused finds the rarest pair that occurs in all the texts, and how often it is expected per
// byte; nil if there is no such pair.
func newFused(texts []string) (f *fused, hits float64) {
	if len(texts) < 2 {
		return nil, 0
	}
	share := byteShares()
	for gap := 1; gap <= maxFusedGap; gap++ {
		for at := 0; at+gap < len(texts[0]); at++ {
			if g, h := fuse(texts, at, gap, &share); g != nil && (f == nil || h < hits) {
				f, hits = g, h
			}
		}
	}
	return f, hits
}

// fuse begins with the pair at at of the first text, and widens it by the pair of each other text
// that costs least.
func fuse(texts []string, at, gap int, share *[256]float64) (*fused, float64) {
	first, second := classOf(texts[0][at], 0), classOf(texts[0][at+gap], 0)
	f := &fused{texts: texts, at: []int{at}}
	hits := first.share(share) * second.share(share)
	for _, text := range texts[1:] {
		best, wide, widest := -1, first, second
		for i := 0; i+gap < len(text); i++ {
			a, b := first.with(text[i]), second.with(text[i+gap])
			if h := a.share(share) * b.share(share); best < 0 || h < hits {
				best, wide, widest, hits = i, a, b, h
			}
		}
		if best < 0 {
			return nil, 0
		}
		first, second = wide, widest
		f.at = append(f.at, best)
	}
	f.pair = pair{first: first, second: second, gap: gap, third: anyByte(), avx2: hasAVX2()}
	return f, hits
}

// byteShares converts byteRank to the share of a text that each byte has.
func byteShares() (share [256]float64) {
	sum := 0.0
	for b, rank := range byteRank {
		if rank > 0 {
			share[b] = math.Exp2((float64(rank) - 255) / 16)
		}
		sum += share[b]
	}
	for b := range share {
		share[b] /= sum
	}
	return share
}

// share is the share of a text that the bytes of a class have.
func (c class) share(of *[256]float64) float64 {
	sum := 0.0
	for bits := c.mask; ; bits = (bits - 1) & c.mask { // every subset of the mask
		sum += of[c.value&^c.mask|bits]
		if bits == 0 {
			return sum
		}
	}
}

func (f *fused) find(text []byte, from int) (int, int) {
	for p := from; ; p++ {
		if p = f.pair.next(text, p); p < 0 {
			return -1, -1
		}
		for i, needle := range f.texts {
			start := p - f.at[i]
			end := start + len(needle)
			if start >= from && end <= len(text) && string(text[start:end]) == needle {
				return start, end
			}
		}
	}
}
