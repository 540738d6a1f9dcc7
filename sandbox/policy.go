package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// DefaultDeny names what an agent has no business reading: keys, credentials, and .git/config, which may hold both.
func DefaultDeny() []string {
	return []string{
		"**/.env", "**/.env.*", "!**/.env.{example,sample,template}",
		"**/credentials", "**/credentials.json", "**/.git/config", "**/id_{rsa,dsa,ecdsa,ed25519}",
		"**/.ssh/**", "**/.aws/**", "**/.gnupg/**", "**/.netrc", "**/*.pem", "**/*.key",
	}
}

// DefaultDenyWrite names what may be read but not changed: a hook written into .git runs as the user.
func DefaultDenyWrite() []string { return []string{"**/.git/**"} }

// Policy says which paths may not be read or changed. The last pattern that matches a path, or a folder above it, decides;
// a leading "!" allows again. A pattern without a slash matches names at any depth.
type Policy struct {
	deny, denyWrite ruleList
	lower           *Policy // all in lower case, for checkAnyCase; nil where names are compared without case anyway
}

// BlockedError says which pattern stands against a path. Write is set when reading it would be allowed.
type BlockedError struct {
	Pattern string
	Write   bool
}

func (e *BlockedError) Error() string {
	if e.Write {
		return fmt.Sprintf("changes are blocked by policy (pattern %q)", e.Pattern)
	}
	return fmt.Sprintf("access is blocked by policy (pattern %q)", e.Pattern)
}

func (e *BlockedError) Is(target error) bool { return target == ErrBlocked }

// PatternError names a deny pattern that can't be read.
type PatternError struct{ Pattern string }

func (e *PatternError) Error() string { return fmt.Sprintf("bad pattern %q", e.Pattern) }

// NewPolicy compiles the patterns. The error is a *PatternError.
func NewPolicy(deny, denyWrite []string) (*Policy, error) {
	p, err := compilePolicy(deny, denyWrite)
	if err != nil || foldsCase {
		return p, err
	}
	lowerDeny, lowerWrite := allLower(deny), allLower(denyWrite)
	if slices.Equal(lowerDeny, deny) && slices.Equal(lowerWrite, denyWrite) {
		p.lower = p // the usual rules are
		return p, nil
	}
	p.lower, err = compilePolicy(lowerDeny, lowerWrite)
	return p, err
}

func allLower(patterns []string) []string {
	lower := make([]string, len(patterns))
	for i, text := range patterns {
		lower[i] = strings.ToLower(text)
	}
	return lower
}

func compilePolicy(deny, denyWrite []string) (*Policy, error) {
	var p Policy
	for _, list := range [...]struct {
		texts []string
		into  *ruleList
	}{{deny, &p.deny}, {denyWrite, &p.denyWrite}} {
		for _, text := range list.texts {
			if err := list.into.add(text); err != nil {
				return nil, err
			}
		}
	}
	return &p, nil
}

// check refuses path, relative to the root, for reading or, if write is set, for changing.
func (p *Policy) check(path string, write bool) error {
	if pattern, hit := p.deny.match(path); hit {
		return &PathError{Path: path, Err: &BlockedError{Pattern: pattern}}
	}
	if !write {
		return nil
	}
	if pattern, hit := p.denyWrite.match(path); hit {
		return &PathError{Path: path, Err: &BlockedError{Pattern: pattern, Write: true}}
	}
	return nil
}

// checkAnyCase is check as if names were compared without case.
func (p *Policy) checkAnyCase(path string, write bool) error {
	if p.lower == nil {
		return nil
	}
	return p.lower.check(strings.ToLower(path), write)
}

// Denies reports whether path may not be read.
func (p *Policy) Denies(path string) bool {
	_, hit := p.deny.match(path)
	return hit
}

// DeniesEntry is Denies for a walk: the folder that path lies in is known to be allowed, so the name alone mostly decides.
func (p *Policy) DeniesEntry(path string) bool {
	return p.deny.mayMatch(fold(path[strings.LastIndexByte(path, '/')+1:])) && p.Denies(path)
}

// rule is one pattern.
type rule struct {
	text  string // as given
	glob  string // doublestar pattern from the root
	allow bool
}

// ruleList is an ordered list of patterns with a quick test in front: nearly every name fits none of them.
type ruleList struct {
	rules    []rule
	names    map[string]bool // names that a pattern can end in
	prefixes []string        // beginnings of such names
	suffixes []string
	globs    []string  // endings that are none of these
	first    [256]bool // bytes that names and prefixes begin with
	last     [256]bool // bytes that suffixes end in
}

