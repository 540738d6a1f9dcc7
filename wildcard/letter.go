package wildcard

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Why nobody could tell what a pattern keeps out.
var (
	ErrExclusion = errors.New(`"!" comes once, at the beginning, without a blank beside it; a name that begins with it or with a blank has a backslash there`)
	ErrBlank     = errors.New("remove the blank at its start or end, or escape it with a backslash if it is part of a name")
	ErrQuotes    = errors.New("remove the quotes around it, or escape a quote with a backslash if it is part of a name")
	ErrCall      = errors.New("it is a rule of another program: the pattern is what is in its parentheses")
	ErrList      = errors.New("it is a JSON list: give each pattern separately")
)

// CutExclusion removes the "!" in front of a pattern of a list.
func CutExclusion(pattern string) (glob string, excludes bool, err error) {
	glob, excludes = strings.CutPrefix(pattern, "!")
	trimmed := strings.TrimLeftFunc(glob, unicode.IsSpace)
	if strings.HasPrefix(trimmed, "!") || excludes && trimmed != glob {
		return "", false, ErrExclusion
	}
	if excludes {
		err = CheckEnds(glob)
	}
	return glob, excludes, err
}

// CheckEnds finds what is hardly ever part of a name, at the ends of a pattern that has to match
// what is meant: blanks and quotes without a backslash, the brackets of a list, and the tool in
// front of a rule for Claude Code.
func CheckEnds(pattern string) error {
	trimmed := strings.TrimRightFunc(pattern, unicode.IsSpace)
	slashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	blanks := utf8.RuneCountInString(pattern[len(trimmed):])
	switch last := len(pattern) - 1; {
	case blanks > slashes%2, strings.TrimLeftFunc(trimmed, unicode.IsSpace) != trimmed:
		return ErrBlank
	case strings.HasPrefix(pattern, `["`) && strings.HasSuffix(pattern, `"]`):
		return ErrList
	case last > 0 && strings.IndexByte("\"'`", pattern[0]) >= 0 && pattern[last] == pattern[0]:
		return ErrQuotes
	case strings.HasSuffix(pattern, ")"):
		name, _, _ := strings.Cut(pattern, "(")
		if slices.Contains([]string{"Read", "Edit", "Write", "MultiEdit", "Glob", "Grep"}, name) {
			return ErrCall
		}
	}
	return nil
}

// mostGroups limits how many groups of a pattern are read in both ways each: 2^6 patterns.
const mostGroups = 6

// ExpandClosing gives the alternatives of a pattern that keeps something out. Names such as "[id]"
// and "{slug}" are real, and nobody can tell from "app/[id]/**" whether the name or its characters
// are meant: each class, each pair of braces and each backslash is read both as a sign and to the
// letter. A name may have "*" and "?", too, but these match themselves. What other programs read in
// it counts as well: see Dialect. A pattern with more than
// mostGroups is read as a whole in either way, with its braces as signs and all else to the letter,
// and component by component: see byComponent.
func (b *Budget) ExpandClosing(pattern string) ([]string, error) {
	all, err := b.expandClosing(pattern)
	if same, ok := Dialect(pattern); ok && err == nil {
		others, err := b.expandClosing(same)
		return append(all, others...), err
	}
	return all, err
}

