package literal

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Finder looks for a string, or for one of several. It never changes, so that many goroutines can
// share it.
type Finder interface {
	// Find returns where the first occurrence at or after from begins and ends, or -1, -1.
	Find(text []byte, from int) (start, end int)
}

// New returns the Finder for s, which must not be empty. A folded search needs valid UTF-8.
func New(s string, fold bool) Finder {
	if fold && hasVariants(s) {
		return newFolded(s)
	}
	return newExact(s)
}

// exact finds a string byte by byte. The pair of its rarest two bytes is searched at memory speed,
// the others are compared only around a hit.
type exact struct {
	needle []byte
	lead   int   // in a teddy, index where the fingerprint begins
	pair   *pair // nil for a single byte, in a teddy, and without AVX2
}

func newExact(s string) *exact {
	e := &exact{needle: []byte(s)}
	if hasAVX2() {
		e.pair = newPair(e.needle, 0, func(i int) int { return int(byteRank[e.needle[i]]) })
	}
	return e
}

func (e *exact) Find(text []byte, from int) (int, int) {
	n := len(e.needle)
	if e.pair == nil {
		if i := bytes.Index(text[from:], e.needle); i >= 0 {
			return from + i, from + i + n
		}
		return -1, -1
	}
	for p := from + e.pair.at; ; p++ {
		if p = e.pair.next(text, p); p < 0 {
			return -1, -1
		}
		at := p - e.pair.at
		if at+n <= len(text) && string(text[at:at+n]) == string(e.needle) {
			return at, at + n
		}
	}
}

// matchAt compares the needle with the text, placed so that its lead byte is at p.
func (e *exact) matchAt(text []byte, from, p int) (int, int) {
	start := p - e.lead
	end := start + len(e.needle)
	if start < from || end > len(text) || string(text[start:end]) != string(e.needle) {
		return -1, -1
	}
	return start, end
}

// folded finds a string under Unicode simple folding. Variants of a character may differ in length
// (k and the Kelvin sign), so both sides are compared character by character, starting from the
// rarest.
type folded struct {
	runes []rune // the needle, each folded by Fold
	lead  int    // index of the rarest rune
	leads []byte // first bytes of all its variants, the most frequent first
	pair  *pair  // two ASCII characters of the needle, nil if there is no such pair
	teddy *teddy // searches for this one string, if that is better than a pair; else nil
}

func newFolded(s string) *folded {
	f := &folded{}
	best := -1
	for _, r := range s {
		leads := leadBytes(r)
		if c := rankOf(leads); best < 0 || c < best {
			best, f.lead, f.leads = c, len(f.runes), leads
		}
		f.runes = append(f.runes, Fold(r))
	}
	f.pairUp()
	if start, end := f.asciiRun(); end-start < printLen && hasAVX2() {
		f.teddy, _ = newTeddy([]string{s}, true)
	}
	return f
}

// pairUp looks for two characters that are at a fixed distance in every variant: both in the
// longest run of ASCII characters that fold within ASCII, which k and s don't. With a pair, its
// first character leads the search.
func (f *folded) pairUp() {
	start, end := f.asciiRun()
	run := make([]byte, end-start)
	for i := range run {
		run[i] = byte(f.runes[start+i]) | asciiCase
	}
	f.pair = newPair(run, asciiCase, func(i int) int { return rankOf(leadBytes(f.runes[start+i])) })
	if f.pair != nil {
		f.lead = start + f.pair.at
	}
}

// asciiRun gives the longest run of runes that are one byte in all their variants.
func (f *folded) asciiRun() (start, end int) {
	from := 0
	for i := 0; i <= len(f.runes); i++ {
		if i < len(f.runes) && f.runes[i] < utf8.RuneSelf && f.runes[i] != 'K' && f.runes[i] != 'S' {
			continue
		}
		if i-from > end-start {
			start, end = from, i
		}
		from = i + 1
	}
	return start, end
}

// foldSpan is how many bytes are searched for one lead byte before the others get their turn.
// Without it, a rare variant would be looked for far beyond a hit of a frequent one, again and
// again.
const foldSpan = 4 << 10

func (f *folded) Find(text []byte, from int) (int, int) {
	switch {
	case f.teddy != nil:
		return f.teddy.Find(text, from)
	case f.pair != nil:
		return f.findPair(text, from)
	}
	for at := from; at < len(text); at += foldSpan {
		end := min(at+foldSpan, len(text))
		if s, e := f.findSpan(text, from, at, end); s >= 0 {
			return s, e
		}
	}
	return -1, -1
}

func (f *folded) findPair(text []byte, from int) (int, int) {
	for p := from; ; p++ {
		if p = f.pair.next(text, p); p < 0 {
			return -1, -1
		}
		if s, e := f.matchAt(text, from, p); s >= 0 {
			return s, e
		}
	}
}

