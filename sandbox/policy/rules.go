package policy

import (
	"errors"
	"strings"

	"fsbox/wildcard"
)

// rule is one pattern.
type rule struct {
	text     string             // as the operator wrote it
	patterns []wildcard.Pattern // its alternatives, starting at the root
	deep     bool               // it ends in "/**": it matches a folder together with everything in it
	allow    bool
}

func (r *rule) add(glob string) { r.patterns = append(r.patterns, wildcard.CompilePath(glob)) }

// matches reports whether one of the patterns matches path, whose last component is name.
func matches(patterns []wildcard.Pattern, path, name string) bool {
	for i := range patterns {
		if patterns[i].Match(path, name) {
			return true
		}
	}
	return false
}

// ruleList is an ordered list of patterns, with a quick test before the full match: nearly no name
// fits any of them.
type ruleList struct {
	rules    []rule
	reopened bool      // an allowing pattern comes after a deep one: the contents of an allowed folder may be denied
	deep     bool      // a deep pattern denies
	opens    bool      // a deep pattern allows
	endings  quickTest // for the last components of patterns
}

var (
	errPatternEmpty = errors.New("it names nothing")
	errPatternNever = errors.New(`no path has an empty component, "." or ".."`)
)

// add compiles a pattern. What it denies it denies in every way in which it can be read, and what
// it allows, or with exact whatever it matches, only in the ways in which it is written.
func (l *ruleList) add(text string, fold func(string) string, exact bool, budget *wildcard.Budget) error {
	glob, allow, err := wildcard.CutExclusion(text)
	if err == nil && strings.TrimSpace(glob) == "" {
		err = errPatternEmpty
	}
	if err != nil {
		return &PatternError{Pattern: text, Err: err}
	}
	expand := budget.ExpandClosing
	if allow || exact {
		expand = budget.ExpandExact
	}
	alternatives, err := expand(fold(glob))
	if err != nil {
		return &PatternError{Pattern: text, Err: err}
	}
	shallow, deep := rule{text: text, allow: allow}, rule{text: text, allow: allow, deep: true}
	rooted := strings.Contains(strings.TrimSuffix(glob, "/"), "/")
	folder := strings.HasSuffix(glob, "/")
	for _, glob := range alternatives {
		if allow && !folder && strings.HasSuffix(glob, "/") {
			continue // "secrets/{public,}": no path ends in a slash, and the pattern doesn't open the whole folder
		}
		if glob = fromRoot(glob, rooted); glob == "" {
			continue
		}
		if !l.addAlternative(glob, &shallow, &deep) {
			return &PatternError{Pattern: text, Err: errPatternNever}
		}
	}
	if len(shallow.patterns)+len(deep.patterns) == 0 {
		return &PatternError{Pattern: text, Err: errPatternEmpty}
	}
	l.include(shallow)
	l.include(deep)
	return nil
}

// addAlternative adds one alternative of a pattern to the rule that it belongs to; false if no path
// can match it.
func (l *ruleList) addAlternative(glob string, shallow, deep *rule) bool {
	into := shallow
	for strings.HasSuffix(glob, "/**") {
		into, glob = deep, strings.TrimSuffix(glob, "/**")
	}
	if !canMatch(glob) {
		return false
	}
	into.add(glob)
	if !into.allow {
		l.addEnding(glob)
	}
	return true
}

// fromRoot rewrites a pattern to start at the root; "" for one that names nothing.
func fromRoot(glob string, rooted bool) string {
	glob = strings.TrimSuffix(glob, "/")
	for _, front := range [...]string{"./", "/"} {
		if rest, ok := strings.CutPrefix(glob, front); ok {
			return rest
		}
	}
	if rooted || glob == "" {
		return glob
	}
	return "**/" + glob
}

// canMatch is false for a pattern with a component that no path has: it would protect nothing
// without telling anybody.
func canMatch(glob string) bool {
	for _, name := range wildcard.Components(glob) {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}

func (l *ruleList) include(r rule) {
	if len(r.patterns) == 0 {
		return
	}
	l.rules = append(l.rules, r)
	if r.allow {
		l.opens = l.opens || r.deep
		l.reopened = l.reopened || l.deep && !r.deep // a deep one opens the contents as well
		return
	}
	l.deep = l.deep || r.deep
}

// addEnding adds the last component of a pattern.
func (l *ruleList) addEnding(glob string) {
	names := wildcard.Components(glob)
	l.endings.add(wildcard.CompileName(names[len(names)-1]))
}

// mayMatch is the quick test for a name, in any case, in a folder that is allowed: false means that
// no pattern denies it.
func (l *ruleList) mayMatch(name string) bool { return l.reopened || l.endings.passes(name) }

// match finds the pattern that denies path. It goes down from the root. For each folder the last
// pattern that matches it decides: if it denies, everything below is denied until a later pattern
// allows it; if it allows, everything below is allowed until some pattern denies it.
func (l *ruleList) match(path string) (pattern string, hit bool) {
	if path == "." || !l.anyMayEnd(path) {
		return "", false
	}
	by := -1                              // the rule that denies the current folder
	entered := make([]bool, len(l.rules)) // deep rules that matched a folder above
	for start := 0; start <= len(path); {
		name, _, _ := strings.Cut(path[start:], "/")
		end := start + len(name)
		start = end + 1
		if by < 0 && !l.opens && !l.mayMatch(name) {
			continue // no pattern decides here; this keeps long paths fast
		}
		switch last := l.lastFor(path[:end], name, entered); {
		case last < 0:
		case !l.rules[last].allow:
			by = max(by, last)
		case last > by:
			by = -1
		}
	}
	if by < 0 {
		return "", false
	}
	return l.rules[by].text, true
}

// lastFor gives the last rule that matches path itself, whose last component is name; -1 for none.
func (l *ruleList) lastFor(path, name string, entered []bool) int {
	last := -1
	for i := range l.rules {
		r := &l.rules[i]
		if entered[i] || matches(r.patterns, path, name) {
			last, entered[i] = i, r.deep
		}
	}
	return last
}

// anyMayEnd is the quick test for a path: no pattern can deny it unless a pattern may end in one of
// its components.
func (l *ruleList) anyMayEnd(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if l.endings.passes(name) {
			return true
		}
	}
	return false
}
