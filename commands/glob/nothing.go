package glob

import (
	"context"
	"io/fs"
	"strconv"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/search/walk"
)

// nothingHint says why a pattern found nothing, by its form, or by a path that it nearly matches.
func (p *globPage) nothingHint(ctx context.Context) string {
	if form := hint.PatternForm(p.request.Pattern); form != "" {
		return form
	}
	ctx, cancel := context.WithTimeout(ctx, p.Env.Limits.Timeout/command.ProbeShare)
	defer cancel()
	pattern := strings.TrimLeft(p.pattern, "/")
	deep := "**/" + strings.TrimPrefix(pattern, "**/")
	all := append([]string{pattern, deep}, hint.MeantPatterns(pattern)...)
	hit, near := p.nearly(ctx, all)
	if hit == "" {
		return hint.OtherDialect(pattern)
	}
	below := words.Below(p.path.Asked, hit)
	quoted := func(name string) string {
		if near.IsAlike {
			return strconv.QuoteToASCII(name)
		}
		return hint.Quoted(name, pattern)
	}
	found := quoted(hit) + " exists"
	switch all[near.Index] {
	case pattern:
		if near.IsAlike || !matches(strings.ToLower(pattern), strings.ToLower(below), true) { // not only in case
			found += ": " + quoted(below) + " finds it"
		}
		return found + p.whyNot(ctx, hit, pattern, near)
	case deep:
		found += words.Phrase(": %q finds it, %q only names in the directory itself", p.inCase(deep, below), pattern)
		return found + p.whyNot(ctx, hit, deep, near)
	}
	meant := p.inCase(all[near.Index], below)
	return found + ": " + quoted(meant) + " finds it" + p.whyNot(ctx, hit, meant, near)
}

// maxVisited is how many names a folder may have that is listed again for a hint.
const maxVisited = 10_000

// deeperHint says what a pattern without a slash would find at any depth, as it does in some other
// programs.
func (p *globPage) deeperHint(ctx context.Context) string {
	if !p.hasFolders || p.visited > maxVisited { // of a large folder, listing it again takes as long as the search
		return ""
	}
	deep := "**/" + p.pattern
	glob, err := walk.NewGlob(deep, p.request.IncludeHidden)
	if err != nil || strings.Contains(p.pattern, "/") || strings.Contains(p.pattern, "**") {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, p.Env.Limits.Timeout/command.ProbeShare)
	defer cancel()
	o := walk.Options{Path: p.path.Path, NoIgnore: p.request.NoIgnore, IncludeHidden: p.request.IncludeHidden,
		Blocked: p.path.Blocked(p.Env.Workspace)}
	n, first, isAll := p.Env.Hints().Count(ctx, o, func(e walk.Entry) bool {
		below := words.Below(p.path.Path, e.Path)
		return strings.Contains(below, "/") && p.wants(e.Type) && glob.Match(below, e.Type&fs.ModeDir != 0)
	})
	if n == 0 {
		return ""
	}
	least := ""
	if !isAll {
		least = "at least "
	}
	return words.Phrase("%q finds %s%d more in directories below, such as %q", deep, least, n, p.path.Shown(first))
}

// inCase is a pattern that finds a path in its case: the pattern itself, or in lower case, or else
// the path.
func (p *globPage) inCase(pattern, below string) string {
	for _, glob := range [...]string{pattern, strings.ToLower(pattern)} {
		if matches(glob, below, true) {
			return glob
		}
	}
	return below
}

func matches(pattern, path string, hidden bool) bool {
	glob, err := walk.NewGlob(pattern, hidden)
	return err == nil && glob.Match(path, false)
}

// nearly finds the path that is nearest to what one of the patterns finds, hidden and ignored ones
// as well. What policy denies isn't looked at.
func (p *globPage) nearly(ctx context.Context, patterns []string) (hit string, form hint.NearGlob) {
	near := hint.NearGlobs(patterns, func(pattern string) func(string, bool) bool {
		glob, err := walk.NewGlob(pattern, true)
		if err != nil {
			return nil
		}
		return glob.Match
	})
	o := walk.Options{Path: p.path.Path, NoIgnore: true, Blocked: p.path.Blocked(p.Env.Workspace)}
	hit, distance := p.Env.Hints().Nearest(ctx, o, func(e walk.Entry) int {
		if !p.wants(e.Type) {
			return -1
		}
		return near(words.Below(p.path.Path, e.Path), e.Type&fs.ModeDir != 0)
	})
	if hit == "" {
		return "", hint.NearGlob{}
	}
	return p.path.Shown(hit), hint.NearGlobAt(distance)
}

// whyNot says what keeps a path out of the result of a pattern.
func (p *globPage) whyNot(ctx context.Context, hit, pattern string, near hint.NearGlob) (why string) {
	below := words.Below(p.path.Asked, hit)
	switch {
	case near.IsAlike:
		why = "; the pattern looks like it, but has other characters"
	case !matches(pattern, below, true):
		why = "; globs are case-sensitive"
	}
	sees := p.request.IncludeHidden || matches(pattern, below, false) // the pattern itself has the dots
	return why + p.Env.Hints().LeftOut(ctx, p.path.Path, p.path.Resolved(hit), p.request.NoIgnore, sees)
}
