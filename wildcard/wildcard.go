// Package wildcard is what every glob of the program has in common: how braces are spelled out
// ("a{b,c}" → "ab", "ac"), and how a pattern is matched against a path. Which paths are matched,
// and what a match means, is decided by the packages that use it: search/walk for the globs of
// requests and for ignore files, sandbox/policy for the operator's deny rules. It knows nothing of
// files. Its central type is Pattern.
//
// Patterns of requests and rules are doublestar's: "*", "?" and classes match within a component,
// "**" any number of whole components. Ignore files have git's own language: see CompileIgnore.
// Both are parsed to the same list of operations, which one matcher compares with a path.
//
// A pattern goes Expand, ExpandClosing or ExpandExact (braces, and how names with signs are read) →
// CompileName, CompilePath or CompileIgnore → Pattern.Match. Most
// patterns need only a comparison of strings (Kind); for the others, parse makes the operations.
package wildcard

import (
	"errors"
	"iter"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Why a pattern can't be used.
var (
	ErrSyntax = errors.New("unclosed or empty bracket, unbalanced brace, or trailing backslash")
	ErrLong   = errors.New("it is longer than 8,192 bytes")
	ErrBraces = errors.New("the braces spell out more than 10,000 patterns, or more than 128 KiB of them")
)

// maxPatternBytes is the longest pattern, as long as a regular expression may be: each of its
// components is compared with every name in a folder.
const maxPatternBytes = 8 << 10

// Budget limits the patterns that the braces of one or more globs spell out together, in number and
// in bytes. Each of them is compared with every path of a walk, and {a,b} written fourteen times in
// a row spells out 16,384. Patterns without braces cost nothing.
type Budget struct {
	alternatives, bytes int
	work                int // bytes, those of patterns that are spelled out further as well
}

// MaxAlternatives is how many patterns a Budget lets braces spell out.
const MaxAlternatives = 10_000

// NewBudget returns an unused budget. All globs of a request share one, and all deny rules.
func NewBudget() *Budget {
	return &Budget{alternatives: MaxAlternatives, bytes: 128 << 10, work: 1 << 20}
}

// Expand gives the alternatives of a pattern, in the order they are written: every {a,b} is spelled
// out as a shell does it, before anything is matched. They have no backslash before a slash, and no
// component that is empty or ".", except a "/" or "./" in front. The error is ErrSyntax, ErrLong or
// ErrBraces.
func (b *Budget) Expand(pattern string) ([]string, error) {
	if err := check(pattern); err != nil {
		return nil, err
	}
	return b.expandValid(pattern, false)
}

func check(pattern string) error {
	switch {
	case len(pattern) > maxPatternBytes:
		return ErrLong
	case !doublestar.ValidatePattern(pattern):
		return ErrSyntax
	}
	return nil
}

func (b *Budget) expandValid(pattern string, opens bool) ([]string, error) {
	spelled, err := b.expandBraces(pattern, opens)
	for i, p := range spelled {
		spelled[i] = tidy(plain(p))
	}
	return spelled, err
}

// Components cuts a pattern that Expand gave at its slashes, except those inside a class.
func Components(pattern string) []string {
	var names []string
	start := 0
	for i, sign := range signs(pattern) {
		if sign == '/' {
			names, start = append(names, pattern[start:i]), i+1
		}
	}
	return append(names, pattern[start:])
}

// Unescape drops the backslashes that escape the byte after them.
func Unescape(pattern string) string {
	if !strings.Contains(pattern, `\`) {
		return pattern
	}
	b := make([]byte, 0, len(pattern))
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		b = append(b, pattern[i])
	}
	return string(b)
}

// plain removes backslashes before slashes.
func plain(pattern string) string {
	if !strings.Contains(pattern, `\/`) {
		return pattern
	}
	return strings.NewReplacer(`\\`, `\\`, `\/`, `/`).Replace(pattern)
}

// tidy removes the components that are empty or ".", which no path has: "a//b" is "a/b". A "/" or
// "./" in front, which says where paths begin, is kept, and a "/" at the end, which asks for a
// folder.
func tidy(pattern string) string {
	if !strings.Contains(pattern, "//") && !strings.Contains(pattern+"/", "./") {
		return pattern // as nearly all are
	}
	names := Components(pattern)
	last := len(names) - 1
	kept := make([]string, 0, len(names))
	for i, name := range names {
		isNothing := name == "" || name == "." || name == `\.`
		switch {
		case i == 0 && last > 0 && isNothing:
			kept = append(kept, strings.TrimPrefix(name, `\`))
		case !isNothing, last == 0:
			kept = append(kept, name)
		case i == last:
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "/")
}

// signs gives the bytes of a pattern with their indexes, except those that a backslash escapes and
// those of a class after its bracket.
func signs(p string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for i := 0; i < len(p) && yield(i, p[i]); i++ {
			switch p[i] {
			case '\\':
				i++
			case '[':
				i = classEnd(p, i)
			}
		}
	}
}

// classEnd gives the index of the bracket that closes the class at p[i].
func classEnd(p string, i int) int {
	for i++; i < len(p) && p[i] != ']'; i++ {
		if p[i] == '\\' {
			i++
		}
	}
	return min(i, len(p)-1)
}
