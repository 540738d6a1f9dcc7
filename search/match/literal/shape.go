package literal

import (
	"bytes"
	"slices"
)

// Shape is what a stretch of text looks like: for each place the bytes that may be there.
type Shape struct {
	Places []Bytes
	At     int // the place that says which line it is in: the first place may be the line end before that
	lead   int // where its fingerprint begins
}

// Bytes is a set of bytes, a bit for each.
type Bytes [4]uint64

// Add adds the bytes from lo to hi.
func (s *Bytes) Add(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		s[b>>6] |= 1 << (b & 63)
	}
}

// Or adds the bytes of another set.
func (s *Bytes) Or(other *Bytes) {
	for i := range s {
		s[i] |= other[i]
	}
}

// Has reports whether a byte is in the set.
func (s *Bytes) Has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// share is how much of a text consists of these bytes, from 0 to 1.
func (s *Bytes) share(of *[256]float64) (sum float64) {
	for b := range 256 {
		if s.Has(byte(b)) {
			sum += of[b]
		}
	}
	return sum
}

// parts cuts a set into those that halves can say exactly: the high nibbles that go with the same
// low ones.
func (s *Bytes) parts() (all []halves) {
	for high := range 16 {
		low := uint16(s[high>>2] >> (high & 3 * 16))
		if low == 0 {
			continue
		}
		if i := slices.IndexFunc(all, func(h halves) bool { return h.low == low }); i >= 0 {
			all[i].high |= 1 << high
		} else {
			all = append(all, halves{low, 1 << high})
		}
	}
	return all
}

// aim sets lead to the rarest printLen places in a row, and says how often they are expected per
// byte of a text: 1 if the shape is too short.
func (s *Shape) aim() float64 {
	best, share := 1.0, byteShares()
	for i := 0; i+printLen <= len(s.Places); i++ {
		hits := 1.0
		for k := range printLen {
			hits *= s.Places[i+k].share(&share)
		}
		if hits < best {
			best, s.lead = hits, i
		}
	}
	return best
}

// Rarest gives the shape that is expected least often; nil if each would be found too often.
func Rarest(all []Shape) (best *Shape) {
	least := maxShapeHits
	for i := range all {
		if hits := all[i].aim(); hits < least {
			best, least = &all[i], hits
		}
	}
	return best
}

// prints gives the fingerprints of the shape: all combinations of the parts of its places.
func (s *Shape) prints() []fingerprint {
	all := []fingerprint{{}}
	for k := range printLen {
		var longer []fingerprint
		for _, f := range all {
			for _, part := range s.Places[s.lead+k].parts() {
				f[k] = part
				longer = append(longer, f)
			}
		}
		all = longer
	}
	return all
}

// matchAt gives where the place At is if the shape lies in the text with its fingerprint at p.
func (s *Shape) matchAt(text []byte, from, p int) (int, int) {
	first := p - s.lead
	at := first + s.At
	if first < 0 || at < from || first+len(s.Places) > len(text) {
		return -1, -1
	}
	for i := range s.Places {
		if !s.Places[i].Has(text[first+i]) {
			return -1, -1
		}
	}
	return at, at
}

// shapes finds the lines that have one of several shapes. A shape may begin or end with a line end,
// which the first line of a text has not before it, and the last one may not have after it.
type shapes struct {
	teddy *teddy
	hits  float64 // how often their fingerprints are expected per byte
}

// maxShapeHits is how often fingerprints of shapes may be expected per byte of text, as at
// maxTeddyHits. For two shapes from the Linux sources it was 0.006, and the search took half of the
// time of the automaton alone; for one it was 0.013, and the search took 8 % longer than that.
const maxShapeHits = 0.01

// SearchShapes gives the finder for lines that have one of several shapes; none if the search would
// take too long. The searches must begin at the start of a line. The finder gives one place in each
// line, twice; the first line of a text, and a last one without line end, may not have a shape.
func SearchShapes(all []*Shape) []Finder {
	if len(all) == 0 || !hasAVX2() {
		return nil
	}
	if s := searchShapes(all); s.hits < maxShapeHits {
		return []Finder{s}
	}
	return nil
}

func searchShapes(all []*Shape) (s shapes) {
	m := teddyMaker{teddy: teddy{avx2: hasAVX2()}, share: byteShares()}
	for _, shape := range all {
		for _, f := range shape.prints() {
			m.add(f, shape)
		}
	}
	s.teddy, s.hits = m.finish()
	return s
}

func (s shapes) Find(text []byte, from int) (int, int) {
	if from == 0 && len(text) > 0 {
		return 0, 0
	}
	if at, _ := s.teddy.find(text, from, max(from-1, 0)); at >= 0 {
		return at, at
	}
	if last := bytes.LastIndexByte(text, '\n') + 1; last < len(text) {
		return max(from, last), max(from, last)
	}
	return -1, -1
}
