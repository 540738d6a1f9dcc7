package charset

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// run is a run of characters that the tables of x/text lack, or have at another place. Pointer is
// the place of the first one in the index of the WHATWG Encoding Standard; the others follow it,
// there and in Unicode.
type run struct{ pointer, first, count uint16 }

// gbRuns has the private characters of GB 18030, and those that GB 18030-2022 has changed.
var gbRuns = [...]run{
	{6080, 0xe4c6, 96}, {6270, 0xe526, 96}, {6376, 0xe766, 6}, {6433, 0xe76d, 1}, {6444, 0xe76e, 2},
	{6458, 0xe770, 2}, {6460, 0xe586, 95}, {6650, 0xe5e6, 96}, {6829, 0xe772, 11}, {6840, 0xe646, 96},
	{7022, 0xe77d, 8}, {7030, 0xe6a6, 96}, {7150, 0xe785, 8}, {7182, 0xfe10, 1}, {7183, 0xfe12, 1},
	{7184, 0xfe11, 1}, {7185, 0xfe13, 4}, {7201, 0xfe17, 2}, {7208, 0xfe19, 1}, {7211, 0xe797, 9},
	{7220, 0xe706, 96}, {7349, 0xe7a0, 15}, {7397, 0xe7af, 13}, {7495, 0xe7bc, 11}, {7533, 0x1e3f, 1},
	{7538, 0xe7c9, 4}, {7579, 0xe7cd, 21}, {7624, 0xe7e2, 1}, {7627, 0xe7e3, 1}, {7629, 0xe7e4, 3},
	{7686, 0xe7f4, 13}, {7775, 0xe801, 15}, {7886, 0xe000, 94}, {8076, 0xe05e, 94},
	{8266, 0xe0bc, 94}, {8456, 0xe11a, 94}, {8646, 0xe178, 94}, {8836, 0xe1d6, 94},
	{16525, 0xe810, 5}, {22706, 0xe234, 94}, {22896, 0xe292, 94}, {23086, 0xe2f0, 94},
	{23276, 0xe34e, 94}, {23466, 0xe3ac, 94}, {23656, 0xe40a, 94}, {23767, 0xe816, 3},
	{23775, 0x9fb4, 1}, {23783, 0x9fb5, 1}, {23788, 0x9fb6, 2}, {23794, 0xe831, 1},
	{23795, 0x9fb8, 1}, {23804, 0xe83b, 1}, {23812, 0x9fb9, 1}, {23829, 0x9fba, 1},
	{23830, 0xe855, 1}, {23845, 0x9fbb, 1}, {23846, 0xe468, 94},
}

// changedGB is the one of these that x/text decodes from other bytes, which mean privateGB.
const (
	changedGB   = "\u1e3f"
	privateGB   = '\ue7c7'
	privateCode = "\x81\x35\xf4\x37"
)

// shiftJISRuns has the private characters of Shift_JIS.
var shiftJISRuns = [...]run{{8836, 0xe000, 1880}}

// The first byte of a pair counts from firstLead; in Shift_JIS 64 of these numbers are skipped. The
// second byte counts from firstTrail and skips 0x7F.
const (
	firstLead  = 0x81
	firstTrail = 0x40
	skipped    = 0x7f
)

// trails is how many second bytes there are.
func (e *Encoding) trails() int {
	if e.isGB() {
		return 190
	}
	return 188
}

// ownPair decodes the two bytes that b begins with, if they make a character of e.runs.
func (e *Encoding) ownPair(b []byte) (r rune, ok bool) {
	if len(e.runs) == 0 || len(b) < 2 || !e.isLead(b[0]) || b[1] < firstTrail || b[1] == skipped {
		return 0, false
	}
	lead, trail := int(b[0])-firstLead, int(b[1])-firstTrail
	if b[1] > skipped {
		trail--
	}
	if !e.isGB() && b[0] >= 0xe0 {
		lead -= 64
	}
	if trail >= e.trails() {
		return 0, false
	}
	p := lead*e.trails() + trail
	i, found := slices.BinarySearchFunc(e.runs, p, func(r run, p int) int { return cmp.Compare(int(r.pointer), p) })
	if !found {
		i--
	}
	if i < 0 || p >= int(e.runs[i].pointer)+int(e.runs[i].count) {
		return 0, false
	}
	return rune(int(e.runs[i].first) + p - int(e.runs[i].pointer)), true
}

// ownCode returns the bytes of a character of e.runs, nil for any other.
func (e *Encoding) ownCode(r rune) []byte {
	if r != 0x1e3f && (r < 0x9fb4 || r > 0xfe19) { // what most texts have needs no search
		return nil
	}
	for _, run := range e.runs {
		if i := int(r) - int(run.first); i >= 0 && i < int(run.count) {
			return e.pair(int(run.pointer) + i)
		}
	}
	if r == privateGB && e.name == "gb18030" {
		return []byte(privateCode)
	}
	return nil
}

// pair returns the two bytes for a pointer.
func (e *Encoding) pair(pointer int) []byte {
	lead, trail := pointer/e.trails()+firstLead, pointer%e.trails()+firstTrail
	if trail >= skipped {
		trail++
	}
	if !e.isGB() && lead >= 0xa0 {
		lead += 64
	}
	return []byte{byte(lead), byte(trail)}
}

// foreign is the length of the text that text begins with that has no character of e.runs.
func (e *Encoding) foreign(text []byte) int {
	if len(e.runs) == 0 {
		return len(text)
	}
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if e.ownCode(r) != nil {
			break
		}
		n += size
	}
	return n
}
