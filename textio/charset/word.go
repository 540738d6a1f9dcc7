package charset

import (
	"unicode"
	"unicode/utf8"
)

// IsWord reports whether a character can be part of a word: a letter, mark, digit or underscore.
// U+FFFD, which package utf8 decodes from invalid bytes and from no bytes, can't.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// IsWholeWord reports whether no character of a word comes right before or after a part of a text,
// whatever the part itself is made of.
func IsWholeWord(text []byte, start, end int) bool {
	before, _ := utf8.DecodeLastRune(text[:start])
	after, _ := utf8.DecodeRune(text[end:])
	return !IsWord(before) && !IsWord(after)
}
