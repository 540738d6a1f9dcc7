package textio

import (
	"bytes"
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"

	"fsbox/textio/charset"
)

// AppendQuoted writes text as a JSON string. Each byte that isn't UTF-8, which only file names
// and messages about them can hold, becomes U+FFFD.
func AppendQuoted(b []byte, s string) []byte {
	return append(AppendEscaped(append(b, '"'), s), '"')
}

// AppendList writes texts as a JSON array.
func AppendList(b []byte, texts []string) []byte {
	b = append(b, '[')
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendQuoted(b, text)
	}
	return append(b, ']')
}

// AppendEscaped is AppendQuoted without the quotes.
func AppendEscaped(b []byte, s string) []byte {
	for {
		n := plainLen(s)
		b = append(b, s[:n]...)
		if n == len(s) {
			return b
		}
		c := s[n]
		if c >= utf8.RuneSelf {
			b, s = appendRune(b, s[n:])
			continue
		}
		const hex = "0123456789abcdef"
		if c == '\n' { // by far the most frequent
			b = append(b, '\\', 'n')
		} else if at := strings.IndexByte(escaped, c); at >= 0 {
			b = append(b, '\\', escapes[at])
		} else {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		s = s[n+1:]
	}
}

// EscapedLen is how many bytes AppendEscaped appends.
func EscapedLen(s string) int {
	var one [utf8.UTFMax]byte
	for size := 0; ; {
		n := plainLen(s)
		if size += n; n == len(s) {
			return size
		}
		switch c := s[n]; {
		case c >= utf8.RuneSelf:
			var b []byte
			b, s = appendRune(one[:0], s[n:])
			size += len(b)
			continue
		case strings.IndexByte(escaped, c) >= 0:
			size += len(`\n`)
		default:
			size += len(`\u0000`)
		}
		s = s[n+1:]
	}
}

// appendRune appends the first character of s and returns the rest of s.
func appendRune(b []byte, s string) (_ []byte, rest string) {
	r, size := utf8.DecodeRuneInString(s)
	return utf8.AppendRune(b, r), s[size:]
}

// Characters that JSON writes as a backslash and a letter, and these letters in the same order.
const (
	escaped = "\n\t\"\\\r\b\f/"
	escapes = `nt"\rbf/`
)

// plainLen is the length of the beginning of a text that JSON writes unchanged: ASCII without
// control characters, quotes and backslashes. It looks at eight bytes at a time: 27 ns for a line
// of 60 bytes, against 43 byte by byte (2026-11-29).
func plainLen(s string) int {
	at := 0
	for ; at+8 <= len(s); at += 8 {
		word := uint64(s[at]) | uint64(s[at+1])<<8 | uint64(s[at+2])<<16 | uint64(s[at+3])<<24 |
			uint64(s[at+4])<<32 | uint64(s[at+5])<<40 | uint64(s[at+6])<<48 | uint64(s[at+7])<<56
		if found := special(word); found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	const blanks = lowBits * ' '
	for at < len(s) && special(blanks&^0xff|uint64(s[at])) == 0 {
		at++
	}
	return at
}

// lowBits has the lowest bit of each of its bytes set.
const lowBits = 0x0101010101010101

// special is 0 if all bytes of word are written unchanged. Otherwise its lowest set bit is the high
// bit of the first byte that isn't.
func special(word uint64) uint64 {
	const high = lowBits << 7
	quote, backslash := word^lowBits*'"', word^lowBits*'\\'
	return (word | (word - lowBits*' ') | (quote - lowBits) | (backslash - lowBits)) & high
}

// Unescape returns the text of a valid JSON string that is given without its quotes; false if it
// has an escape by number (\uXXXX). The text between two backslashes is copied in one piece: byte
// by byte takes six times as long (2026-11-29).
func Unescape(quoted []byte) (string, bool) {
	var text strings.Builder
	text.Grow(len(quoted))
	for {
		n := bytes.IndexByte(quoted, '\\')
		if n < 0 {
			text.Write(quoted)
			return text.String(), true
		}
		at := strings.IndexByte(escapes, quoted[n+1])
		if at < 0 {
			return "", false
		}
		text.Write(quoted[:n])
		text.WriteByte(escaped[at])
		quoted = quoted[n+2:]
	}
}

// Parts cuts a text into parts of at most most bytes, which is four or more. No part ends within a
// character.
func Parts(text string, most int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > most {
			last := most - utf8.UTFMax
			end := last + charset.WholeRunes([]byte(text[last:most]))
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
		if text != "" {
			yield(text)
		}
	}
}
