package wildcard

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// CompileAnyCase compiles a pattern that Expand gave, to be compared with whole paths, as it is
// written: its texts match in any case, and its classes the characters of a name. With anySet a
// class that isn't negated also matches a character if it has the same one in another case.
func CompileAnyCase(pattern string, anySet bool) Pattern {
	p := Pattern{Kind: PathWild}
	if name, ok := inEveryFolder(pattern); ok {
		p.Kind, pattern = NameWild, name
	}
	folder, deep := cutDeep(pattern)
	w, ok := parse(folder, globs)
	if !ok {
		return Pattern{}
	}
	if deep && folder != "**" {
		w.ops = append(w.ops, wildOp{kind: wildBelow})
	}
	w.anyCase, w.anySet = true, anySet
	p.wild = w
	return p
}

// foldedPrefix gives the length of the beginning of s that is text in any case, -1 if there is
// none.
func foldedPrefix(s, text string) int {
	if len(s) >= len(text) && s[:len(text)] == text {
		return len(text)
	}
	rest := s
	for _, want := range text {
		c, size := utf8.DecodeRuneInString(rest)
		if size == 0 || c != want && !strings.EqualFold(string(c), string(want)) {
			return -1
		}
		rest = rest[size:]
	}
	return len(s) - len(rest)
}

// has reports whether a character is in the set.
func (set *charSet) has(c rune) bool {
	for i := 0; i < len(set.ranges); i += 2 {
		if set.ranges[i] <= c && c <= set.ranges[i+1] {
			return !set.negated
		}
	}
	return set.negated
}

// hasInAnyCase reports whether a character is in the set in one of its cases.
func (set *charSet) hasInAnyCase(c rune) bool {
	for next := unicode.SimpleFold(c); next != c && !set.negated; next = unicode.SimpleFold(next) {
		if set.has(next) {
			return true
		}
	}
	return set.has(c)
}
