package regex

import (
	"iter"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// regexp/syntax keeps no positions. The scanner here cuts a pattern into its smallest pieces, so
// that an error can point at one and a line end asked for by name can be told from one that a class
// happens to hold.

// token is one piece of a regular expression: a character, an escape, a bracket.
type token struct {
	start, end int  // bytes
	char       rune // the character it stands for, -1 if it is an operator or a class
	class      bool // inside [...]
	negated    bool // inside [^...]
}

// tokens cuts a pattern into pieces. It cuts a malformed pattern somehow, and always ends.
func tokens(pattern string) iter.Seq[token] {
	return func(yield func(token) bool) {
		s := tokenizer{pattern: pattern}
		for s.at < len(pattern) {
			if t, ok := s.next(); ok && !yield(t) {
				return
			}
		}
	}
}

type tokenizer struct {
	pattern        string
	at             int
	quoted         bool // between \Q and \E
	class, negated bool
	first          bool // right after [ or [^, where ] means itself
}

func (s *tokenizer) next() (token, bool) {
	rest := s.pattern[s.at:]
	t := token{start: s.at, char: -1, class: s.class, negated: s.negated}
	wasFirst := s.first
	s.first = false
	ok := true
	switch {
	case s.quoted && strings.HasPrefix(rest, `\E`), !s.quoted && !s.class && strings.HasPrefix(rest, `\Q`):
		s.quoted = !s.quoted
		s.at += 2
		ok = false
	case rest[0] == '\\' && !s.quoted:
		var size int
		t.char, size = escape(rest)
		s.at += size
	case s.class && strings.HasPrefix(rest, "[:") && strings.Contains(rest, ":]"):
		s.at += strings.Index(rest, ":]") + len(":]")
	case s.class && rest[0] == ']' && !wasFirst:
		s.class, s.negated = false, false
		s.at++
	case !s.class && !s.quoted && rest[0] == '[':
		s.openClass(rest)
	default:
		r, size := utf8.DecodeRuneInString(rest)
		if s.quoted || s.class || !strings.ContainsRune(`.*+?()|{}^$`, r) {
			t.char = r
		}
		s.at += size
	}
	t.end = s.at
	return t, ok
}

func (s *tokenizer) openClass(rest string) {
	s.class, s.first = true, true
	s.negated = strings.HasPrefix(rest, "[^")
	s.at++
	if s.negated {
		s.at++
	}
}

// escape reads the escape that s begins with: the character it stands for, or -1, and its length in
// bytes.
func escape(s string) (char rune, size int) {
	if len(s) == 1 {
		return -1, 1
	}
	switch c := s[1]; {
	case c == 'x':
		return hexEscape(s)
	case '0' <= c && c <= '7':
		return octalEscape(s)
	case strings.IndexByte("nrt", c) >= 0:
		return rune("\n\r\t"[strings.IndexByte("nrt", c)]), 2
	case (c == 'p' || c == 'P') && strings.HasPrefix(s[2:], "{"):
		if end := strings.IndexByte(s, '}'); end > 0 {
			return -1, end + 1
		}
		return -1, len(s)
	}
	r, n := utf8.DecodeRuneInString(s[1:])
	if strings.ContainsRune(`\.+*?()|[]{}^$-`, r) {
		return r, 1 + n
	}
	return -1, 1 + n
}

func hexEscape(s string) (rune, int) {
	digits, size := s[2:min(4, len(s))], min(4, len(s))
	if strings.HasPrefix(s[2:], "{") {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return -1, 2
		}
		digits, size = s[3:end], end+1
	}
	n, err := strconv.ParseUint(digits, 16, 31)
	if err != nil {
		return -1, 2
	}
	return rune(n), size
}

func octalEscape(s string) (rune, int) {
	size := 1
	for size < len(s) && size < 4 && '0' <= s[size] && s[size] <= '7' {
		size++
	}
	n, _ := strconv.ParseUint(s[1:size], 8, 31)
	return rune(n), size
}

// mentions reports whether the pattern asks for the character by name: as itself or as an escape,
// but not in a class that excludes it.
func mentions(pattern string, char rune) bool {
	for t := range tokens(pattern) {
		if t.char == char && !t.negated {
			return true
		}
	}
	return false
}

// locate finds the piece of the pattern that a parse error complains about, as a byte offset, or
// -1.
func locate(pattern string, err *syntax.Error) int {
	switch err.Code {
	case syntax.ErrTrailingBackslash:
		return len(pattern) - 1
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return unpaired(pattern)
	case syntax.ErrLarge, syntax.ErrNestingDepth, syntax.ErrInvalidUTF8, syntax.ErrInvalidRepeatSize:
		return -1
	}
	for t := range tokens(pattern) {
		if strings.HasPrefix(pattern[t.start:], err.Expr) {
			return t.start
		}
	}
	return -1
}

// unpaired finds the parenthesis that has no partner.
func unpaired(pattern string) int {
	var open []int
	for t := range tokens(pattern) {
		if t.char >= 0 || t.class {
			continue
		}
		switch pattern[t.start:t.end] {
		case "(":
			open = append(open, t.start)
		case ")":
			if len(open) == 0 {
				return t.start
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}
