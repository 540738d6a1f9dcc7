package search

import (
	"encoding/binary"
	"math/bits"
)

// pair searches for two bytes at a fixed distance, eight positions at a time in plain registers. It serves where single
// bytes are too frequent for bytes.IndexByte to get far: two are rarely found together.
type pair struct {
	first, second byte
	mask          byte // or-ed to the text first: asciiCase to take both cases of a letter, with the bytes in lower case
	at            int  // where first stands in the needle
	gap           int  // second stands this many bytes behind it
}

// asciiCase is the bit that tells a lower-case ASCII letter from its capital.
const asciiCase = 0x20

const (
	eachLow  = 0x0101010101010101
	eachHigh = 0x8080808080808080
)

// zeros has the high bit of every byte of x that is 0. Bytes above one that is 0 may be marked wrongly, so only the lowest
// mark counts.
func zeros(x uint64) uint64 { return (x - eachLow) &^ x & eachHigh }

// next gives the first position of the pair in text at or after from, -1 if there is none.
func (p *pair) next(text []byte, from int) int {
	a, b, mask := uint64(p.first)*eachLow, uint64(p.second)*eachLow, uint64(p.mask)*eachLow
	i, last := from, len(text)-p.gap // first stands before last
	for ; i+16 <= last; i += 16 {
		x, y := text[i:i+16], text[i+p.gap:i+p.gap+16]
		// 0 in every byte where both are found: either differs from what is wanted in no bit
		lo := ((binary.LittleEndian.Uint64(x) | mask) ^ a) | ((binary.LittleEndian.Uint64(y) | mask) ^ b)
		hi := ((binary.LittleEndian.Uint64(x[8:]) | mask) ^ a) | ((binary.LittleEndian.Uint64(y[8:]) | mask) ^ b)
		l, h := zeros(lo), zeros(hi)
		if l|h == 0 {
			continue
		}
		if l != 0 {
			return i + bits.TrailingZeros64(l)/8
		}
		return i + 8 + bits.TrailingZeros64(h)/8
	}
	for ; i < last; i++ {
		if text[i]|p.mask == p.first && text[i+p.gap]|p.mask == p.second {
			return i
		}
	}
	return -1
}

// rarestPair picks the two rarest of n bytes by their rank. Fewer than two give ok false.
func rarestPair(n int, rank func(i int) int) (i, j int, ok bool) {
	i, j = -1, -1
	for k := range n {
		switch {
		case i < 0 || rank(k) < rank(i):
			i, j = k, i
		case j < 0 || rank(k) < rank(j):
			j = k
		}
	}
	return min(i, j), max(i, j), j >= 0
}
