package charset

import (
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeUnicode converts UTF-16 or UTF-32. What is no character becomes U+FFFD; with lossless, lone
// surrogates stay, as WTF-8. exact is false if a U+FFFD was put in. The text is written over old,
// if that has the room.
func (e *Encoding) decodeUnicode(old, b []byte, lossless bool) (text []byte, exact bool) {
	room := len(b)/e.width*min(e.width+1, utf8.UTFMax) + utf8.UTFMax
	if len(b) > textPart {
		room = e.textSize(b)
	}
	text, exact = slices.Grow(old[:0], room), true
	for {
		if text, b = e.appendPlain(text, b); len(b) == 0 {
			return text, exact
		}
		r, size, ok := e.codePoint(b)
		switch {
		case ok:
			text = utf8.AppendRune(text, r)
		case lossless && utf16.IsSurrogate(r):
			text = appendSurrogate(text, r)
		default:
			text, exact = append(text, replacement...), false
		}
		b = b[size:]
	}
}

// textSize is how many bytes the text of b takes in UTF-8, or a few more: a large text is to have
// no room that it doesn't need.
func (e *Encoding) textSize(b []byte) int {
	size := utf8.UTFMax
	for ; len(b) >= e.width; b = b[e.width:] {
		switch u := e.number(b); {
		case u < utf8.RuneSelf:
			size++
		case u < 0x800:
			size += 2
		case u <= 0xffff:
			size += 3
		default:
			size += utf8.UTFMax
		}
	}
	return size
}

// appendPlain is the fast path for UTF-16: it converts what b begins with up to a surrogate or half
// a unit, and returns the rest of b.
func (e *Encoding) appendPlain(text, b []byte) (_, rest []byte) {
	if e.UnitWidth() != 2 {
		return text, b
	}
	low, high := 0, 1
	if e.order == binary.BigEndian {
		low, high = 1, 0
	}
	for ; len(b) >= 2; b = b[2:] {
		r := rune(b[low]) | rune(b[high])<<8
		switch {
		case r < utf8.RuneSelf:
			text = append(text, byte(r))
		case r < 0x800:
			text = append(text, 0xc0|byte(r>>6), 0x80|byte(r&0x3f))
		case utf16.IsSurrogate(r):
			return text, b
		default:
			text = append(text, 0xe0|byte(r>>12), 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
		}
	}
	return text, b
}

// codePoint reads the first code point of b, which is not empty, and its length in bytes. ok is
// false for a lone surrogate, which is then r, for a number that is no code point, and for a part
// of a unit.
func (e *Encoding) codePoint(b []byte) (r rune, size int, ok bool) {
	width := e.UnitWidth()
	if len(b) < width {
		return utf8.RuneError, len(b), false
	}
	u := e.number(b)
	if u > utf8.MaxRune {
		return utf8.RuneError, width, false
	}
	r = rune(u)
	if !utf16.IsSurrogate(r) {
		return r, width, true
	}
	if width == 2 && len(b) >= 4 {
		if pair := utf16.DecodeRune(r, rune(e.number(b[2:]))); pair != utf8.RuneError {
			return pair, 4, true
		}
	}
	return r, width, false
}

// WholeRunes is the length of b without an incomplete UTF-8 character at its end.
func WholeRunes(b []byte) int {
	for start := len(b) - 1; start >= 0 && start > len(b)-utf8.UTFMax; start-- {
		if utf8.RuneStart(b[start]) && !utf8.FullRune(b[start:]) {
			return start
		}
	}
	return len(b)
}

// Whole is how many bytes of b can be decoded without those that follow: in UTF-8, UTF-16 and
// UTF-32 all except an incomplete character at the end of b.
func (e *Encoding) Whole(b []byte) int {
	n := len(b) - len(b)%e.UnitWidth()
	switch {
	case e.IsUTF8():
		return WholeRunes(b)
	case e.UnitWidth() == 2 && n > 0:
		if e.number(b[n-2:])>>10 == 0xd800>>10 { // the first unit of a surrogate pair
			return n - 2
		}
	}
	return n
}

// byteOrder is the order of the bytes in a unit.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// number is the first unit of b as a number.
func (e *Encoding) number(b []byte) uint32 {
	if e.width == 2 {
		return uint32(e.order.Uint16(b))
	}
	return e.order.Uint32(b)
}

// encodeUnicode appends UTF-8, and with lossless also WTF-8, as UTF-16 or UTF-32.
func (e *Encoding) encodeUnicode(out, text []byte, lossless bool) ([]byte, error) {
	units := 0 // at most, and exact for valid text
	for _, c := range text {
		if utf8.RuneStart(c) {
			units++
		}
		if c >= 0xf0 { // begins a character of two units in UTF-16
			units++
		}
	}
	out = slices.Grow(out, units*e.UnitWidth())
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			var ok bool
			if r, ok = surrogateAt(text[i:]); !ok || !lossless {
				return nil, e.lacks(text, i)
			}
			size = 3
		}
		out = e.appendRune(out, r)
		i += size
	}
	return out, nil
}

func (e *Encoding) appendRune(out []byte, r rune) []byte {
	if e.UnitWidth() == 2 && utf16.RuneLen(r) == 2 {
		high, low := utf16.EncodeRune(r)
		return e.appendUnit(e.appendUnit(out, uint32(high)), uint32(low))
	}
	return e.appendUnit(out, uint32(r))
}

func (e *Encoding) appendUnit(out []byte, u uint32) []byte {
	if e.width == 2 {
		return e.order.AppendUint16(out, uint16(u))
	}
	return e.order.AppendUint32(out, u)
}

// appendSurrogate appends a surrogate as WTF-8, which utf8.AppendRune refuses to.
func appendSurrogate(text []byte, r rune) []byte {
	return append(text, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
}

// surrogateAt reads a surrogate written as WTF-8.
func surrogateAt(b []byte) (rune, bool) {
	if len(b) < 3 || b[0] != 0xed || b[1]&0xe0 != 0xa0 || b[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f), true
}
