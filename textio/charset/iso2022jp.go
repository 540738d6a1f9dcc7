package charset

import (
	"errors"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/transform"
)

// iso2022JP is ISO-2022-JP as in the WHATWG Encoding Standard, with two differences. A line feed
// goes back to ASCII, so that each line of a file can be read by itself. And half-width katakana
// are written as what they are. The decoder and encoder of x/text take the Roman set for ASCII.
var iso2022JP encoding.Encoding = escaped{}

type escaped struct{}

func (escaped) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: &jisDecoder{eucJP: japanese.EUCJP.NewDecoder().Transformer}}
}

func (escaped) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: &jisEncoder{eucJP: japanese.EUCJP.NewEncoder().Transformer}}
}

// jisSet is a set of characters, which an escape sequence switches to.
type jisSet uint8

const (
	jisASCII    jisSet = iota
	jisRoman           // ASCII with U+00A5 for the backslash and U+203E for the tilde
	jisKatakana        // of half width, one byte each
	jisKanji           // JIS X 0208, two bytes each
)

const escape = 0x1b

// jisEscapes has the sequence that the encoder writes for each set.
var jisEscapes = [...]string{jisASCII: "\x1b(B", jisRoman: "\x1b(J", jisKatakana: "\x1b(I", jisKanji: "\x1b$B"}

// In EUC-JP a character of JIS X 0208 has the same two bytes with their high bits set, and one of
// the katakana is kana and its byte with the high bit set.
const (
	highBit = 0x80
	kana    = 0x8e
)

type jisDecoder struct {
	eucJP    transform.Transformer
	set      jisSet
	switched bool // nothing has come since an escape sequence
}

func (d *jisDecoder) Reset() { d.set, d.switched = jisASCII, false }

func (d *jisDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		before := *d
		r, size := d.next(src[nSrc:])
		if nSrc+size > len(src) {
			*d = before
			if !atEOF {
				return nDst, nSrc, transform.ErrShortSrc
			}
			d.switched = false
			r, size = utf8.RuneError, 1
		}
		if r >= 0 {
			if nDst+utf8.RuneLen(r) > len(dst) {
				*d = before
				return nDst, nSrc, transform.ErrShortDst
			}
			nDst += utf8.EncodeRune(dst[nDst:], r)
		}
		nSrc += size
	}
	return nDst, nSrc, nil
}

// next decodes the first character of b, or takes the escape sequence that b begins with: then r is
// negative. If b ends too early to tell, size is larger than b.
func (d *jisDecoder) next(b []byte) (r rune, size int) {
	c := b[0]
	if c == escape {
		return d.escape(b)
	}
	d.switched = false
	switch {
	case c == '\n':
		d.set = jisASCII
		return rune(c), 1
	case d.set == jisKanji:
		return d.kanji(b)
	case d.set == jisKatakana && 0x21 <= c && c <= 0x5f:
		return d.decode(kana, c|highBit), 1
	case d.set == jisKatakana || c >= utf8.RuneSelf || isShift(c):
		return utf8.RuneError, 1
	case d.set == jisRoman && c == '\\':
		return '¥', 1
	case d.set == jisRoman && c == '~':
		return '‾', 1
	}
	return rune(c), 1
}

// escape takes an escape sequence. One right after another is an error, as in the standard: texts
// that look alike are not to have different bytes.
func (d *jisDecoder) escape(b []byte) (r rune, size int) {
	const length = len("\x1b(B")
	if len(b) < length {
		return 0, length
	}
	again := d.switched
	switch string(b[:length]) {
	case "\x1b(B":
		d.set = jisASCII
	case "\x1b(J":
		d.set = jisRoman
	case "\x1b(I":
		d.set = jisKatakana
	case "\x1b$B", "\x1b$@":
		d.set = jisKanji
	default:
		d.switched = false
		return utf8.RuneError, 1
	}
	if d.switched = true; again {
		return utf8.RuneError, length
	}
	return -1, length
}

// kanji decodes two bytes. The first one alone is an error if the second begins something else.
func (d *jisDecoder) kanji(b []byte) (r rune, size int) {
	switch {
	case !isGraphic(b[0]):
		return utf8.RuneError, 1
	case len(b) < 2:
		return 0, 2
	case b[1] == escape, b[1] == '\n':
		return utf8.RuneError, 1
	case !isGraphic(b[1]):
		return utf8.RuneError, 2
	}
	return d.decode(b[0]|highBit, b[1]|highBit), 2
}

func isGraphic(c byte) bool { return 0x21 <= c && c <= 0x7e }

// isShift reports the two control characters that switch sets in other encodings of this kind.
func isShift(c byte) bool { return c == 0x0e || c == 0x0f }

// decode decodes a character of EUC-JP.
func (d *jisDecoder) decode(b ...byte) rune {
	var buf [utf8.UTFMax]byte
	n, _, _ := d.eucJP.Transform(buf[:], b, true)
	r, _ := utf8.DecodeRune(buf[:n])
	return r
}

type jisEncoder struct {
	eucJP transform.Transformer
	set   jisSet
}

func (e *jisEncoder) Reset() { e.set = jisASCII }

// errLacking stops an encoder at a character that the encoding lacks.
var errLacking = errors.New("no such character in the encoding")

func (e *jisEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, size := utf8.DecodeRune(src[nSrc:])
		code, set := e.encode(r)
		if code == nil {
			return nDst, nSrc, errLacking
		}
		n, ok := e.write(dst[nDst:], code, set)
		if !ok {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst, nSrc = nDst+n, nSrc+size
	}
	if atEOF {
		n, ok := e.write(dst[nDst:], nil, jisASCII)
		if nDst += n; !ok {
			return nDst, nSrc, transform.ErrShortDst
		}
	}
	return nDst, nSrc, nil
}

// write writes a character, after an escape sequence if the set is another one by now.
func (e *jisEncoder) write(dst, code []byte, set jisSet) (n int, ok bool) {
	sequence := ""
	if set != e.set {
		sequence = jisEscapes[set]
	}
	if len(sequence)+len(code) > len(dst) {
		return 0, false
	}
	e.set = set
	n = copy(dst, sequence)
	return n + copy(dst[n:], code), true
}

// encode returns the bytes of a character and the set that has it; nil if none has.
func (e *jisEncoder) encode(r rune) (code []byte, set jisSet) {
	switch {
	case r == escape, r < utf8.RuneSelf && isShift(byte(r)):
		return nil, 0
	case r < utf8.RuneSelf && (e.set != jisRoman || r == '\\' || r == '~' || r == '\n'):
		return []byte{byte(r)}, jisASCII
	case r < utf8.RuneSelf:
		return []byte{byte(r)}, jisRoman
	case r == '¥':
		return []byte{'\\'}, jisRoman
	case r == '‾':
		return []byte{'~'}, jisRoman
	}
	var buf [utf8.UTFMax]byte
	n, _, err := e.eucJP.Transform(buf[:], utf8.AppendRune(nil, r), true)
	switch {
	case err != nil || n != 2: // JIS X 0212 takes three bytes, and isn't in this encoding
		return nil, 0
	case buf[0] == kana:
		return []byte{buf[1] &^ highBit}, jisKatakana
	}
	return []byte{buf[0] &^ highBit, buf[1] &^ highBit}, jisKanji
}
