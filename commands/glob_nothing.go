package commands

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fsbox/commands/words"
	"fsbox/search/walk"
)

// nothingHint says why a pattern found nothing, by its form, or by a path that it nearly matches.
func (p *globPage) nothingHint(ctx context.Context) string {
	if hint := p.patternForm(); hint != "" {
		return hint
	}
	ctx, cancel := context.WithTimeout(ctx, p.env.Limits.Timeout/probeShare)
	defer cancel()
	pattern := strings.TrimLeft(p.pattern, "/")
	if hit := p.nearly(ctx, pattern); hit != "" {
		return fmt.Sprintf("%q is there", hit) + p.whyNot(ctx, hit, pattern)
	}
	if !strings.HasPrefix(pattern, "**/") && pattern != "**" {
		if hit := p.nearly(ctx, "**/"+pattern); hit != "" {
			return words.Phrase("%q is there: %q finds it, %q only what lies in the folder itself", hit, p.inCase("**/"+pattern, hit), pattern) +
				p.whyNot(ctx, hit, "**/"+pattern)
		}
	}
	for _, meant := range slices.Concat(meantGlobs(pattern), partsOfNames(pattern)) {
		for _, meant := range [...]string{meant, "**/" + meant} {
			if hit := p.nearly(ctx, meant); hit != "" {
				meant = p.inCase(meant, hit)
				return words.Phrase("%q is there: %q finds it", hit, meant) + p.whyNot(ctx, hit, meant)
			}
		}
	}
	return ""
}

// inCase is a pattern that finds a path in its case: the pattern itself, or in lower case, or else
// the path.
func (p *globPage) inCase(pattern, hit string) string {
	for _, glob := range [...]string{pattern, strings.ToLower(pattern)} {
		if strict, err := walk.NewGlob(glob, true); err == nil && strict.Match(words.Below(p.where.asked, hit), false) {
			return glob
		}
	}
	return words.Below(p.where.asked, hit)
}

// meantGlobs are globs that one may be meant as: without blanks and quotes around it, with what a
// regular expression has for wildcards, and with slashes between folders.
func meantGlobs(glob string) (all []string) {
	plain := strings.TrimSpace(strings.Trim(strings.TrimSpace(glob), "\"'`"))
	regex := strings.TrimSuffix(strings.TrimPrefix(plain, "^"), "$")
	regex = strings.NewReplacer(`\d+`, "[0-9]*", `\d`, "[0-9]", `\w+`, "?*", `\w`, "?", "**", "**", ".*", "*", ".+", "?*", `\.`, ".",
		"(", "{", "|", ",", ")", "}").Replace(regex)
	if strings.Contains(plain, "|") && !strings.Contains(plain, "(") {
		regex = "{" + regex + "}"
	}
	for _, meant := range [...]string{plain, regex, strings.ReplaceAll(plain, `\`, "/")} {
		if meant != glob && meant != "" && !slices.Contains(all, meant) {
			all = append(all, meant)
		}
	}
	return all
}

// partsOfNames are globs for a word that may be meant as the ending or a part of a name.
func partsOfNames(word string) []string {
	if strings.ContainsAny(word, globSigns+"/") {
		return nil
	}
	return []string{"*" + word, "*" + word + "*"}
}

// patternForm says what is wrong with the form of a pattern, "" if nothing seems to be.
func (p *globPage) patternForm() string {
	pattern := p.request.Pattern
	parts := strings.FieldsFunc(pattern, func(r rune) bool { return strings.ContainsRune(", ;", r) })
	switch {
	case len(parts) > 1 && !strings.Contains(pattern, "{") && strings.Count(pattern, "*") > 1:
		return words.Phrase("a pattern is one glob: write several as %q", "{"+strings.Join(parts, ",")+"}")
	case strings.Contains(pattern, "{") && strings.Contains(pattern, ", "):
		return words.Phrase("a blank in braces is one in the name: %q has none", strings.ReplaceAll(pattern, ", ", ","))
	case strings.HasPrefix(pattern, "!"):
		return words.Phrase("a pattern says what is found and leaves nothing out: \"**/*\" finds all, and the glob of grep takes %q", pattern)
	case strings.HasSuffix(pattern, "$"), strings.HasPrefix(pattern, "^"):
		return words.Phrase("a pattern is a glob, no regular expression: %q finds names by their ending", "**/*"+lastExt(pattern))
	case strings.HasPrefix(pattern, "~"), strings.HasPrefix(pattern, "file:"), strings.HasPrefix(pattern, "$"):
		return "a pattern is relative to path, which is the root by default: leave out what comes before it"
	}
	return ""
}

// nearly finds the first path that a pattern matches in any case, hidden and ignored ones as well.
// What policy denies isn't looked at.
func (p *globPage) nearly(ctx context.Context, pattern string) (hit string) {
	glob, err := walk.NewGlob(strings.ToLower(pattern), true)
	if err != nil {
		return ""
	}
	left := maxLookedAt
	o := walk.Options{Path: p.where.path, NoIgnore: true, Blocked: p.where.blocked(p.env.Workspace)}
	p.env.lookAround(ctx, o, &left, func(e walk.Entry) (more bool) {
		rel := strings.ToLower(words.Below(p.where.path, e.Path))
		if p.wants(e.Type) && glob.Match(rel, e.Type&fs.ModeDir != 0) {
			hit = p.where.shown(e.Path)
		}
		return hit == ""
	})
	return hit
}

// whyNot says what keeps a path out of the result of a pattern.
func (p *globPage) whyNot(ctx context.Context, hit, pattern string) (why string) {
	rel := words.Below(p.where.asked, hit)
	if strict, err := walk.NewGlob(pattern, true); err == nil && !strict.Match(rel, false) {
		why = "; a glob tells upper from lower case"
	}
	return why + ignoredBy(ctx, p.env, hit, p.request.NoIgnore) + hiddenBy(rel, p.request.IncludeHidden)
}

// ignoredBy names the rule of an ignore file that leaves a path out of a walk.
func ignoredBy(ctx context.Context, env *Env, path string, noIgnore bool) string {
	root, err := env.root()
	if err != nil || noIgnore {
		return ""
	}
	defer root.Close()
	rule, ok := walk.WhyIgnored(ctx, root, path, false)
	if !ok || !env.Workspace.Exists(rule.File) { // policy may deny the file
		return ""
	}
	return words.Phrase("; %q, line %d of %q, ignores it: set no_ignore", rule.Text, rule.Line, rule.File)
}

// hiddenBy says so if a leading dot leaves a path out of a walk.
func hiddenBy(path string, includeHidden bool) string {
	if includeHidden || !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") {
		return ""
	}
	return "; a leading dot hides it: set include_hidden"
}
