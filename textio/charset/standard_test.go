package charset

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"golang.org/x/text/transform"
)

// standardDigests are of what standardBytes decode to with another implementation of the WHATWG
// Encoding Standard, @exodus/bytes 1.16.0 of npm: the first eight bytes of SHA-256.
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
	"gbk":            "a2d0b78a0fc6ee64",
	"gb18030":        "a2d0b78a0fc6ee64",
	"big5":           "b91f0818a31fa5e4",
	"euc-jp":         "133363a7b058e9dd",
	"shift_jis":      "af28b198d7f317df",
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
func standardBytes(each func(...byte)) {
	for i := range 256 {
		each(byte(i))
		each(byte(i), 'A')
		for j := range 256 {
			if i >= 0x80 {
				each(byte(i), byte(j), 'A')
				each(0x8f, byte(i), byte(j), 'A')
			}
		}
	}
	for i := 0; i < 126*10*126*10; i += 17 {
		each(byte(0x81+i/12600), byte('0'+i/1260%10), byte(0x81+i/10%126), byte('0'+i%10), 'A')
	}
}

// What bytes mean is what the standard says.
func TestStandard(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, name := range encodingNames {
		e := encodingNamed(t, name)
		if e.form < formByte {
			continue
		}
		sum := sha256.New()
		standardBytes(func(b ...byte) {
			for i, c := range b {
				if c == '\n' { // the sums were made without line feeds
					b[i] = 'n'
				}
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
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, name := range []string{"gb18030", "gbk", "big5", "euc-jp", "euc-kr", "shift_jis"} {
		e := encodingNamed(t, name)
		standardBytes(func(b ...byte) {
			s := e.sequences()
			decoder := &counting{Transformer: s.decoder}
			s.decoder = decoder
			if text, _ := s.decode(nil, b, true); decoder.calls > len(b) {
				t.Fatalf("%s %x: %d calls for %q", name, b, decoder.calls, text)
			}
		})
	}
}
