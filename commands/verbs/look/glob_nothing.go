package look

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"fsbox/commands/hint"
	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/search/walk"
)

// nothingHint says why a pattern found nothing, by its form, or by a path that it nearly matches.
func (p *globPage) nothingHint(ctx context.Context) string {
	if form := hint.PatternForm(p.request.Pattern); form != "" {
		return form
	}
	ctx, cancel := context.WithTimeout(ctx, p.env.Limits.Timeout/verb.ProbeShare)
	defer cancel()
	pattern := strings.TrimLeft(p.pattern, "/")
	deep := "**/" + strings.TrimPrefix(pattern, "**/")
	all := append([]string{pattern, deep}, hint.MeantPatterns(pattern)...)
	hit, i := p.nearly(ctx, all)
	if hit == "" {
		return ""
	}
	found := fmt.Sprintf("%q is there", hit)
	switch all[i] {
	case pattern:
		return found + p.whyNot(ctx, hit, pattern)
	case deep:
		found += words.Phrase(": %q finds it, %q only what lies in the folder itself", p.inCase(deep, hit), pattern)
		return found + p.whyNot(ctx, hit, deep)
	}
	meant := p.inCase(all[i], hit)
	return found + words.Phrase(": %q finds it", meant) + p.whyNot(ctx, hit, meant)
}

// inCase is a pattern that finds a path in its case: the pattern itself, or in lower case, or else
// the path.
func (p *globPage) inCase(pattern, hit string) string {
	below := words.Below(p.path.Asked, hit)
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

// nearly finds the first path that one of the patterns matches in any case, hidden and ignored ones
// as well. What policy denies isn't looked at. It gives the index of the pattern, too.
func (p *globPage) nearly(ctx context.Context, patterns []string) (hit string, index int) {
	rules := words.Mapped(patterns, func(pattern string) func(walk.Entry) bool {
		glob, err := walk.NewGlob(strings.ToLower(pattern), true)
		return func(e walk.Entry) bool {
			return err == nil && p.wants(e.Type) &&
				glob.Match(strings.ToLower(words.Below(p.path.Path, e.Path)), e.Type&fs.ModeDir != 0)
		}
	})
	o := walk.Options{Path: p.path.Path, NoIgnore: true, Blocked: p.path.Blocked(p.env.Workspace)}
	if hit, index = p.env.Hints().First(ctx, o, rules); hit != "" {
		hit = p.path.Shown(hit)
	}
	return hit, index
}

// whyNot says what keeps a path out of the result of a pattern.
func (p *globPage) whyNot(ctx context.Context, hit, pattern string) (why string) {
	below := words.Below(p.path.Asked, hit)
	if !matches(pattern, below, true) {
		why = "; a glob tells upper from lower case"
	}
	sees := p.request.IncludeHidden || matches(pattern, below, false) // the pattern itself has the dots
	return why + p.env.Hints().LeftOut(ctx, p.path.Path, p.path.Resolved(hit), p.request.NoIgnore, sees)
}
