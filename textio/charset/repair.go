package charset

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// The decoders of x/text differ from the WHATWG Encoding Standard in two things. They divide bytes
// that make no character in other ways. And they know GB 18030 as it was before 2022, and no
// private characters: see pairs.go.

// repair returns the text of b, which the decoder of x/text has decoded to text. If that may be
// wrong, repair decodes b again, one character at a time.
func (e *Encoding) repair(b, text []byte) []byte {
	if e.legacy == iso2022JP ||
		!bytes.Contains(text, []byte(replacement)) && !(e.isGB() && bytes.Contains(text, []byte(changedGB))) {
		return text
	}
	return e.decodeEach(make([]byte, 0, len(text)), b, e.newDecoder())
}

// decodeEach decodes b one character at a time.
func (e *Encoding) decodeEach(text, b []byte, decoder transform.Transformer) []byte {
	for len(b) > 0 {
		n := ASCIIRun(b)
		if text, b = append(text, b[:n]...), b[n:]; len(b) > 0 {
			text, n = e.appendFirst(text, b, decoder)
			b = b[n:]
		}
	}
	return text
}

// appendFirst decodes the first character of b, which isn't ASCII, and returns how many bytes of b
// it takes. Of bytes that make no character, an ASCII byte at the end is no part, except for the
// digit that ends four bytes of GB 18030.
func (e *Encoding) appendFirst(text, b []byte, decoder transform.Transformer) (_ []byte, size int) {
	if r, ok := e.ownPair(b); ok {
		return utf8.AppendRune(text, r), 2
	}
	const most = 4 // bytes: Big5 has pairs that are two characters
	text = slices.Grow(text, most)
	char := text[len(text) : len(text)+most]
	size = e.span(b)
	n, taken, _ := decoder.Transform(char, b[:size], true)
	switch {
	case e.isGB() && string(b[:size]) == privateCode:
		return utf8.AppendRune(text, privateGB), size
	case taken == size && (string(char[:n]) != replacement || size == 4): // GB 18030 has four bytes for U+FFFD itself
		return text[:len(text)+n], size
	case size > 1 && size < 4 && b[size-1] < utf8.RuneSelf:
		size--
	}
	return append(text, replacement...), size
}

// span is how many bytes of b belong to its first character, if they make one.
func (e *Encoding) span(b []byte) int {
	switch {
	case len(b) == 1 || !e.isLead(b[0]):
		return 1
	case e.isGB() && len(b) >= 4 && isDigit(b[1]) && e.isLead(b[2]) && isDigit(b[3]):
		return 4
	case e.name == "euc-jp" && len(b) > 2 && b[0] == 0x8f && b[1] >= 0xa1 && b[1] < 0xff:
		return 3
	}
	return 2
}

// isLead reports whether a character of several bytes may begin with c.
func (e *Encoding) isLead(c byte) bool {
	switch e.name {
	case "shift_jis":
		return c > 0x80 && c < 0xa0 || c >= 0xe0 && c < 0xfd
	case "euc-jp":
		return c == kana || c == 0x8f || c >= 0xa1 && c < 0xff
	}
	return c > 0x80 && c < 0xff
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (e *Encoding) isGB() bool { return e.name == "gb18030" || e.name == "gbk" }

// ASCIIRun is the length of the ASCII text that text begins with.
func ASCIIRun(text []byte) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}
