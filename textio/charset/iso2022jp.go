package charset

import "unicode/utf8"

// ISO-2022-JP is read and written as in the WHATWG Encoding Standard, with two differences. A line
// feed goes back to ASCII, so that each line of a file can be read by itself. And half-width
// katakana are written as what they are. The decoder and encoder of x/text take the Roman set for
// ASCII, so only its table of EUC-JP is used.

// jisSet is a set of characters, which an escape sequence switches to.
type jisSet uint8

const (
	jisASCII    jisSet = iota
	jisRoman           // ASCII with U+00A5 for the backslash and U+203E for the tilde
	jisKatakana        // of half width, one byte each
	jisKanji           // JIS X 0208, two bytes each
)

const escape = 0x1b

// jisEscapes has the sequence that is written for each set. Another one for kanji is read as well.
var jisEscapes = [...]string{jisASCII: "\x1b(B", jisRoman: "\x1b(J", jisKatakana: "\x1b(I", jisKanji: "\x1b$B"}

const otherKanji = "\x1b$@"

// In EUC-JP a character of JIS X 0208 has the same two bytes with their high bits set, and one of
// the katakana is kana and its byte with the high bit set.
const (
	highBit = 0x80
	kana    = 0x8e
)

// jisState is the set of the characters that follow. switched says that nothing has come since an
// escape sequence.
type jisState struct {
	set      jisSet
	switched bool
}

// to appends an escape sequence if the set is another one by now.
func (j *jisState) to(out []byte, set jisSet) []byte {
	if set != j.set {
		out = append(out, jisEscapes[set]...)
	}
	j.set = set
	return out
}

func (e *Encoding) isJIS() bool { return e.name == "iso-2022-jp" }

// appendJIS decodes the first character of b, or takes the escape sequence that b begins with.
func (s *sequences) appendJIS(text, b []byte) (_ []byte, size int) {
	if b[0] == escape {
		return s.jis.escape(text, b)
	}
	s.jis.switched = false
	switch c := b[0]; {
	case c == '\n':
		s.jis.set = jisASCII
	case s.jis.set == jisKanji:
		return s.appendKanji(text, b)
	case s.jis.set == jisKatakana && 0x21 <= c && c <= 0x5f:
		return s.appendEUC(text, kana, c), 1
	case s.jis.set == jisKatakana || c >= utf8.RuneSelf || isShift(rune(c)):
		return append(text, replacement...), 1
	case s.jis.set == jisRoman && c == '\\':
		return append(text, "¥"...), 1
	case s.jis.set == jisRoman && c == '~':
		return append(text, "‾"...), 1
	}
	return append(text, b[0]), 1
}

// escape takes an escape sequence. One right after another is an error, as in the standard: texts
// that look alike are not to have different bytes.
func (j *jisState) escape(text, b []byte) (_ []byte, size int) {
	again := j.switched
	for set, sequence := range jisEscapes {
		if hasAt(b, 0, sequence) || set == int(jisKanji) && hasAt(b, 0, otherKanji) {
			if *j = (jisState{jisSet(set), true}); again {
				text = append(text, replacement...)
			}
			return text, len(sequence)
		}
	}
	j.switched = false
	return append(text, replacement...), 1
}

// appendKanji decodes two bytes. The first one alone is an error if the second begins something
// else.
func (s *sequences) appendKanji(text, b []byte) (_ []byte, size int) {
	switch {
	case !isGraphic(b[0]), len(b) < 2, b[1] == escape, b[1] == '\n':
		return append(text, replacement...), 1
	case !isGraphic(b[1]):
		return append(text, replacement...), 2
	}
	return s.appendEUC(text, b[0], b[1]), 2
}

// appendEUC decodes a character of EUC-JP, given without its high bits.
func (s *sequences) appendEUC(text []byte, first, second byte) []byte {
	var char [utf8.UTFMax]byte
	n, _, _ := s.decoder.Transform(char[:], []byte{first | highBit, second | highBit}, true)
	return append(text, char[:n]...)
}

func isGraphic(c byte) bool { return 0x21 <= c && c <= 0x7e }

// isShift reports the two control characters that switch sets in other encodings of this kind.
func isShift(r rune) bool { return r == 0x0e || r == 0x0f }

// writeJIS appends a character as bytes, after an escape sequence if need be; nothing if no set has
// it.
func (s *sequences) writeJIS(out []byte, r rune) []byte {
	switch {
	case r == escape, isShift(r):
		return out
	case r < utf8.RuneSelf && (s.jis.set != jisRoman || r == '\\' || r == '~' || r == '\n'):
		return append(s.jis.to(out, jisASCII), byte(r))
	case r < utf8.RuneSelf:
		return append(out, byte(r))
	case r == '¥':
		return append(s.jis.to(out, jisRoman), '\\')
	case r == '‾':
		return append(s.jis.to(out, jisRoman), '~')
	}
	char := utf8.AppendRune(nil, r)
	var code [maxSequence]byte
	n, _, err := s.encoder.Transform(code[:], char, true)
	switch {
	case err != nil || n != 2 || string(s.appendEUC(nil, code[0], code[1])) != string(char):
		return out // JIS X 0212 takes three bytes, and isn't in this encoding
	case code[0] == kana:
		return append(s.jis.to(out, jisKatakana), code[1]&^highBit)
	}
	return append(s.jis.to(out, jisKanji), code[0]&^highBit, code[1]&^highBit)
}
