package policy

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/wildcard"
)

// DefaultDeny names what an agent should never read: keys, credentials, and .git/config, which may
// hold both.
func DefaultDeny() []string {
	return []string{
		"**/.env", "**/.env.*", "!**/.env.{example,sample,template}",
		"**/credentials", "**/credentials.json", "**/.git/config", "**/id_{rsa,dsa,ecdsa,ed25519}",
		"**/.ssh/**", "**/.aws/**", "**/.gnupg/**", "**/.netrc", "**/*.pem", "**/*.key",
	}
}

// DefaultDenyWrite names what may be read but not changed: a hook written into .git would run as
// the user.
func DefaultDenyWrite() []string { return []string{"**/.git/**"} }

// Rules says which paths may not be read or changed. A pattern denies the paths that it matches,
// and everything in a folder that it matches. A pattern with a leading "!" allows the paths that it
// matches, if an earlier pattern denies them or a folder above them. If such a path is a folder,
// everything in it is allowed as well, except the paths in it that a denying pattern, earlier or
// later, matches by itself: "secrets", "!secrets/public" and "*.pem" deny secrets/key and
// secrets/public/a.pem, and allow secrets/public/a.txt. "a/**" matches a and everything in it. A
// pattern without a slash matches names at any depth; any other pattern starts at the root.
//
// "app/[id]/**" may mean a folder "[id]" as well as one of the two letters. A pattern that denies
// holds in both ways: see wildcard.Budget. One that allows opens what its signs match, and what it
// names to the letter.
type Rules struct {
	deny, denyWrite ruleList
	fold            func(string) string // what is done to patterns and paths before they are compared
}

// quickTest tells most names that no pattern matches, in whatever case, by two bytes at each end.
type quickTest struct {
	first, last  [256]bool // bytes of names that a pattern may match
	starts, ends pairs     // the same, of two bytes at either end, if both are ASCII
	anyName      bool      // a pattern may match any name
}

// pairs is a set of two ASCII bytes each. By one byte alone, a quarter of the names of a large tree
// pass the test by the default rules, and checking them takes a fifth of the processor time of a
// recursive ls (2026-11-28).
type pairs [128]struct{ low, high uint64 }

func (p *pairs) has(a, b byte) bool {
	if a|b >= utf8.RuneSelf {
		return true
	}
	if b < 64 {
		return p[a].low>>b&1 != 0
	}
	return p[a].high>>(b-64)&1 != 0
}

func (p *pairs) add(a, b byte) {
	if b < 64 {
		p[a].low |= 1 << b
	} else {
		p[a].high |= 1 << (b - 64)
	}
}

// casesOf gives the forms of an ASCII byte in names: those of a letter, or itself.
func casesOf(c byte) []byte {
	if small := c | 0x20; 'a' <= small && small <= 'z' {
		return []byte{small, small ^ 0x20}
	}
	return []byte{c}
}

// beside are the ASCII bytes that names may have where a pattern has text[at]: any, where that is
// out of the text, or a character that may be spelled with an ASCII one.
func beside(text string, at int) []byte {
	if at < 0 || at >= len(text) || text[at] >= utf8.RuneSelf {
		return allASCII()
	}
	return casesOf(text[at])
}

func allASCII() []byte {
	all := make([]byte, utf8.RuneSelf)
	for i := range all {
		all[i] = byte(i)
	}
	return all
}

// addAll adds each pair of one byte of a and one of b.
func (p *pairs) addAll(a, b []byte) {
	for _, a := range a {
		for _, b := range b {
			p.add(a, b)
		}
	}
}

// add lets pass what a pattern for names matches.
func (q *quickTest) add(p wildcard.Pattern) {
	switch last := len(p.Text) - 1; {
	case last < 0, p.Kind != wildcard.Suffix && p.Text[0] >= utf8.RuneSelf, p.Kind == wildcard.Suffix && p.Text[last] >= utf8.RuneSelf:
		q.anyName = true // other characters have cases with other bytes
	case p.Kind == wildcard.Suffix:
		addLetter(&q.last, p.Text[last])
		q.ends.addAll(beside(p.Text, last-1), casesOf(p.Text[last]))
	default:
		addLetter(&q.first, p.Text[0])
		q.starts.addAll(casesOf(p.Text[0]), beside(p.Text, 1))
	}
}

