package literal

import (
	"math"
	"math/bits"
	"slices"
	"unicode"
)

// teddy finds any of many strings, or of their case variants, in one pass, as the algorithm of that
// name in Hyperscan does. Each string has a fingerprint: three bytes in a row, or the bytes that
// case variants may have there. Each fingerprint is put into one of eight buckets. Tables say for
// each high and low nibble of a byte which buckets it may belong to, so that 32 positions, of three
// bytes each, are looked up at a time. Where all six nibbles of a position have a bucket in common,
// the strings of that bucket are compared with the text. Of two occurrences that overlap, it may
// give the one that begins later first.
type teddy struct {
	tables  [printLen]nibbles
	buckets [8][]anchored
	avx2    bool
}

const (
	// printLen is the length of a fingerprint.
	printLen = 3

	// maxTeddyHits is the expected number of fingerprints per byte of text above which looking for
	// them isn't worth it. The expected number assumes that bytes are independent of each other.
	// For 32 names from the Linux sources it was 0.0012, and the search took a third of the time of
	// RE2 alone; for 64 names it was 0.0045, and the search took twice as long as RE2.
	maxTeddyHits = 0.002
)

// nibbles has a bit for each bucket: in low it is set if the bucket has bytes with this low nibble,
// in high the same for the high nibble.
type nibbles struct{ low, high [16]uint8 }

// anchored is a finder that compares at a given place.
type anchored interface {
	// matchAt gives the occurrence whose lead is at p, or -1, -1. It begins at or after from.
	matchAt(text []byte, from, p int) (start, end int)
}

// fingerprint is the set of bytes that may be at each of three places.
type fingerprint [printLen]halves

// halves is a set of bytes: all combinations of a low and a high nibble in it. Each nibble is a
// bit.
type halves struct{ low, high uint16 }

func (h halves) with(b byte) halves { return halves{h.low | 1<<(b&15), h.high | 1<<(b>>4)} }

// share is how much of a text consists of these bytes, from 0 to 1. of has the share of each byte.
func (h halves) share(of *[256]float64) float64 {
	sum := 0.0
	for high := h.high; high != 0; high &= high - 1 {
		for low := h.low; low != 0; low &= low - 1 {
			sum += of[bits.TrailingZeros16(high)<<4|bits.TrailingZeros16(low)]
		}
	}
	return sum
}

// or is the smallest fingerprint that matches whatever f or g matches.
func (f fingerprint) or(g fingerprint) fingerprint {
	for i := range f {
		f[i] = halves{f[i].low | g[i].low, f[i].high | g[i].high}
	}
	return f
}

// hits is how often the fingerprint is expected per byte of a text, if its bytes are independent of
// each other.
func (f fingerprint) hits(share *[256]float64) float64 {
	all := 1.0
	for _, h := range f {
		all *= h.share(share)
	}
	return all
}

// newTeddy gives the search for all of texts, and how often its fingerprints are expected per byte;
// nil if one of the texts is too short to have one.
func newTeddy(texts []string, fold bool) (*teddy, float64) {
	m := teddyMaker{teddy: teddy{avx2: hasAVX2()}, share: byteShares()}
	for _, text := range texts {
		f, own := newPrinted(text, fold, &m.share)
		if f == nil {
			return nil, 0
		}
		m.add(own, f)
	}
	return m.finish()
}

// teddyMaker puts fingerprints into buckets.
type teddyMaker struct {
	teddy
	share  [256]float64 // of each byte in a text
	prints [len(teddy{}.buckets)]fingerprint
	hits   [len(teddy{}.buckets)]float64 // expected per byte
}

// add puts a fingerprint, and the finder for what has it, into the bucket that it makes the least
// difference to.
func (m *teddyMaker) add(own fingerprint, f anchored) {
	best, least := 0, math.Inf(1)
	for i := range m.prints {
		if more := m.prints[i].or(own).hits(&m.share) - m.hits[i]; more < least {
			best, least = i, more
		}
	}
	m.prints[best], m.hits[best] = m.prints[best].or(own), m.hits[best]+least
	if !slices.Contains(m.buckets[best], f) {
		m.buckets[best] = append(m.buckets[best], f)
	}
}

