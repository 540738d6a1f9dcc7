package charset

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

// privateGB is the character of the four bytes that x/text takes for one of these.
const (
	privateGB   = '\ue7c7'
	privateCode = "\x81\x35\xf4\x37"
)

// shiftJISRuns has the private characters of Shift_JIS.
var shiftJISRuns = [...]run{{8836, 0xe000, 1880}}

// The second byte of a pair counts from firstTrail and skips 0x7F.
const (
	firstTrail = 0x40
	skipped    = 0x7f
)

// grid is the byte from which the first byte of a pair counts, and how many second bytes there are.
// Of Shift_JIS only bytes after a gap in the first ones matter here.
func (e *Encoding) grid() (firstLead, trails int) {
	if e.isGB() {
		return 0x81, 190
	}
	return 0x81 + 64, 188
}

// ownPair decodes two bytes that make a character of e.runs.
func (e *Encoding) ownPair(b []byte) (r rune, ok bool) {
	if len(b) != 2 || b[1] < firstTrail || b[1] == skipped {
		return 0, false
	}
	firstLead, trails := e.grid()
	trail := int(b[1]) - firstTrail
	if b[1] > skipped {
		trail--
	}
	pointer := (int(b[0])-firstLead)*trails + trail
	for _, run := range e.runs {
		if i := pointer - int(run.pointer); i >= 0 && i < int(run.count) && trail < trails {
			return rune(int(run.first) + i), true
		}
	}
	return 0, false
}

// ownCode returns the bytes of a character of e.runs, nil for any other.
func (e *Encoding) ownCode(r rune) []byte {
	for _, run := range e.runs {
		if i := int(r) - int(run.first); i >= 0 && i < int(run.count) {
			firstLead, trails := e.grid()
			pointer := int(run.pointer) + i
			trail := pointer%trails + firstTrail
			if trail >= skipped {
				trail++
			}
			return []byte{byte(pointer/trails + firstLead), byte(trail)}
		}
	}
	if r == privateGB && e.name == "gb18030" {
		return []byte(privateCode)
	}
	return nil
}