// addLetter adds a byte to a set, a letter in both cases.
func addLetter(set *[256]bool, c byte) {
	set[c] = true
	if small := c | 0x20; 'a' <= small && small <= 'z' {
		set[c^0x20] = true
		for _, special := range "\u017f\u212a" { // the other cases of s and k
			if other := string(special); unicode.SimpleFold(special) == rune(small)^0x20 {
				set[other[0]], set[other[len(other)-1]] = true, true
			}
		}
	}
}

// passes reports whether a pattern may match a name.
func (q *quickTest) passes(name string) bool {
	n := len(name)
	if q.anyName || n < 2 {
		return n > 0 && (q.anyName || q.first[name[0]] || q.last[name[n-1]])
	}
	return q.first[name[0]] && q.starts.has(name[0], name[1]) || q.last[name[n-1]] && q.ends.has(name[n-2], name[n-1])
}

// isSettled reports whether no rule denies reading a name. Where the bytes at both ends are ASCII
// and nothing combines with the first one, folding doesn't change more than their case.
func (p *Rules) isSettled(name string) bool {
	if name == "" || name[0]|name[min(1, len(name)-1)]|name[len(name)-1] >= utf8.RuneSelf {
		return false
	}
	return !p.deny.reopened && !p.deny.endings.passes(name)
}

// PatternError names a deny pattern that can't be used, as the operator wrote it, and the reason.
type PatternError struct {
	Pattern string
	Err     error
}

func (e *PatternError) Error() string { return fmt.Sprintf("bad pattern %q: %v", e.Pattern, e.Err) }

// Unwrap returns the reason.
func (e *PatternError) Unwrap() error { return e.Err }

// IsSyntax reports whether the pattern is no valid glob.
func (e *PatternError) IsSyntax() bool { return errors.Is(e.Err, wildcard.ErrSyntax) }

// New compiles the patterns of rules that hold for every spelling of a name: see FoldName. The
// error is a *PatternError.
func New(deny, denyWrite []string) (*Rules, error) {
	return compile(deny, denyWrite, FoldName, false)
}

func compile(deny, denyWrite []string, fold func(string) string, exact bool) (*Rules, error) {
	p := Rules{fold: fold}
	budget := wildcard.NewBudget()
	for _, list := range [...]struct {
		texts []string
		into  *ruleList
	}{{deny, &p.deny}, {denyWrite, &p.denyWrite}} {
		for _, text := range list.texts {
			if err := list.into.add(text, fold, exact, budget); err != nil {
				return nil, err
			}
		}
	}
	return &p, nil
}

// Verdict is what the rules say about a path. The zero Verdict allows it.
type Verdict struct {
	Pattern string // the rule that denies it, as the operator wrote it
	Write   bool   // only changing it is denied; reading is allowed
}

// Blocks reports whether a rule denies the path.
func (v Verdict) Blocks() bool { return v.Pattern != "" }

// Check decides about path, relative to the root: whether it may be read or, if write is set,
// changed. A pattern with "!" and a slash at its end, which allows a folder, doesn't allow it.
func (p *Rules) Check(path string, write bool) Verdict { return p.check(p.spell(path), write) }

// CheckFolder is Check for the path of a folder.
func (p *Rules) CheckFolder(path string, write bool) Verdict {
	names := p.spell(path)
	names.folder = true
	return p.check(names, write)
}

// TellsFolders reports whether Check and CheckFolder may differ.
func (p *Rules) TellsFolders() bool { return p.deny.folders || p.denyWrite.folders }

func (p *Rules) check(names *spellings, write bool) Verdict {
	if pattern, hit := p.deny.match(names); hit {
		return Verdict{Pattern: pattern}
	}
	if !write {
		return Verdict{}
	}
	pattern, _ := p.denyWrite.match(names)
	return Verdict{Pattern: pattern, Write: pattern != ""}
}

// MayDeny is a quick test before Check, for a path in a folder that it allows: false means that it
// doesn't deny the path. For most names it doesn't.
func (p *Rules) MayDeny(path string, write bool) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if !write && p.isSettled(name) {
		return false
	}
	w := walker{spellings: p.spell(name)}
	w.down()
	return p.deny.mayMatch(&w) || write && p.denyWrite.mayMatch(&w)
}

// Fold folds names if this system compares them without case.
func Fold(s string) string {
	if FoldsCase {
		return FoldName(s)
	}
	return s
}
