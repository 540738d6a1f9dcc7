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
	byFirst  []int            // those for names that begin with one byte, which is in first
	byFinal  []int            // those for names that end with one byte, which is in final
	others   []int
	dots     int // a name that others match has at least so many dots

	names, endings [256]bool // by quickHash of the keys of byName and byEnding
	first, final   [256]bool
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
	case atStart && text != "":
		r.byFirst = append(r.byFirst, i)
		r.first[text[0]] = true
	case atEnd && text != "":
		r.byFinal = append(r.byFinal, i)
		r.final[text[len(text)-1]] = true
	default:
		dots := strings.Count(text, ".")
		if len(r.others) > 0 {
			dots = min(dots, r.dots)
		}
		r.others, r.dots = append(r.others, i), dots
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

// ignoredName is a name to be compared with many rules, along with what is needed to pass over most
// of them without a full comparison.
type ignoredName struct {
	name, ending string       // ending is the name from its last dot on
	has          neighbourSet // 0 as long as no rule asks for it: most names need none
	dots         int
	hash         byte // quickHash of name
	endingHash   byte // and of ending
	dir          bool
}

func newIgnoredName(name string, dir bool) ignoredName {
	n := ignoredName{name: name, dir: dir, hash: quickHash(name), dots: strings.Count(name, ".")}
	if n.dots > 0 {
		n.ending = name[strings.LastIndexByte(name, '.'):]
		n.endingHash = quickHash(n.ending)
	}
	return n
}

// neighbours gives the pairs of neighbouring bytes in the name. At both ends a byte of 0 is counted
// as a neighbour.
func (n *ignoredName) neighbours() neighbourSet {
	if n.has == 0 {
		n.has = neighboursOf(n.name) | neighbours(0, n.name[0]) | neighbours(n.name[len(n.name)-1], 0)
	}
	return n.has
}

// quickHash is a hash for short texts, which mostly differ in their first or last bytes.
func quickHash(s string) byte {
	if s == "" {
		return 0
	}
	return byte(len(s))*31 + s[0]*7 + s[len(s)/2]*3 + s[len(s)-1]
}

// neighbourSet is a small Bloom filter of the pairs of neighbouring bytes in a text. A name that
// contains the text has all of its pairs; other names rarely have.
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
	if r.names[n.hash] {
		last = r.last(last, r.byName[n.name], rel, n)
	}
	if n.dots > 0 && r.endings[n.endingHash] {
		last = r.last(last, r.byEnding[n.ending], rel, n)
	}
	if r.first[n.name[0]] {
		last = r.last(last, r.byFirst, rel, n)
	}
	if r.final[n.name[len(n.name)-1]] {
		last = r.last(last, r.byFinal, rel, n)
	}
	if n.dots >= r.dots {
		last = r.last(last, r.others, rel, n)
	}
	if last < 0 {
		return nil
	}
	return &r.list[last]
}

// fewRules are compared with a name at once: that takes no longer than to collect its neighbours.
const fewRules = 8

// last returns the last of some rules that matches, if it comes after the one known to match, which
// is -1 for none.
func (r *Rules) last(known int, some []int, rel string, n *ignoredName) int {
	many := len(some) > fewRules
	for at := len(some) - 1; at >= 0 && some[at] > known; at-- {
		u := &r.list[some[at]]
		if (n.dir || !u.dirOnly) && (!many || u.needs&^n.neighbours() == 0) && u.Match(rel, n.name) {
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
