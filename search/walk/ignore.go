package walk

import (
	"bytes"
	"strings"

	"fsbox/wildcard"
)

// Rules are the compiled rules of one ignore file (.gitignore, .ignore, .git/info/exclude), as git
// reads it. A nil *Rules holds none.
type Rules struct {
	file string // its path
	text string
	list []rule

	// Which rules can match a name, as ascending indexes into list: a walk asks for every name it
	// meets, and a usual file has a hundred rules of which none or one fits.
	byName   map[string][]int // by the name, or the path's last name, that the rule asks for
	byEnding map[string][]int // by what a name must have from its last dot on
	others   []int

	names, endings [256]bool // by quickHash of the keys of byName and byEnding
}

type rule struct {
	wildcard.Pattern
	negate  bool
	dirOnly bool
	line    int32        // in the file, from 1
	needs   neighbourSet // the neighbours in every name that it can match
}

// ParseIgnore compiles the text of an ignore file. It never fails: a line that can match nothing is
// no rule.
func ParseIgnore(content []byte) *Rules {
	r := &Rules{text: string(bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")))}
	number := int32(0)
	for line := range strings.SplitSeq(r.text, "\n") {
		number++
		line = strings.TrimSuffix(line, "\r") // git drops the \r on the last line as well
		if rule, ok := parseRule(line); ok {
			rule.line = number
			r.add(rule)
		}
	}
	return r
}

func (r *Rules) add(u rule) {
	i := len(r.list)
	text, atStart, atEnd := u.Needs()
	u.needs = needed(text, atStart, atEnd)
	r.list = append(r.list, u)
	dot := strings.LastIndexByte(text, '.')
	switch {
	case atStart && atEnd:
		r.byName = filed(r.byName, text, i)
		r.names[quickHash(text)] = true
	case atEnd && dot >= 0:
		r.byEnding = filed(r.byEnding, text[dot:], i)
		r.endings[quickHash(text[dot:])] = true
	default:
		r.others = append(r.others, i)
	}
}

func filed(under map[string][]int, key string, i int) map[string][]int {
	if under == nil {
		under = map[string][]int{}
	}
	under[key] = append(under[key], i)
	return under
}

// needed are the pairs of neighbouring bytes in every name that contains text.
func needed(text string, atStart, atEnd bool) neighbourSet {
	pairs := neighboursOf(text)
	if n := len(text); n > 0 && atStart {
		pairs |= neighbours(0, text[0])
	}
	if n := len(text); n > 0 && atEnd {
		pairs |= neighbours(text[n-1], 0)
	}
	return pairs
}

// ignoredName is a name that is compared with many rules, with what makes most comparisons quick.
type ignoredName struct {
	name, ending string // from the last dot on
	has          neighbourSet
	dir          bool
}

func newIgnoredName(name string, dir bool) ignoredName {
	n := ignoredName{name: name, dir: dir}
	dot, last := len(name), byte(0)
	for i := range len(name) {
		c := name[i]
		n.has |= neighbours(last, c)
		if last = c; c == '.' {
			dot = i
		}
	}
	n.has |= neighbours(last, 0)
	n.ending = name[dot:]
	return n
}

// quickHash is a hash for short texts, which mostly differ in their first or last bytes.
func quickHash(s string) byte {
	if s == "" {
		return 0
	}
	return byte(len(s))*31 + s[0]*7 + s[len(s)/2]*3 + s[len(s)-1]
}

// neighbourSet is a small Bloom filter of the pairs of neighbouring bytes in a text. A name that
// contains the text has all of its pairs; other names rarely have. At both ends of a name a byte of
// 0 is counted as a neighbour.
type neighbourSet uint64

func neighbours(a, b byte) neighbourSet { return 1 << ((a*5 + b*3) & 63) }

func neighboursOf(s string) (p neighbourSet) {
	for i := 1; i < len(s); i++ {
		p |= neighbours(s[i-1], s[i])
	}
	return p
}

// match gives the last rule that matches a path, nil if none does. rel is the path relative to the
// folder of the ignore file.
func (r *Rules) match(rel string, n *ignoredName) *rule {
	last := -1
	if r.names[quickHash(n.name)] {
		last = r.last(last, r.byName[n.name], rel, n)
	}
	if n.ending != "" && r.endings[quickHash(n.ending)] {
		last = r.last(last, r.byEnding[n.ending], rel, n)
	}
	if last = r.last(last, r.others, rel, n); last < 0 {
		return nil
	}
	return &r.list[last]
}

// last returns the last of some rules that matches, if it comes after the one known to match, which
// is -1 for none.
func (r *Rules) last(known int, some []int, rel string, n *ignoredName) int {
	for at := len(some) - 1; at >= 0 && some[at] > known; at-- {
		u := &r.list[some[at]]
		if u.needs&^n.has == 0 && (n.dir || !u.dirOnly) && u.Match(rel, n.name) {
			return some[at]
		}
	}
	return known
}

// parseRule parses one line; ok is false for a comment, a blank line and a pattern that matches
// nothing.
func parseRule(line string) (u rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	line, _, _ = strings.Cut(line, "\x00") // to git a NUL ends the line
	line = trimBlanks(line)
	line, u.negate = strings.CutPrefix(line, "!")
	line, u.dirOnly = strings.CutSuffix(line, "/")
	if line == "" {
		return rule{}, false
	}
	u.Pattern, ok = wildcard.CompileIgnore(line)
	return u, ok
}

// trimBlanks cuts the spaces at the end of a line, but not one after a backslash. Tabs stay.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return line[:min(end, len(line))]
}
