package literal

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// pair searches for two bytes at a fixed distance: many positions at a time in vector registers if
// there is AVX2, else eight in plain registers. Single bytes are often too frequent for
// bytes.IndexByte to get far: two are rarely found together.
type pair struct {
	first, second class
	at            int   // index of first in the needle
	gap           int   // second comes this many bytes after first
	third         class // compared where the two are found: two bytes often occur together, three rarely
	thirdGap      int   // third comes this many bytes after first; negative if before it
	avx2          bool
}

// class is the set of bytes that are equal to value in all bits outside of mask. The bits of mask
// are set in value. With the mask asciiCase a class has both cases of a letter.
type class struct{ value, mask byte }

func classOf(b, mask byte) class { return class{b | mask, mask} }

func (c class) has(b byte) bool { return b|c.mask == c.value }

// newPair makes the pair of the two rarest bytes of a needle, by rank; nil if the needle is shorter
// than two bytes.
func newPair(needle []byte, mask byte, rank func(i int) int) *pair {
	if len(needle) < 2 {
		return nil
	}
	order := make([]int, len(needle))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return rank(i) - rank(j) })
	i, j, k := min(order[0], order[1]), max(order[0], order[1]), order[min(2, len(order)-1)]
	of := func(i int) class { return classOf(needle[i], mask) }
	return &pair{first: of(i), second: of(j), at: i, gap: j - i, third: of(k), thirdGap: k - i, avx2: hasAVX2()}
}

// asciiCase is the bit that tells a lower-case ASCII letter from its capital.
const asciiCase = 0x20

const (
	eachLow  = 0x0101010101010101
	eachHigh = 0x8080808080808080
)

// zeros sets the high bit of every byte of x that is 0; its other bits mean nothing. A byte above
// one that is 0 may have its high bit set wrongly.
func zeros(x uint64) uint64 { return (x - eachLow) &^ x }

// next gives the first position of the pair, with the third byte in its place, in text at or after
// from, -1 if there is none.
func (p *pair) next(text []byte, from int) int {
	from = max(from, -p.thirdGap)
	end := len(text) - max(p.gap, p.thirdGap) // all three lie in text for the positions before it
	if from = p.skip(text, from, end); from < end && p.holds(text, from) {
		return from
	}
	return p.nextPlain(text, from, end)
}

// pairStride is how many positions nextPlain compares before it checks whether the pair was at one
// of them.
const pairStride = 32

// nextPlain is next for the positions from to end, eight at a time in plain registers.
func (p *pair) nextPlain(text []byte, from, end int) int {
	if from >= end {
		return -1
	}
	firsts, seconds := text[from:end], text[from+p.gap:]
	a, b := uint64(p.first.value)*eachLow, uint64(p.second.value)*eachLow
	m, n := uint64(p.first.mask)*eachLow, uint64(p.second.mask)*eachLow
	i := 0
	for ; i+pairStride <= len(firsts) && i+pairStride <= len(seconds); i += pairStride {
		x, y := (*[pairStride]byte)(firsts[i:]), (*[pairStride]byte)(seconds[i:])
		// 0 in every byte where both are found: both bytes equal the wanted ones in all bits
		// outside of the masks
		z0 := zeros(((binary.LittleEndian.Uint64(x[0:]) | m) ^ a) | ((binary.LittleEndian.Uint64(y[0:]) | n) ^ b))
		z1 := zeros(((binary.LittleEndian.Uint64(x[8:]) | m) ^ a) | ((binary.LittleEndian.Uint64(y[8:]) | n) ^ b))
		z2 := zeros(((binary.LittleEndian.Uint64(x[16:]) | m) ^ a) | ((binary.LittleEndian.Uint64(y[16:]) | n) ^ b))
		z3 := zeros(((binary.LittleEndian.Uint64(x[24:]) | m) ^ a) | ((binary.LittleEndian.Uint64(y[24:]) | n) ^ b))
		if (z0|z1|z2|z3)&eachHigh == 0 {
			continue
		}
		for k, z := range [...]uint64{z0, z1, z2, z3} {
			for z &= eachHigh; z != 0; z &= z - 1 {
				if at := from + i + 8*k + bits.TrailingZeros64(z)/8; p.holds(text, at) {
					return at
				}
			}
		}
	}
	for ; i < len(firsts); i++ {
		if p.holds(text, from+i) {
			return from + i
		}
	}
	return -1
}

// holds reports whether all three bytes are there. The text must be long enough.
func (p *pair) holds(text []byte, at int) bool {
	return p.first.has(text[at]) && p.second.has(text[at+p.gap]) && p.third.has(text[at+p.thirdGap])
}