func (l *ruleList) add(text string) error {
	glob, allow := strings.CutPrefix(text, "!")
	glob = strings.TrimSuffix(fold(glob), "/")
	if rest, ok := strings.CutPrefix(glob, "./"); ok {
		glob = "/" + rest
	}
	if glob == "" || !doublestar.ValidatePattern(glob) || !canMatch(strings.TrimPrefix(glob, "/")) {
		return &PatternError{Pattern: text}
	}
	if rooted, ok := strings.CutPrefix(glob, "/"); ok {
		glob = rooted
	} else if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	// What lies below a match is matched anyway, and doublestar has "a/**" match "a", but not "a*/**".
	for strings.HasSuffix(glob, "/**") && !strings.HasSuffix(glob, `\/**`) {
		glob = strings.TrimSuffix(glob, "/**")
	}
	l.rules = append(l.rules, rule{text: text, glob: glob, allow: allow})
	if !allow {
		l.quicken(glob)
	}
	return nil
}

// canMatch is false for a pattern with a component that no path has: it would protect nothing, and nobody would know.
func canMatch(glob string) bool {
	for name := range strings.SplitSeq(glob, "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}

// quicken takes the last name a pattern asks for into the quick test.
func (l *ruleList) quicken(glob string) {
	if open, after, ok := plainBraces(glob); ok {
		for text := range strings.SplitSeq(glob[open+1:after-1], ",") {
			l.quicken(glob[:open] + text + glob[after:])
		}
		return
	}
	if strings.ContainsAny(glob, "{[\\") { // alternatives and classes may hold slashes
		l.globs = append(l.globs, expand(glob)...)
		return
	}
	name := glob[strings.LastIndexByte(glob, '/')+1:]
	wild := strings.IndexAny(name, "*?[")
	switch {
	case name == "": // what ends in a slash names nothing
	case wild < 0:
		if l.names == nil {
			l.names = map[string]bool{}
		}
		l.names[name], l.first[name[0]] = true, true
	case name == "*" || name == "**":
		l.globs = append(l.globs, "*")
	case wild == 0 && name[0] == '*' && !strings.ContainsAny(name[1:], "*?["):
		l.suffixes, l.last[name[len(name)-1]] = append(l.suffixes, name[1:]), true
	case wild == len(name)-1 && name[wild] == '*':
		l.prefixes, l.first[name[0]] = append(l.prefixes, name[:wild]), true
	default:
		l.globs = append(l.globs, name)
	}
}

// plainBraces finds braces that are easily spelled out: the only ones of a pattern that escapes nothing.
func plainBraces(glob string) (open, after int, ok bool) {
	open, end := strings.IndexByte(glob, '{'), strings.IndexByte(glob, '}')
	ok = 0 <= open && open < end && strings.Count(glob, "{") == 1 && strings.Count(glob, "}") == 1 && !strings.ContainsAny(glob, "[\\")
	return open, end + 1, ok
}

// expand gives what the names of a pattern with braces or classes can look like: its last name if that holds no part of a
// class and the braces no slash, else any.
func expand(glob string) []string {
	name := glob[strings.LastIndexByte(glob, '/')+1:]
	if strings.Count(name, "{") != strings.Count(name, "}") || strings.ContainsAny(name, "[]\\") {
		return []string{"*"}
	}
	return []string{name}
}

func (l *ruleList) mayMatch(name string) bool {
	switch {
	case name == "":
		return false
	case l.last[name[len(name)-1]] && slices.ContainsFunc(l.suffixes, func(s string) bool { return strings.HasSuffix(name, s) }):
		return true
	case l.first[name[0]] && (l.names[name] || slices.ContainsFunc(l.prefixes, func(p string) bool { return strings.HasPrefix(name, p) })):
		return true
	}
	return slices.ContainsFunc(l.globs, func(g string) bool { return doublestar.MatchUnvalidated(g, name) })
}

// match finds the pattern that decides about path, and whether it refuses it.
func (l *ruleList) match(path string) (pattern string, hit bool) {
	path = fold(path)
	if path == "." || !l.anyMayMatch(path) {
		return "", false
	}
	for i := len(l.rules) - 1; i >= 0; i-- {
		r := l.rules[i]
		for p := path; ; {
			if doublestar.MatchUnvalidated(r.glob, p) {
				return r.text, !r.allow
			}
			slash := strings.LastIndexByte(p, '/')
			if slash < 0 {
				break
			}
			p = p[:slash]
		}
	}
	return "", false
}

// anyMayMatch is the quick test for a path: a refusal needs a component that some pattern can end in.
func (l *ruleList) anyMayMatch(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if l.mayMatch(name) {
			return true
		}
	}
	return false
}

func fold(s string) string {
	if foldsCase {
		return strings.ToLower(s)
	}
	return s
}