// finish gives the teddy, and how often its fingerprints are expected per byte.
func (m *teddyMaker) finish() (t *teddy, hits float64) {
	for i := range m.prints {
		m.enter(i, m.prints[i])
		hits += m.hits[i]
	}
	return &m.teddy, hits
}

// enter writes a bucket into the tables.
func (t *teddy) enter(bucket int, print fingerprint) {
	for k, h := range print {
		for half := range 16 {
			t.tables[k].low[half] |= uint8(h.low>>half&1) << bucket
			t.tables[k].high[half] |= uint8(h.high>>half&1) << bucket
		}
	}
}

// newPrinted finds the rarest fingerprint in text, and makes the finder whose lead is where that
// begins.
func newPrinted(text string, fold bool, share *[256]float64) (f anchored, best fingerprint) {
	least := math.Inf(1)
	units := spell(text, fold)
	for lead := range units {
		var p fingerprint
		if !p.take(0, units[lead:]) {
			break
		}
		if h := p.hits(share); h < least {
			least, best, f = h, p, anchor(text, fold, lead)
		}
	}
	return f, best
}

// spell cuts a text into bytes, or if case is folded into characters, each with all its case
// variants.
func spell(text string, fold bool) (units [][]string) {
	if !fold {
		for i := range len(text) {
			units = append(units, []string{text[i : i+1]})
		}
		return units
	}
	for _, r := range text {
		all := []string{string(r)}
		for v := unicode.SimpleFold(r); v != r; v = unicode.SimpleFold(v) {
			all = append(all, string(v))
		}
		units = append(units, all)
	}
	return units
}

// anchor makes the finder for a text whose lead is the unit of that number.
func anchor(text string, fold bool, lead int) anchored {
	if !fold {
		return &exact{needle: []byte(text), lead: lead}
	}
	f := &folded{lead: lead}
	for _, r := range text {
		f.runes = append(f.runes, Fold(r))
	}
	return f
}

// take adds to the fingerprint the bytes that units may have at position at and after it. It
// returns false if a variant ends before the last position.
func (f *fingerprint) take(at int, units [][]string) bool {
	if at >= printLen {
		return true
	}
	if len(units) == 0 {
		return false
	}
	for _, s := range units[0] {
		for i := 0; i < len(s) && at+i < printLen; i++ {
			f[at+i] = f[at+i].with(s[i])
		}
		if !f.take(at+len(s), units[1:]) {
			return false
		}
	}
	return true
}

func (t *teddy) Find(text []byte, from int) (int, int) { return t.find(text, from, from) }

// find is Find with the first position that a fingerprint may have.
func (t *teddy) find(text []byte, from, p int) (int, int) {
	for ; ; p++ {
		var set uint8
		if p, set = t.next(text, p); set == 0 {
			return -1, -1
		}
		for ; set != 0; set &= set - 1 {
			for _, f := range t.buckets[bits.TrailingZeros8(set)] {
				if start, end := f.matchAt(text, from, p); start >= 0 {
					return start, end
				}
			}
		}
	}
}

// next gives the first position at or after from that may be a fingerprint's, and the buckets of
// that fingerprint; no bucket means the end of the text.
func (t *teddy) next(text []byte, from int) (int, uint8) {
	end := len(text) - printLen + 1
	for from = t.skip(text, from, end); from < end; from++ {
		if set := t.at(text, from); set != 0 {
			return from, set
		}
	}
	return end, 0
}

// at gives the buckets whose fingerprint may be at a position.
func (t *teddy) at(text []byte, at int) uint8 {
	set := uint8(0xFF)
	for k := range t.tables {
		b := text[at+k]
		set &= t.tables[k].low[b&15] & t.tables[k].high[b>>4]
	}
	return set
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