func (b *Budget) expandClosing(pattern string) ([]string, error) {
	groups := countGroups(pattern)
	if groups == 0 {
		return b.Expand(pattern)
	}
	if groups <= mostGroups {
		tried := *b
		if all, err := tried.expandAs(pattern, []string{bothReadings(pattern)}, false); err == nil {
			*b = tried
			return all, nil
		}
	}
	whole := []string{QuoteSigns(pattern, `[]{},\`), pattern, QuoteSigns(pattern, `[]\`)}
	tried := *b
	if all, err := tried.expandAs(pattern, append(whole, byComponent(pattern)...), false); err == nil {
		*b = tried
		return all, nil
	}
	return b.expandAs(pattern, whole, false)
}

// byComponent gives the readings of a pattern with many groups in which its components up to one
// are names and the others have signs, or the other way round, and those in which one alone is.
func byComponent(p string) (readings []string) {
	var ends []int // of components, outside of braces
	depth := 0
	for i, sign := range signs(p) {
		switch {
		case sign == '{':
			depth++
		case sign == '}':
			depth--
		case sign == '/' && depth == 0:
			ends = append(ends, i)
		}
	}
	name := func(s string) string { return QuoteSigns(s, `[]{},\`) }
	start := 0
	for _, end := range append(ends, len(p)) {
		readings = append(readings, name(p[:end])+p[end:], p[:end]+name(p[end:]), name(p[:start])+p[start:end]+name(p[end:]),
			p[:start]+name(p[start:end])+p[end:])
		start = end
	}
	return readings
}

// ExpandExact gives the alternatives of a pattern that opens something: what its signs match, and
// the one path that it names to the letter. A "**/" in front and a "/**" at the end are signs. An
// alternative in braces that leaves a component empty opens nothing.
func (b *Budget) ExpandExact(pattern string) ([]string, error) {
	if countGroups(pattern) == 0 {
		return b.Expand(pattern)
	}
	rest, deep := cutDeep(pattern)
	front := ""
	if name, ok := strings.CutPrefix(rest, "**/"); ok {
		front, rest = "**/", name
	}
	literal := front + Quote(rest)
	if deep {
		literal += "/**"
	}
	return b.expandAs(pattern, []string{pattern, literal}, true)
}

// expandAs gives the alternatives of a valid pattern that is read in several ways.
func (b *Budget) expandAs(pattern string, readings []string, opens bool) ([]string, error) {
	if err := check(pattern); err != nil {
		return nil, err
	}
	var all []string
	for i, reading := range readings {
		if slices.Contains(readings[:i], reading) {
			continue
		}
		spelled, err := b.expandValid(reading, opens)
		if err != nil {
			return nil, err
		}
		for _, p := range spelled {
			if !slices.Contains(all[max(0, len(all)-few):], p) {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

// few is how many of the last alternatives are compared, so that a reading that changes nothing
// isn't matched twice.
const few = 4

// countGroups counts what bothReadings doubles.
func countGroups(p string) (n int) {
	for _, sign := range signs(p) {
		if strings.IndexByte(`\[{`, sign) >= 0 {
			n++
		}
	}
	return n
}

// bothReadings writes each group of a pattern as braces that have both its readings. It calls
// itself for what is in braces, at most mostGroups deep.
func bothReadings(p string) string {
	var out strings.Builder
	for i := 0; i < len(p); {
		end := i + 1
		sign := ""
		switch p[i] {
		case '\\':
			_, size := utf8.DecodeRuneInString(p[min(end, len(p)):])
			end += size
			sign = p[i:end]
		case '[':
			end = classEnd(p, i) + 1
			sign = p[i:end]
		case '{':
			_, bounds := braces(p[i:])
			if bounds != nil {
				end = i + bounds[len(bounds)-1] + 1
				sign = bracesOf(p[i:end], bounds)
			}
		}
		if sign == "" {
			out.WriteByte(p[i])
		} else {
			out.WriteString("{" + sign + "," + QuoteSigns(p[i:end], `[]{},\`) + "}")
		}
		i = end
	}
	return out.String()
}

// bracesOf writes braces with all readings of their alternatives.
func bracesOf(p string, bounds []int) string {
	parts := make([]string, len(bounds)-1)
	for i := range parts {
		parts[i] = bothReadings(p[bounds[i]+1 : bounds[i+1]])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// Quote escapes all characters of a text that have a meaning in a pattern.
func Quote(text string) string { return QuoteSigns(text, `[]{},\*?`) }

// QuoteSigns escapes some of them.
func QuoteSigns(text, signs string) string {
	var out strings.Builder
	out.Grow(len(text))
	for i := range len(text) {
		if strings.IndexByte(signs, text[i]) >= 0 {
			out.WriteByte('\\')
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
