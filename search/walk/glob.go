package walk

import (
	"errors"
	"path"
	"slices"
	"strings"

	"fsbox/wildcard"
)

// ErrGlobTraversal is a pattern with a ".." component.
var ErrGlobTraversal = errors.New(`a pattern can't have ".." as a component`)

// Glob is a doublestar pattern with {a,b} that finds paths. It is matched one path component at a
// time, so that it can tell whether to enter a folder.
//
//   - "*.go" matches names of the folder where the walk begins, "**/*.go" at any depth. Unlike in
//     a Filter, a pattern without a slash is not matched in every folder.
//   - "a/**" matches a itself, too, as doublestar has it; "a/" matches folders only.
//   - No wildcard and no class matches a slash. A name with a leading dot is matched by a component
//     that begins with one itself, or, where hidden names are asked for, like any other.
//
// It never changes once it is made: several goroutines may share it.
type Glob struct {
	alternatives []globPattern
	hidden       bool // names with a leading dot are matched like any others
	prefix       []string
}

// GlobFolder is what a Glob can match in one folder: the states after the path of the folder. It
// never changes, either.
type GlobFolder struct {
	glob *Glob
	live []globState
}

// globPattern is one alternative, its braces spelled out.
type globPattern struct {
	parts   []globPart
	dirOnly bool
}

// globPart matches one component, or any number of them.
type globPart struct {
	wildcard.Pattern
	deep bool // **
	dot  bool // begins with a literal dot
}

// globState is a position in an alternative: the parts before it have matched.
type globState struct{ alternative, at int }

// NewGlob compiles a pattern. With hidden set, "*" and "**" match names with a leading dot, too.
// The error is a *GlobError.
func NewGlob(pattern string, hidden bool) (*Glob, error) {
	g := &Glob{hidden: hidden}
	spelled, err := spellOut(pattern, wildcard.NewBudget().Expand)
	if err != nil {
		return nil, &GlobError{Pattern: pattern, Err: err}
	}
	for i, text := range spelled {
		p, err := parseGlobPattern(text)
		if err != nil {
			return nil, &GlobError{Pattern: pattern, Err: err}
		}
		g.alternatives = append(g.alternatives, p)
		if literal := p.literal(); i == 0 {
			g.prefix = literal
		} else {
			g.prefix = g.prefix[:common(g.prefix, literal)]
		}
	}
	return g, nil
}

// spellOut gives the alternatives of a pattern, as far as the budget of the request allows.
func spellOut(pattern string, expand func(string) ([]string, error)) ([]string, error) {
	if strings.ContainsRune(pattern, 0) {
		return nil, wildcard.ErrSyntax
	}
	return expand(pattern)
}

func parseGlobPattern(text string) (globPattern, error) {
	var p globPattern
	for _, name := range wildcard.Components(text) {
		p.dirOnly = name == ""
		if name == "" || name == "." {
			continue
		}
		part := newGlobPart(name)
		if part.Kind == wildcard.Name && part.Text == ".." {
			return p, ErrGlobTraversal
		}
		if n := len(p.parts); part.deep && n > 0 && p.parts[n-1].deep {
			continue
		}
		p.parts = append(p.parts, part)
	}
	return p, nil
}

func newGlobPart(name string) globPart {
	if name == "**" {
		return globPart{deep: true}
	}
	return globPart{Pattern: wildcard.CompileName(name), dot: strings.HasPrefix(wildcard.Unescape(name), ".")}
}

// literal gives the components in front that have no wildcard.
func (p globPattern) literal() []string {
	var names []string
	for _, part := range p.parts {
		if part.deep || part.Kind != wildcard.Name {
			break
		}
		names = append(names, part.Text)
	}
	return names
}

func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Prefix is a path that every match either is or lies below: the leading components without
// wildcards that all alternatives share. It is "." if there are none.
func (g *Glob) Prefix() string {
	if len(g.prefix) == 0 {
		return "."
	}
	return strings.Join(g.prefix, "/")
}

