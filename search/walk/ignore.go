package walk

import (
	"bytes"
	"strings"

	"fsbox/wildcard"
)

// Rules are the compiled rules of one ignore file (.gitignore, .ignore, .git/info/exclude), as git
// reads it. A nil *Rules holds none.
type Rules struct {
	file string // path of the file
	text string
	list []rule

	// Indexes of the rules by a text that a name must have for the rule to match. They save time: a
	// walk asks about every name it meets, and a usual file has a hundred rules, of which none or
	// one matches.
	byName   ruleIndex // by the whole name; for a rule with a path, by its last component
	byEnding ruleIndex // by the name from its last dot on
	byFirst  ruleIndex // by its first byte
	byFinal  ruleIndex // by its last byte
	others   []int
	dots     int // a name has at least so many dots if a rule of others matches it
}

type rule struct {
	wildcard.Pattern
	negate  bool
	dirOnly bool
	line    int32 // in the file, from 1
}

// ParseIgnore compiles the text of an ignore file. It never fails: it skips a line that can match
// nothing.
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
	r.list = append(r.list, u)
	text, atStart, atEnd := u.Needs()
	dot := strings.LastIndexByte(text, '.')
	switch {
	case atStart && atEnd:
		r.byName.add(text, i)
	case atEnd && dot >= 0:
		r.byEnding.add(text[dot:], i)
	case atStart && text != "":
		r.byFirst.add(text[:1], i)
	case atEnd && text != "":
		r.byFinal.add(text[len(text)-1:], i)
	default:
		dots := strings.Count(text, ".")
		if len(r.others) > 0 {
			dots = min(dots, r.dots)
		}
		r.others, r.dots = append(r.others, i), dots
	}
}

// ruleIndex finds rules by a part of a name; a rule is its index in Rules.list, in ascending order.
// Most names have no rule, and for most of these the table has says so without a lookup in the map.
type ruleIndex struct {
	rules map[string][]int
	has   [256]bool // by quickHash of the keys
}

func (x *ruleIndex) add(key string, i int) {
	if x.rules == nil {
		x.rules = map[string][]int{}
	}
	x.rules[key] = append(x.rules[key], i)
	x.has[quickHash(key)] = true
}

// of gives the rules for a key, given with its quickHash.
func (x *ruleIndex) of(key string, hash byte) []int {
	if !x.has[hash] {
		return nil
	}
	return x.rules[key]
}

// ignoredName is a name to be compared with many rules, along with what is needed to pass over most
// of them without a full comparison.
type ignoredName struct {
	name, ending string // ending is the name from its last dot on
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

// quickHash is a hash for short texts, which mostly differ in their first or last bytes.
func quickHash(s string) byte {
	if s == "" {
		return 0
	}
	return byte(len(s))*31 + s[0]*7 + s[len(s)/2]*3 + s[len(s)-1]
}

// match gives the last rule that matches a path, nil if none does. rel is the path relative to the
// folder of the ignore file.
func (r *Rules) match(rel string, n *ignoredName) *rule {
	first, final, others := n.name[:1], n.name[len(n.name)-1:], r.others
	if n.dots < r.dots {
		others = nil
	}
	last := -1
	for _, some := range [...][]int{
		r.byName.of(n.name, n.hash), r.byEnding.of(n.ending, n.endingHash), r.byFirst.of(first, quickHash(first)),
		r.byFinal.of(final, quickHash(final)), others,
	} {
		if len(some) > 0 {
			last = r.last(last, some, rel, n)
		}
	}
	if last < 0 {
		return nil
	}
	return &r.list[last]
}

// last returns the index of the last rule among some that matches, if it comes after known, and
// else known: the last rule that is known to match, -1 for none.
func (r *Rules) last(known int, some []int, rel string, n *ignoredName) int {
	for at := len(some) - 1; at >= 0 && some[at] > known; at-- {
		if u := &r.list[some[at]]; (n.dir || !u.dirOnly) && u.Match(rel, n.name) {
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
