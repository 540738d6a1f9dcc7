package walk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/wildcard"
)

// GlobError is a glob that can't be used, as it was given, and the reason.
type GlobError struct {
	Pattern string
	Err     error
}

func (e *GlobError) Error() string { return fmt.Sprintf("bad glob %q: %v", e.Pattern, e.Err) }

// Unwrap returns the reason.
func (e *GlobError) Unwrap() error { return e.Err }

// Filter is a list of globs that says which paths a search looks at. They are doublestar patterns
// with {a,b}; the last one that matches decides.
//
//   - Without a slash, except one at the end, a glob matches names in any
//     folder; else it matches whole paths. A slash or "./" in front only makes it a glob for paths.
//   - "!" in front excludes, by all readings of a glob: see wildcard.Budget. If
//     all globs exclude, the rest matches.
//   - A slash at the end means folders only, and "src/", "src" and "src/**"
//     cover what lies below; so does every glob that excludes. "src/*" does not.
//
// A nil *Filter matches everything.
type Filter struct {
	globs    []glob
	includes bool
}

// glob is one alternative of a pattern, its braces spelled out.
type glob struct {
	wildcard.Pattern
	exclude bool
	dirOnly bool   // matches folders only
	below   bool   // covers what lies below a match as well, which Pattern.Match doesn't check
	front   string // of a glob for paths: every match is this path or lies below it; "" if unknown
}

var (
	errGlobEmpty  = errors.New("nothing to match")
	errGlobParent = errors.New(`".." can't escape the searched directory`)
)

// NewFilter compiles the globs of a request, which share one wildcard.Budget. The error is a
// *GlobError.
func NewFilter(globs []string) (*Filter, error) {
	f := &Filter{}
	budget := wildcard.NewBudget()
	for _, g := range globs {
		alternatives, err := parseGlob(g, budget)
		if err != nil {
			return nil, &GlobError{Pattern: g, Err: err}
		}
		f.globs = append(f.globs, alternatives...)
		f.includes = f.includes || !strings.HasPrefix(g, "!")
	}
	return f, nil
}

// Match reports whether the filter lets rel through, a path relative to the folder that is
// searched. A slash at the end marks a folder.
func (f *Filter) Match(rel string) bool {
	if f == nil {
		return true
	}
	rel, dir := strings.CutSuffix(rel, "/")
	name := baseName(rel)
	for i := len(f.globs) - 1; i >= 0; i-- {
		if g := &f.globs[i]; g.covers(rel, name, dir) {
			return !g.exclude
		}
	}
	return !f.includes
}

// Enter reports whether anything below the folder rel may match. If it is false, a walk need not
// enter the folder. "." is the folder that is searched.
func (f *Filter) Enter(rel string) bool {
	if f == nil || rel == "." {
		return true
	}
	name := baseName(rel)
	for i := len(f.globs) - 1; i >= 0; i-- {
		switch g := &f.globs[i]; {
		case g.exclude && g.covers(rel, name, true):
			return false
		case !g.exclude && g.reaches(rel):
			return true
		}
	}
	return !f.includes
}

// reaches reports whether a path below the folder rel may match.
func (g *glob) reaches(rel string) bool {
	return g.front == "" || within(rel, g.front) || within(g.front, rel)
}

// covers reports whether the glob matches rel itself or, if it covers contents, a folder above it.
func (g *glob) covers(rel, name string, dir bool) bool {
	if (dir || !g.dirOnly) && g.Match(rel, name) {
		return true
	}
	if !g.below {
		return false
	}
	for start, i := 0, 0; i < len(rel); i++ {
		if rel[i] != '/' {
			continue
		}
		if g.Match(rel[:i], rel[start:i]) {
			return true
		}
		start = i + 1
	}
	return false
}

// baseName returns the last component of a path.
func baseName(rel string) string { return rel[strings.LastIndexByte(rel, '/')+1:] }

// within reports whether rel is dir or lies below it.
func within(rel, dir string) bool {
	return strings.HasPrefix(rel, dir) && (len(rel) == len(dir) || rel[len(dir)] == '/')
}

// parseGlob compiles one glob to its alternatives.
func parseGlob(p string, budget *wildcard.Budget) ([]glob, error) {
	p, exclude, err := wildcard.CutExclusion(p)
	if err != nil {
		return nil, err
	}
	expand := budget.Expand
	if exclude {
		expand = budget.ExpandClosing
	}
	spelled, err := spellOut(p, expand)
	if err != nil {
		return nil, err
	}
	hasPaths := strings.Contains(strings.TrimSuffix(p, "/"), "/")
	globs := make([]glob, 0, len(spelled))
	for _, s := range spelled {
		// in braces, each alternative that excludes is read by itself, which excludes more
		anchored := hasPaths && (!exclude || strings.Contains(strings.TrimSuffix(s, "/"), "/"))
		s, dirOnly := strings.CutSuffix(s, "/")
		if s = fromStart(s); s == "" {
			continue
		}
		if slices.Contains(strings.Split(s, "/"), "..") {
			return nil, errGlobParent
		}
		g := glob{Pattern: wildcard.CompileName(s), exclude: exclude, dirOnly: dirOnly}
		if anchored {
			g.Pattern = wildcard.CompilePath(s)
		}
		g.below = dirOnly || exclude && g.Kind != wildcard.Under || g.Kind == wildcard.Name || g.Kind == wildcard.Path
		if g.Kind >= wildcard.Path {
			g.front = strings.TrimSuffix(g.Text, "/")
		}
		globs = append(globs, g)
	}
	if len(globs) == 0 {
		return nil, errGlobEmpty
	}
	return globs, nil
}

// fromStart removes what only says where a glob begins.
func fromStart(glob string) string {
	for _, front := range [...]string{"./", "/"} {
		if rest, ok := strings.CutPrefix(glob, front); ok {
			return rest
		}
	}
	if glob == "." {
		return ""
	}
	return glob
}
