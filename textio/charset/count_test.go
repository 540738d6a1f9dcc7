package charset

import (
	"testing"
	"unicode/utf8"
)

// However a text is cut into blocks, as many characters are counted as it decodes to.
func TestCharCounterInBlocks(t *testing.T) {
	tests := append(decodeTests[:len(decodeTests):len(decodeTests)], decodeTests[0])
	tests[len(tests)-1].encoding, tests[len(tests)-1].bytes = "utf-16le", "\x3d\xd8\x00\xde\x00\xde\x3d\xd8\x3d\xd8a\x00"
	for _, test := range tests {
		e, b := encodingNamed(t, test.encoding), []byte(test.bytes)
		text, _ := e.Decode(b)
		for cut := 0; cut <= len(b); cut += e.UnitWidth() {
			c := NewCounter(e)
			taken := c.Add(b[:cut], false)
			if got := taken + c.Add(b[taken:], true); got != len(b) || c.Chars != int64(utf8.RuneCount(text)) {
				t.Errorf("%s %q cut at %d: %d characters in %d bytes, want %d", test.encoding, b, cut, c.Chars, got, utf8.RuneCount(text))
			}
		}
	}
}
