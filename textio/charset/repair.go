package charset

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// The decoders of x/text differ from the WHATWG Encoding Standard in two things. They drop an ASCII
// byte after a lead byte that makes no character with it, and they know GB 18030 as it was before
// 2022.

// repair returns the text of b, which the decoder of x/text has decoded to text. If that may be
// wrong, repair decodes b again, one character at a time.
func (e *Encoding) repair(b, text []byte) []byte {
	const changed = "\u1e3f" // in newerGB; only for it do x/text's old tables have another character, for the rest U+FFFD
	if e.name == "iso-2022-jp" || !bytes.Contains(text, []byte(replacement)) && !(e.isGB() && bytes.Contains(text, []byte(changed))) {
		return text
	}
	decoder := e.legacy.NewDecoder().Transformer
	text = text[:0:0]
	for len(b) > 0 {
		n := ASCIIRun(b)
		text = append(text, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			break
		}
		if r, size := e.newerGB(b); size > 0 {
			text, b = utf8.AppendRune(text, r), b[size:]
			continue
		}
		char, size := firstCharacter(decoder, b)
		if string(char) == replacement && size < 4 { // GB 18030 has four bytes for U+FFFD itself
			if i := slices.IndexFunc(b[1:size], func(c byte) bool { return c < utf8.RuneSelf }); i >= 0 {
				size = 1 + i
			}
		}
		text, b = append(text, char...), b[size:]
	}
	return text
}

// firstCharacter decodes the first character of b, which isn't ASCII, and returns how many bytes of
// b it takes.
func firstCharacter(decoder transform.Transformer, b []byte) (char []byte, size int) {
	var buf [utf8.UTFMax]byte
	for size := 2; size <= len(buf); size++ { // growing, so that only one character fits
		decoder.Reset()
		if n, size, _ := decoder.Transform(buf[:size], b[:min(len(b), 4)], true); n > 0 {
			return buf[:n], size
		}
	}
	return []byte(replacement), 1
}

func (e *Encoding) isGB() bool { return e.name == "gb18030" || e.name == "gbk" }

// newerGB decodes the character that b begins with, if the table newerGB has it. size is its length
// in b, else 0.
func (e *Encoding) newerGB(b []byte) (r rune, size int) {
	if !e.isGB() {
		return 0, 0
	}
	for _, c := range newerGB {
		if bytes.HasPrefix(b, []byte(c.bytes)) {
			return c.char, len(c.bytes)
		}
	}
	return 0, 0
}

// appendNewerGB encodes the character that text begins with, if the table newerGB has it. size is
// its length in text, else 0.
func (e *Encoding) appendNewerGB(out, text []byte) (_ []byte, size int) {
	if !e.isGB() {
		return out, 0
	}
	r, size := utf8.DecodeRune(text)
	for _, c := range newerGB {
		if r == c.char && (e.name == "gb18030" || len(c.bytes) == 2) {
			return append(out, c.bytes...), size
		}
	}
	return out, 0
}

// newerGB has the characters whose bytes GB 18030-2022 has changed, as in the index of the WHATWG
// standard.
var newerGB = [...]struct {
	bytes string
	char  rune
}{
	{"\xa6\xd9", 0xfe10}, {"\xa6\xda", 0xfe12}, {"\xa6\xdb", 0xfe11}, {"\xa6\xdc", 0xfe13}, {"\xa6\xdd", 0xfe14},
	{"\xa6\xde", 0xfe15}, {"\xa6\xdf", 0xfe16}, {"\xa6\xec", 0xfe17}, {"\xa6\xed", 0xfe18}, {"\xa6\xf3", 0xfe19},
	{"\xa8\xbc", 0x1e3f}, {"\xfe\x59", 0x9fb4}, {"\xfe\x61", 0x9fb5}, {"\xfe\x66", 0x9fb6}, {"\xfe\x67", 0x9fb7},
	{"\xfe\x6d", 0x9fb8}, {"\xfe\x7e", 0x9fb9}, {"\xfe\x90", 0x9fba}, {"\xfe\xa0", 0x9fbb}, {"\x81\x35\xf4\x37", 0xe7c7},
}

// ASCIIRun is the length of the ASCII text that text begins with.
func ASCIIRun(text []byte) int {
	n := 0
	for n < len(text) && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}