// Literal reports whether the pattern has no wildcard: its Prefix is the one path that it matches.
func (g *Glob) Literal() bool {
	return len(g.alternatives) == 1 && len(g.prefix) == len(g.alternatives[0].parts)
}

// Match reports whether the pattern matches rel, a path relative to where the walk begins; dir says
// that it is a folder.
func (g *Glob) Match(rel string, dir bool) bool {
	if rel == "." {
		return slices.ContainsFunc(g.Folder(".").live, func(s globState) bool { return g.ended(s.alternative, s.at) })
	}
	return g.Folder(path.Dir(rel)).Match(baseName(rel), dir)
}

// Folder gives what the pattern asks for in the folder rel, "." where the walk begins.
func (g *Glob) Folder(rel string) *GlobFolder {
	f := &GlobFolder{glob: g}
	for i := range g.alternatives {
		f.live = g.reach(f.live, len(f.live), globState{alternative: i})
	}
	if rel == "." {
		return f
	}
	for name := range strings.SplitSeq(rel, "/") {
		f = f.Enter(name)
	}
	return f
}

// Match reports whether the pattern matches a name in the folder; dir says that it is a folder
// itself.
func (f *GlobFolder) Match(name string, dir bool) bool {
	for _, s := range f.live {
		at, ok := f.glob.over(s, name)
		if ok && f.glob.ended(s.alternative, at) && (dir || !f.glob.alternatives[s.alternative].dirOnly) {
			return true
		}
	}
	return false
}

// LeadsInto reports whether anything below a folder in this one may match.
func (f *GlobFolder) LeadsInto(name string) bool {
	return slices.ContainsFunc(f.live, func(s globState) bool {
		at, ok := f.glob.over(s, name)
		return ok && at < len(f.glob.alternatives[s.alternative].parts)
	})
}

// Reveal reports whether the pattern may match a name with a leading dot, or a path below it. Then
// the walk doesn't leave it out as hidden.
func (f *GlobFolder) Reveal(name string) bool {
	return slices.ContainsFunc(f.live, func(s globState) bool {
		_, ok := f.glob.over(s, name)
		return ok
	})
}

// Enter gives what the pattern asks for in a folder in this one. The states of one alternative are
// next to each other in the result.
func (f *GlobFolder) Enter(name string) *GlobFolder {
	next := make([]globState, 0, len(f.live)+1)
	first := 0
	for _, s := range f.live {
		if n := len(next); n > 0 && next[n-1].alternative != s.alternative {
			first = n
		}
		if at, ok := f.glob.over(s, name); ok {
			next = f.glob.reach(next, first, globState{s.alternative, at})
		}
	}
	return &GlobFolder{glob: f.glob, live: next}
}

// over matches name as the component after a state, and gives the new position in the same
// alternative.
func (g *Glob) over(s globState, name string) (at int, ok bool) {
	parts := g.alternatives[s.alternative].parts
	switch {
	case s.at == len(parts), !g.hidden && strings.HasPrefix(name, ".") && !parts[s.at].dot:
		return 0, false
	case parts[s.at].deep:
		return s.at, true
	}
	return s.at + 1, parts[s.at].Match(name, name)
}

// ended reports whether a position is the end of the pattern, or only a "**" follows, which may
// match nothing.
func (g *Glob) ended(alternative, at int) bool {
	parts := g.alternatives[alternative].parts
	return at == len(parts) || at == len(parts)-1 && parts[at].deep
}

// reach adds a state to states, of which those from first on have the same alternative. If a "**"
// comes next, it also adds the state after the "**", which may match nothing.
func (g *Glob) reach(states []globState, first int, s globState) []globState {
	states = addState(states, first, s)
	if parts := g.alternatives[s.alternative].parts; s.at < len(parts) && parts[s.at].deep {
		s.at++
		states = addState(states, first, s)
	}
	return states
}

// addState adds a state unless it is in states[first:] already. States come nearly in order, so it
// compares only the last few.
func addState(states []globState, first int, s globState) []globState {
	const few = 4
	if slices.Contains(states[max(first, len(states)-few):], s) {
		return states
	}
	return append(states, s)
}
