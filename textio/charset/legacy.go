package charset

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"
)

func (e *Encoding) decodeBytes(b []byte) []byte {
	text := make([]byte, 0, len(b)+len(b)/4)
	for _, c := range b {
		if c < utf8.RuneSelf {
			text = append(text, c)
		} else {
			text = utf8.AppendRune(text, e.byteRune(c))
		}
	}
	return text
}

// byteRune is the character that a byte means. Bytes 0x80 to 0x9F that have none in charmap's
// tables are the C1 control characters of the same number, as in the WHATWG tables.
func (e *Encoding) byteRune(c byte) rune {
	r := e.single.DecodeByte(c)
	if r == utf8.RuneError && c < 0xa0 {
		return rune(c)
	}
	return r
}

func (e *Encoding) encodeBytes(text []byte) ([]byte, error) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		c, ok := e.single.EncodeRune(r)
		if !ok && r >= 0x80 && r < 0xa0 {
			c = byte(r)
			ok = e.byteRune(c) == r
		}
		if !ok || r == utf8.RuneError {
			return nil, e.lacks(text, i)
		}
		out = append(out, c)
		i += size
	}
	return out, nil
}

// maxSequence is how many bytes a character has at most.
const maxSequence = 4

// sequences reads and writes text in an encoding of several bytes a character, one character after
// the other. x/text has the tables. It differs from the WHATWG Encoding Standard in two things. It
// divides bytes that make no character in other ways. And it knows GB 18030 as it was before 2022,
// and no private characters: see pairs.go.
type sequences struct {
	*Encoding
	decoder, encoder transform.Transformer // of x/text
	code, back       [2 * maxSequence]byte // of the character that is written, and what that is read as
}

func (e *Encoding) sequences() *sequences {
	read := *e.legacy
	if e.isGB() { // GBK is read like GB 18030
		read = simplifiedchinese.GB18030
	}

	return &sequences{Encoding: e, decoder: read.NewDecoder().Transformer, encoder: (*e.legacy).NewEncoder().Transformer}
}

// decode appends the text of b, and tells how many bytes of b it has taken. Unless last says that b
// is the end of the text, it may leave the start of a character for the next call.
func (s *sequences) decode(text, b []byte, last bool) (_ []byte, taken int) {
	for taken < len(b) && (last || len(b)-taken >= maxSequence) {
		rest := b[taken:]
		n := ASCIIRun(rest)
		if text = append(text, rest[:n]...); n == 0 {
			text, n = s.appendFirst(text, rest)
		}
		taken += n
	}
	return text, taken
}

// appendFirst decodes the first character of b, which isn't ASCII, and returns how many bytes of b
// it takes. Of bytes that make no character, an ASCII byte at the end is no part, except for the
// digit that ends four bytes of GB 18030.
func (s *sequences) appendFirst(text, b []byte) (_ []byte, size int) {
	size = s.span(b)
	if s.isGB() && string(b[:size]) == privateCode {
		return utf8.AppendRune(text, privateGB), size
	}
	text = slices.Grow(text, maxSequence) // Big5 has pairs that are two characters
	char := text[len(text) : len(text)+maxSequence]
	n, taken, _ := s.decoder.Transform(char, b[:size], true)
	if taken == size && (string(char[:n]) != replacement || size == 4) { // GB 18030 has four bytes for U+FFFD itself
		return text[:len(text)+n], size
	}
	if r, ok := s.ownPair(b[:size]); ok {
		return utf8.AppendRune(text, r), size
	}
	if size > 1 && size < 4 && b[size-1] < utf8.RuneSelf {
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
		return c == 0x8e || c == 0x8f || c >= 0xa1 && c < 0xff
	}
	return c > 0x80 && c < 0xff
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (e *Encoding) isGB() bool { return e.name == "gb18030" || e.name == "gbk" }

// encodeLegacy encodes text, and makes sure of each character that it would be read as itself: some
// encoders of x/text take a look-alike for a character they lack, as "\" for the yen sign.
func (e *Encoding) encodeLegacy(text []byte) ([]byte, error) {
	s, out := e.sequences(), make([]byte, 0, len(text))
	for at, size := 0, 0; at < len(text); at += size {
		var r rune
		r, size = utf8.DecodeRune(text[at:])
		before := len(out)
		if r != utf8.RuneError || size > 1 {
			out = s.write(out, r, text[at:at+size])
		}
		if len(out) == before {
			return nil, e.lacks(text, at)
		}
	}
	return out, nil
}

// write appends a character as bytes; nothing if the encoding lacks it.
func (s *sequences) write(out []byte, r rune, char []byte) []byte {
	if r < utf8.RuneSelf {
		return append(out, char...)
	}
	if own := s.ownCode(r); own != nil {
		return append(out, own...)
	}
	n, _, err := s.encoder.Transform(s.code[:], char, true)
	if back, _ := s.decode(s.back[:0], s.code[:n], true); err != nil || string(back) != string(char) {
		return out
	}
	return append(out, s.code[:n]...)
}

// ASCIIRun is the length of the ASCII text that text begins with.
func ASCIIRun(text []byte) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}
