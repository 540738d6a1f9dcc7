package wildcard

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// language is what a pattern is written in.
type language uint8

const (
	// globs are what Expand gives:
	//
	//	?        one character except a slash
	//	*        any characters except a slash
	//	**       as a whole component: any bytes; "**/" also nothing at all
	//	[a-z]    one character of a set; [!…] and [^…] negate; never a slash
	//	\x       the character x
	globs language = iota

	// ignoreLines have bytes in place of characters, so that "?" does not match a two-byte one, and
	// named classes, such as [[:alpha:]]. Braces are literal in both languages.
	ignoreLines
)

// wild is a pattern that needs more than a comparison of strings.
type wild struct {
	lang language
	ops  []wildOp
	must string // the longest text among the ops: every match contains it

	anyCase, anySet bool     // the texts, and the sets, match characters in any case
	by              Spelling // of CompileSpelled
}

type wildKind uint8

const (
	wildText  wildKind = iota // these bytes
	wildSet                   // one of these characters: ? or […]
	wildStar                  // *
	wildDirs                  // **/ : nothing, or anything that ends in a slash
	wildRest                  // ** before an escaped slash or at the end: anything
	wildBelow                 // "/**" at the end of a glob: nothing, or anything that begins with a slash
)

type wildOp struct {
	kind wildKind
	text string  // wildText
	set  charSet // wildSet

	folded []rune // the text, in a pattern of CompileSpelled
}

// charSet is a set of characters: those of the ranges, each given by its bounds, or all others.
type charSet struct {
	ranges  []rune
	negated bool
}

// parse reads a pattern. ok is false if it can match nothing: it has an unclosed or unknown class,
// or a trailing backslash.
func parse(p string, lang language) (w *wild, ok bool) {
	w = &wild{lang: lang}
	var text []byte
	for i := 0; i >= 0; {
		if i < len(p) && strings.IndexByte("*?[", p[i]) < 0 && !w.isUnknown(p[i:]) {
			_, next := w.char(p, i)
			if next < 0 {
				return nil, false
			}
			text, i = append(text, strings.TrimPrefix(p[i:next], `\`)...), next
			continue
		}
		if len(text) > 0 {
			w.ops = append(w.ops, wildOp{kind: wildText, text: string(text)})
			if len(text) > len(w.must) {
				w.must = string(text)
			}
			text = text[:0]
		}
		if i == len(p) {
			return w, true
		}
		i = w.addWild(p, i)
	}
	return nil, false
}

// isUnknown reports whether a glob continues with U+FFFD, as which answers show a byte that is no
// character: it matches any such byte.
func (w *wild) isUnknown(p string) bool { return w.lang == globs && strings.HasPrefix(p, "\uFFFD") }

// addWild adds the wildcard at p[i] and returns the index after it, -1 if it is an invalid class.
func (w *wild) addWild(p string, i int) int {
	op, next := wildOp{kind: wildSet}, i+1
	switch p[i] {
	case '*':
		return w.addStars(p, i)
	case '?':
		op.set.negated = true
	case '[':
		op.set, next = w.class(p, i+1)
	default:
		op.set.ranges, next = []rune{utf8.RuneError, utf8.RuneError}, i+len("\uFFFD")
	}
	w.ops = append(w.ops, op)
	return next
}

// addStars adds the run of stars that begins at p[i] and returns the index where the pattern goes
// on. Two stars, in ignore files also more, mean "**" only if they are a whole component; else they
// mean "*".
func (w *wild) addStars(p string, i int) int {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	whole := (end-i == 2 || end-i > 2 && w.lang == ignoreLines) && (i == 0 || p[i-1] == '/')
	switch rest := p[end:]; {
	case whole && strings.HasPrefix(rest, "/"):
		w.ops = append(w.ops, wildOp{kind: wildDirs})
		return end + 1
	case whole && (rest == "" || strings.HasPrefix(rest, `\/`)):
		w.ops = append(w.ops, wildOp{kind: wildRest})
	default:
		w.ops = append(w.ops, wildOp{kind: wildStar})
	}
	return end
}

// first gives the character, or the byte, that a text begins with, and its length.
func (w *wild) first(text string) (c rune, size int) {
	if w.lang == ignoreLines {
		return rune(text[0]), 1
	}
	return utf8.DecodeRuneInString(text)
}

// char returns the character at p[i], or the one escaped there, and the index after it, -1 if the
// pattern ends in a backslash.
func (w *wild) char(p string, i int) (c rune, next int) {
	if p[i] == '\\' {
		i++
	}
	if i == len(p) {
		return 0, -1
	}
	c, size := w.first(p[i:])
	return c, i + size
}

// class parses the class whose first byte after the bracket is p[i] and returns the index after it,
// -1 if it is invalid. A "]" right at the start is literal.
func (w *wild) class(p string, i int) (s charSet, next int) {
	s.negated = i < len(p) && (p[i] == '!' || p[i] == '^')
	if s.negated {
		i++
	}
	low := rune(-1) // what a range begins with if "-" follows, -1 for nothing
	for first := true; i < len(p) && (first || p[i] != ']'); first = false {
		if low, i = w.addItem(&s, p, i, low); i < 0 {
			return s, -1
		}
	}
	if i >= len(p) {
		return s, -1
	}
	return s, i + 1
}

// addItem adds the class item at p[i], and returns the character that a range may begin with (-1 =
// none) and the index after the item, -1 if the class is broken.
func (w *wild) addItem(s *charSet, p string, i int, low rune) (newLow rune, next int) {
	switch {
	case p[i] == '-' && low >= 0 && i+1 < len(p) && p[i+1] != ']':
		high, next := w.char(p, i+1)
		s.ranges = append(s.ranges, low, high)
		return -1, next
	case w.lang == ignoreLines && strings.HasPrefix(p[i:], "[:"):
		if name, next, ok := posixName(p, i+2); ok {
			at := slices.IndexFunc(posixClasses[:], func(c posixClass) bool { return c.name == name })
			if at < 0 {
				return -1, -1
			}
			s.ranges = append(s.ranges, []rune(posixClasses[at].ranges)...)
			return -1, next
		}
	}
	c, next := w.char(p, i)
	s.ranges = append(s.ranges, c, c)
	return c, next
}

// posixName reads the name of a class at p[i], such as "alpha:]" of "[:alpha:]". ok is false if
// there is no ":" right before the next "]".
func posixName(p string, i int) (name string, next int, ok bool) {
	end := strings.IndexByte(p[i:], ']')
	if end < 1 || p[i+end-1] != ':' {
		return "", 0, false
	}
	return p[i : i+end-1], i + end + 1, true
}

type posixClass struct{ name, ranges string }

// posixClasses are the named classes, ASCII only. ranges has the first and the last byte of each
// range. In git, "space" doesn't include \v and \f.
var posixClasses = [...]posixClass{
	{"alnum", "09AZaz"}, {"alpha", "AZaz"}, {"blank", "  \t\t"}, {"cntrl", "\x00\x1f\x7f\x7f"}, {"digit", "09"}, {"graph", "!~"},
	{"lower", "az"},
	{"print", " ~"}, {"punct", "!/:@[`{~"}, {"space", "\t\n\r\r  "}, {"upper", "AZ"}, {"xdigit", "09afAF"},
}
