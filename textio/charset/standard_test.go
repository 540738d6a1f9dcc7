package charset

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"golang.org/x/text/transform"
)

// standardDigests are of what standardBytes decode to with another implementation of the WHATWG
// Encoding Standard, @exodus/bytes 1.16.0 of npm: the first eight bytes of SHA-256. What isLeftOut
// is left out.
var standardDigests = map[string]string{
	"windows-874":    "18a60e017d7d211a",
	"windows-1250":   "89146110e4bd25ff",
	"windows-1251":   "3fcfdcf271bedb6a",
	"windows-1252":   "0a8fc38bd3e409ac",
	"windows-1253":   "23ff785b77d8efb7",
	"windows-1254":   "82bc6e47cb9db380",
	"windows-1255":   "8d7fda7a2f5512e2",
	"windows-1256":   "439352847d44f756",
	"windows-1257":   "eaed35f1abd3bc96",
	"windows-1258":   "deba8a66cc3d45c9",
	"gbk":            "aea1d81f00b1cb65",
	"gb18030":        "aea1d81f00b1cb65",
	"big5":           "b91f0818a31fa5e4",
	"euc-jp":         "133363a7b058e9dd",
	"iso-2022-jp":    "a7cf611e582a6756",
	"shift_jis":      "e6e58bd82cc8064c",
	"euc-kr":         "46d6a912e6293ec2",
	"iso-8859-2":     "12d17c935a0b392d",
	"iso-8859-3":     "77533d51f7693a59",
	"iso-8859-4":     "7292586d1dbbca0e",
	"iso-8859-5":     "f2b5027d7442931f",
	"iso-8859-6":     "ae99030bd70a2d3f",
	"iso-8859-7":     "6861dc5f7ab0cd79",
	"iso-8859-8":     "b9dea4e0c8716a13",
	"iso-8859-8-i":   "b9dea4e0c8716a13",
	"iso-8859-10":    "80d20d83db052d51",
	"iso-8859-13":    "fbf1db7d976ee000",
	"iso-8859-14":    "1fe1271e08a107ba",
	"iso-8859-15":    "bebf2a90268c8f9f",
	"iso-8859-16":    "91d864aacbe526a0",
	"ibm866":         "7821641a617a26e1",
	"koi8-r":         "ffdc3343ae35795b",
	"koi8-u":         "3d0967987cf5b1c5",
	"macintosh":      "2fb4b0ce9e31aae3",
	"x-mac-cyrillic": "2140437b96190073",
	"x-user-defined": "7fd444d406a9062c",
}

// standardBytes gives sequences of an encoding with all that can make a character, or no character.
func standardBytes(name string, each func(...byte)) {
	for i := range 256 {
		each(byte(i))
		each(byte(i), 'A')
		for j := range 256 {
			switch {
			case name == "iso-2022-jp":
				for _, set := range "BJI" {
					each(0x1b, '(', byte(set), byte(i), byte(j), 0x1b, '(', 'B')
				}
				each(0x1b, '$', 'B', byte(i), byte(j), 'A', 'B', 0x1b, '(', 'B', '~')
				each(0x1b, byte(i), byte(j), '~')
			case i >= 0x80:
				each(byte(i), byte(j), 'A')
				each(0x8f, byte(i), byte(j), 'A')
			}
		}
	}
	for i := 0; i < 126*10*126*10; i += 17 {
		each(byte(0x81+i/12600), byte('0'+i/1260%10), byte(0x81+i/10%126), byte('0'+i%10), 'A')
	}
}

// run is a run of characters whose pairs of bytes mean something else here than in the standard:
// private ones, which x/text doesn't know, and what GB 18030 was before 2022. Pointer is the place
// of the first one in the index of the standard.
type run struct{ pointer, first, count int }

// gbRuns are of GB 18030: the private characters, and those that GB 18030-2022 has changed.
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

// shiftJISRuns are the private characters of Shift_JIS.
var shiftJISRuns = [...]run{{8836, 0xe000, 1880}}

// isLeftOut reports whether two bytes of b are one of those pairs.
func isLeftOut(name string, b []byte) bool {
	runs, firstLead, trails := gbRuns[:], 0x81, 190
	switch name {
	case "shift_jis":
		runs, firstLead, trails = shiftJISRuns[:], 0x81+64, 188
	case "gbk", "gb18030":
	default:
		return false
	}
	for i := range b[1:] {
		trail := int(b[i+1]) - 0x40
		if b[i+1] > 0x7f {
			trail--
		}
		pointer := (int(b[i])-firstLead)*trails + trail
		for _, run := range runs {
			if pointer >= run.pointer && pointer < run.pointer+run.count && trail >= 0 && trail < trails {
				return true
			}
		}
	}
	return strings.HasPrefix(string(b), "\x81\x35\xf4\x37") // x/text takes it for one of those
}

// What bytes mean is what the standard says. Not so for a line feed after an escape sequence, which
// goes back to ASCII here.
func TestStandard(t *testing.T) {
	for _, name := range encodingNames {
		e := encodingNamed(t, name)
		if e.form < formByte {
			continue
		}
		sum := sha256.New()
		standardBytes(name, func(b ...byte) {
			for i, c := range b {
				if c == '\n' {
					b[i] = 'n'
				}
			}
			if isLeftOut(name, b) {
				return
			}
			_, _ = sum.Write(append(e.ToUTF8(b), 0))
		})
		if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != standardDigests[name] {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// counting counts how often a decoder is called.
type counting struct {
	transform.Transformer
	calls int
}

func (c *counting) Transform(dst, src []byte, atEOF bool) (int, int, error) {
	c.calls++
	return c.Transformer.Transform(dst, src, atEOF)
}

// Bytes that are no character cost one call of the decoder at most, whatever they are.
func TestRepairEffort(t *testing.T) {
	for _, name := range []string{"gb18030", "gbk", "big5", "euc-jp", "euc-kr", "shift_jis"} {
		e := encodingNamed(t, name)
		standardBytes(name, func(b ...byte) {
			s := e.sequences()
			decoder := &counting{Transformer: s.decoder}
			s.decoder = decoder
			if text, _ := s.decode(nil, b, true); decoder.calls > len(b) {
				t.Fatalf("%s %x: %d calls for %q", name, b, decoder.calls, text)
			}
		})
	}
}