// findSpan tries every occurrence of a lead byte in text[at:end], in ascending order.
func (f *folded) findSpan(text []byte, from, at, end int) (int, int) {
	var next [maxLeads]int // first position at or after at of each lead byte, end if none
	for i := range f.leads {
		next[i] = indexByteFrom(text[:end], f.leads[i], at)
	}
	for {
		k := 0
		for i := 1; i < len(f.leads); i++ {
			if next[i] < next[k] {
				k = i
			}
		}
		p := next[k]
		if p == end {
			return -1, -1
		}
		if s, e := f.matchAt(text, from, p); s >= 0 {
			return s, e
		}
		next[k] = indexByteFrom(text[:end], f.leads[k], p+1)
	}
}

// indexByteFrom gives the first position of b in text, from or later; len(text) if there is none.
func indexByteFrom(text []byte, b byte, from int) int {
	if i := bytes.IndexByte(text[from:], b); i >= 0 {
		return from + i
	}
	return len(text)
}

// matchAt compares the needle with the text, placed so that its lead rune begins at p.
func (f *folded) matchAt(text []byte, from, p int) (int, int) {
	end := p
	for _, want := range f.runes[f.lead:] {
		r, size := utf8.DecodeRune(text[end:])
		if Fold(r) != want || isInvalid(r, size) {
			return -1, -1
		}
		end += size
	}
	start := p
	for i := f.lead - 1; i >= 0; i-- {
		r, size := utf8.DecodeLastRune(text[from:start])
		if Fold(r) != f.runes[i] || isInvalid(r, size) {
			return -1, -1
		}
		start -= size
	}
	return start, end
}

// isInvalid tells a decoding error, an empty input included, from a U+FFFD in the text.
func isInvalid(r rune, size int) bool { return r == utf8.RuneError && size <= 1 }

// Fold gives one representative for all case variants of r.
func Fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r // the smallest variant: the capital
	}
	least := r
	for v := unicode.SimpleFold(r); v != r; v = unicode.SimpleFold(v) {
		least = min(least, v)
	}
	return least
}

func hasVariants(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.SimpleFold(r) != r })
}

// maxLeads bounds the first bytes of one rune's case variants; no rune has more than four variants,
// itself included.
const maxLeads = 4

// leadBytes lists the first bytes of all case variants of r, the most frequent first.
func leadBytes(r rune) []byte {
	var leads []byte
	for v := r; ; {
		var enc [utf8.UTFMax]byte
		utf8.EncodeRune(enc[:], v)
		if bytes.IndexByte(leads, enc[0]) < 0 {
			leads = append(leads, enc[0])
		}
		if v = unicode.SimpleFold(v); v == r {
			break
		}
	}
	for i := 1; i < len(leads); i++ {
		if byteRank[leads[i]] > byteRank[leads[0]] {
			leads[0], leads[i] = leads[i], leads[0]
		}
	}
	return leads
}

// rankOf rates a search for several bytes: the most frequent one decides how slow it is, and each
// further byte costs another pass.
func rankOf(leads []byte) int {
	return int(byteRank[leads[0]]) + 8*(len(leads)-1)
}

// rankText rates the frequency of the rarest byte of a text, which leads the search for it, as
// byteRank does. With fold it takes the least rankOf of a character instead.
func rankText(text string, fold bool) int {
	least := math.MaxInt
	if !fold {
		for i := range len(text) {
			least = min(least, int(byteRank[text[i]]))
		}
		return least
	}
	for _, r := range text {
		least = min(least, rankOf(leadBytes(r)))
	}
	return least
}

// byteRank tells how frequent a byte is in source code and English text: 255 for the most frequent,
// 16 less for each halving. Measured on the Go distribution, C headers, Python, Perl and package
// documentation, 280 MB, each weighing the same.
var byteRank = [256]uint8{
	0, 0, 0, 0, 0, 0, 0, 0, 0, 190, 214, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	255, 129, 184, 169, 158, 119, 129, 184, 188, 188, 176, 133, 197, 178, 191, 191,
	199, 187, 184, 176, 174, 172, 174, 168, 171, 170, 184, 163, 172, 180, 178, 107,
	127, 183, 163, 180, 170, 186, 168, 156, 150, 179, 119, 141, 175, 165, 175, 175,
	173, 116, 177, 185, 182, 158, 152, 138, 149, 140, 115, 158, 157, 158, 94, 202,
	148, 216, 186, 206, 205, 230, 198, 188, 197, 217, 148, 173, 208, 196, 217, 216,
	200, 136, 216, 218, 223, 199, 175, 170, 184, 182, 137, 160, 133, 160, 108, 0,
	67, 56, 53, 45, 38, 38, 39, 54, 54, 38, 34, 27, 36, 32, 31, 58,
	39, 46, 36, 37, 61, 41, 63, 36, 40, 51, 36, 31, 45, 39, 32, 80,
	114, 38, 31, 35, 42, 36, 37, 41, 35, 54, 32, 44, 32, 33, 35, 29,
	36, 39, 38, 38, 38, 36, 39, 70, 74, 55, 36, 37, 46, 38, 40, 30,
	0, 0, 117, 72, 20, 26, 0, 0, 0, 0, 0, 0, 1, 0, 68, 41,
	85, 61, 0, 0, 0, 0, 33, 55, 40, 41, 0, 0, 0, 0, 0, 0,
	73, 36, 89, 40, 6, 25, 27, 17, 14, 5, 0, 0, 0, 0, 0, 28,
	77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
}
