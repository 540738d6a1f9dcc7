package policy

import (
	"fmt"
	"slices"
	"strings"
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

// Rules says which paths may not be read or changed. A pattern denies what it matches, and what lies in a folder that it
// matches. With a leading "!" it allows again what it matches, where an earlier pattern denies that or a folder above; so it
// does for what lies there, but for what a pattern, earlier or later, matches there itself. "a/**" matches a and all that lies
// in it. A pattern without a slash matches names at any depth, any other from the root on.
type Rules struct {
	deny, denyWrite ruleList
	folded          *Rules // all folded, for checkFolded; nil where names are always compared so
}

// PatternError names a deny pattern that can't be used, as it was given, and the reason.
type PatternError struct {
	Pattern string
	Err     error
}

func (e *PatternError) Error() string { return fmt.Sprintf("bad pattern %q: %v", e.Pattern, e.Err) }

// Unwrap returns the reason.
func (e *PatternError) Unwrap() error { return e.Err }

// New compiles the patterns. The error is a *PatternError.
func New(deny, denyWrite []string) (*Rules, error) {
	p, err := compile(deny, denyWrite, Fold)
	if err != nil || FoldsCase {
		return p, err
	}
	if !slices.ContainsFunc(slices.Concat(deny, denyWrite), func(text string) bool { return FoldName(text) != text }) {
		p.folded = p // the usual rules are
		return p, nil
	}
	p.folded, err = compile(deny, denyWrite, FoldName)
	return p, err
}

// compile compiles the patterns as their texts are written by as.
func compile(deny, denyWrite []string, as func(string) string) (*Rules, error) {
	var p Rules
	for _, list := range [...]struct {
		texts []string
		into  *ruleList
	}{{deny, &p.deny}, {denyWrite, &p.denyWrite}} {
		for _, text := range list.texts {
			if err := list.into.add(text, as); err != nil {
				return nil, err
			}
		}
	}
	return &p, nil
}

// Verdict is what the rules say of a path. The zero Verdict allows it.
type Verdict struct {
	Pattern string // the rule that denies it, as it was given
	Write   bool   // reading it would be allowed
}

// Blocks reports that a rule denies the path.
func (v Verdict) Blocks() bool { return v.Pattern != "" }

// Check judges path, relative to the root, for reading or, if write is set, for changing.
func (p *Rules) Check(path string, write bool) Verdict {
	if pattern, hit := p.deny.match(path); hit {
		return Verdict{Pattern: pattern}
	}
	if !write {
		return Verdict{}
	}
	pattern, _ := p.denyWrite.match(path)
	return Verdict{Pattern: pattern, Write: pattern != ""}
}

// CheckEntry is check for what lies in a folder that is allowed: the name alone mostly decides.
func (p *Rules) CheckEntry(path string, write bool) Verdict {
	name := Fold(path[strings.LastIndexByte(path, '/')+1:])
	if p.deny.mayMatch(name) || write && p.denyWrite.mayMatch(name) {
		return p.Check(path, write)
	}
	return Verdict{}
}

// CheckFolded is check as a file system sees the path that folds names.
func (p *Rules) CheckFolded(path string, write bool) Verdict {
	if p.folded == nil {
		return Verdict{}
	}
	return p.folded.Check(FoldName(path), write)
}

// MayFold is the quick test for checkFolded: false says that it finds no more than check in a folder that is allowed.
func (p *Rules) MayFold(path string, write bool) bool {
	if p.folded == nil || p.folded == p && isFolded(path) {
		return false
	}
	name := FoldName(path[strings.LastIndexByte(path, '/')+1:])
	return p.folded.deny.mayMatch(name) || write && p.folded.denyWrite.mayMatch(name)
}

// Denies reports whether path may not be read.
func (p *Rules) Denies(path string) bool {
	_, hit := p.deny.match(path)
	return hit
}

// DeniesEntry is Denies for a walk: the folder that path lies in is known to be allowed, so the name alone mostly decides.
func (p *Rules) DeniesEntry(path string) bool {
	return p.deny.mayMatch(Fold(path[strings.LastIndexByte(path, '/')+1:])) && p.Denies(path)
}

func Fold(s string) string {
	if FoldsCase {
		return FoldName(s)
	}
	return s
}
