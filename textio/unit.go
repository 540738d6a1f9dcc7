package textio

import (
	"unsafe"

	"fsbox/textio/lines"
)

// Unit is how a reader counts a text.
type Unit uint8

// The ways in which programs count what they pass on to a model.
const (
	Bytes     Unit = iota // of UTF-8
	Chars                 // UTF-16 code units, as JavaScript counts characters
	JSONChars             // the same, of the text as a JSON string
	JSONBytes             // of UTF-8, of the text as a JSON string
)

// Len is how long a valid UTF-8 text is for a reader who counts in this unit. It is never more than
// EscapedLen.
func (u Unit) Len(s string) int {
	switch u {
	case Chars:
		return len(s) - surplus(s)
	case JSONChars:
		return EscapedLen(s) - surplus(s)
	case JSONBytes:
		return EscapedLen(s)
	}
	return len(s)
}

// InJSON is the unit in which the same reader counts a text that is a JSON string.
func (u Unit) InJSON() Unit {
	if u == Bytes || u == JSONBytes {
		return JSONBytes
	}
	return JSONChars
}

// surplus is how many more bytes than UTF-16 code units a text has. It looks at eight bytes at a
// time: most texts are ASCII, and byte by byte takes 16 times as long (2026-11-29).
func surplus(s string) (n int) {
	const high = lowBits << 7
	for len(s) >= 8 {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if word&high != 0 {
			n += surplusOf(s[:8])
		}
		s = s[8:]
	}
	return n + surplusOf(s)
}

// surplusOf counts the bytes of characters after their first one, and once less for a character of
// four bytes, which has two code units.
func surplusOf(s string) (n int) {
	for i := range len(s) {
		if s[i]&0xc0 == 0x80 {
			n++
		}
		if s[i] >= 0xf0 {
			n--
		}
	}
	return n
}

// Fit is the length in bytes of the longest beginning of a valid UTF-8 text that has at most so
// many units and ends at the end of a character.
func (u Unit) Fit(s string, most int) int {
	if most >= EscapedLen(s) {
		return len(s)
	}
	for at, r := range s {
		if most -= u.Len(string(r)); most < 0 {
			return at
		}
	}
	return len(s)
}

// FitLines is the length in bytes and the number of the first lines of a text that together have at
// most so many units. Each of them ends at a line feed.
func (u Unit) FitLines(text []byte, most int) (size, count int) {
	for {
		n := lines.Length(text[size:])
		if n == 0 || text[size+n-1] != '\n' {
			return size, count
		}
		if most -= u.Len(viewed(text[size : size+n])); most < 0 {
			return size, count
		}
		size, count = size+n, count+1
	}
}

// viewed is a text as a string, without a copy of what may be long. Nobody writes to it meanwhile.
func viewed(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }
