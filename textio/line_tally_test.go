package textio

import (
	"bytes"
	"testing"
	"unicode/utf8"
)

// However a text is cut into blocks, its tally is the same.
func TestLineTallyInBlocks(t *testing.T) {
	for _, name := range []string{"utf-8", "utf-16le", "utf-32be"} {
		e := encodingNamed(t, name)
		for _, text := range append(pageFiles, "a\r\nb\r\n\r\nc\n", "a\n\r", "\u0a0d\r\n\u0d0a\n") {
			raw, err := e.Encode(bytes.ToValidUTF8([]byte(text), nil))
			if err != nil {
				t.Fatal(err)
			}
			whole := newLineTally(e)
			whole.add(raw)
			for cut := 0; cut <= len(raw); cut += e.UnitWidth() {
				tally := newLineTally(e)
				tally.add(raw[:cut])
				tally.add(raw[cut:])
				if tally.lines() != whole.lines() || tally.crlf != whole.crlf || tally.eol() != whole.eol() || tally.final != whole.final {
					t.Errorf("%s %.40q cut at %d: %+v, want %+v", name, text, cut, tally, whole)
				}
			}
		}
	}
}

// However a text is cut into blocks, as many characters are counted as it decodes to.
func TestCharCounterInBlocks(t *testing.T) {
	tests := append(decodeTests[:len(decodeTests):len(decodeTests)], decodeTests[0])
	tests[len(tests)-1].encoding, tests[len(tests)-1].bytes = "utf-16le", "\x3d\xd8\x00\xde\x00\xde\x3d\xd8\x3d\xd8a\x00"
	for _, test := range tests {
		e, b := encodingNamed(t, test.encoding), []byte(test.bytes)
		text, _ := e.Decode(b)
		for cut := 0; cut <= len(b); cut += e.UnitWidth() {
			c := newCharCounter(e)
			taken := c.add(b[:cut], false)
			if got := taken + c.add(b[taken:], true); got != len(b) || c.chars != int64(utf8.RuneCount(text)) {
				t.Errorf("%s %q cut at %d: %d characters in %d bytes, want %d", test.encoding, b, cut, c.chars, got, utf8.RuneCount(text))
			}
		}
	}
}
