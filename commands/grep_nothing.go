package commands

import (
	"context"
	"fmt"
	"path"
	"regexp/syntax"
	"strings"
	"sync/atomic"

	"fsbox/search/match"
	"fsbox/textio/edit"
)

// maxProbed is in how many files a search that found nothing may be repeated with other settings,
// over all repetitions. A search of more files than that isn't repeated.
const maxProbed = 10_000

// probeShare is the part of the timeout that the repetitions may take.
const probeShare = 20

// looser is a search with one setting changed, and what to say if that finds something: the format
// gets the place.
type looser struct {
	when   bool
	change func(*Grep)
	say    string
}

// nothingHint says why a search found nothing, by looking where the same query, or a similar one,
// would find something.
func (p *grepPage) nothingHint(ctx context.Context) string {
	r, g := &p.result, p.request
	if r.FilesMatched > 0 || r.Truncated || g.Cursor != "" || p.by != "" {
		return ""
	}
	if hint := p.globHint(); hint != "" || r.FilesSearched > maxProbed {
		return hint
	}
	ctx, cancel := context.WithTimeout(ctx, p.env.Limits.Timeout/probeShare)
	defer cancel()
	filesLeft := new(atomic.Int64)
	filesLeft.Store(maxProbed)
	for _, l := range append(looserQueries(g), p.looserScopes()...) {
		if !l.when {
			continue
		}
		if hit, ok := p.probe(ctx, l.change, filesLeft); ok {
			return fmt.Sprintf(l.say, fmt.Sprintf("%q line %d", hit.File, hit.Line)) + p.leftOutBy(ctx, hit.File)
		}
	}
	if isName := !strings.ContainsAny(g.Query, " \t\n*") && strings.ContainsAny(g.Query, "./"); isName && p.env.Workspace.Exists(g.Query) {
		return phrase("%q is the path of a file: read reads it, and glob finds paths by name", g.Query)
	}
	return ""
}

// looserQueries are searches in the same files.
func looserQueries(g *Grep) []looser {
	all := []looser{
		{!g.ignoresCase(), func(g *Grep) { g.CaseSensitive = false }, "in another case it is in %s: set case_sensitive to false"},
		{g.WholeWord, func(g *Grep) { g.WholeWord = false }, "as a part of longer words it is in %s: set whole_word to false"},
		{!g.UseRegex && mayBeRegex(g.Query), func(g *Grep) { g.UseRegex = true },
			"as a regular expression the query matches in %s: set use_regex"},
		{g.UseRegex && strings.ContainsAny(g.Query, regexSigns), func(g *Grep) { g.UseRegex = false },
			"as literal text the query is in %s: set use_regex to false"},
		{g.UseRegex && unescaped(g.Query) != g.Query, func(g *Grep) { g.UseRegex, g.Query = false, unescaped(g.Query) },
			"as literal text, without the backslashes, the query is in %s: set use_regex to false, or put a backslash before each " +
				"of " + regexSigns + " that is meant as itself"},
		{g.UseRegex && !g.Multiline, func(g *Grep) { g.Multiline = true }, "over several lines it matches in %s: set multiline"},
	}
	for _, v := range [...]struct{ query, say string }{
		{strings.TrimSpace(g.Query), "without the blanks around it the query is in %s"},
		{between(g.Query, `"'`+"`"), "without the quotes around it the query is in %s"},
		{between(g.Query, "/"), "without the slashes around it the query is in %s"},
		{string(edit.WithoutEntities([]byte(g.Query))), "with < > & instead of HTML entities the query is in %s"},
		{strings.NewReplacer(`\"`, `"`, `\'`, `'`).Replace(g.Query), "without the backslashes the query is in %s"},
		{strings.Trim(strings.ReplaceAll(g.Query, `\n`, "\n"), "\n"), "without \\n as two characters the query is in %s"},
	} {
		query := v.query
		all = append(all, looser{!g.UseRegex && query != g.Query && query != "", func(g *Grep) {
			g.Query, g.Multiline = query, g.Multiline || strings.Contains(query, "\n")
		}, v.say})
	}
	return all
}

// looserScopes are searches for the same in other files.
func (p *grepPage) looserScopes() []looser {
	g, hides := p.request, !p.single && p.result.Ignored+p.result.Hidden > 0
	unfiltered := func(g *Grep) { g.Glob, g.FileType = nil, nil }
	everything := func(g *Grep) { g.NoIgnore, g.IncludeHidden = true, true }
	what := "glob"
	if len(g.Glob) == 0 {
		what = "file_type"
	}
	return []looser{
		{!p.single && p.filtered, unfiltered, "it is in %s, which " + what + " leaves out"},
		{hides, everything, "it is in %s"},
		{hides && p.filtered, func(g *Grep) { unfiltered(g); everything(g) }, "it is in %s, which " + what + " leaves out"},
		{g.Path != ".", func(g *Grep) { unfiltered(g); g.Path = "." }, "it is in %s: leave path out to search there as well"},
		{g.Path != ".", func(g *Grep) { unfiltered(g); everything(g); g.Path = "." }, "it is in %s: leave path out to search there as well"},
	}
}

// probe repeats a search with other settings until it finds one line.
func (p *grepPage) probe(ctx context.Context, change func(*Grep), filesLeft *atomic.Int64) (hit GrepMatch, ok bool) {
	g := *p.request
	change(&g)
	g.MaxMatches, g.MaxMatchesPerFile, g.OutputMode, g.Before, g.After, g.Context = 1, 0, "matches", 0, 0, 0
	m, err := g.compile()
	if err != nil || ctx.Err() != nil {
		return hit, false
	}
	q, err := g.page(p.env)
	if err != nil {
		return hit, false
	}
	q.filesLeft = filesLeft
	if _, err = q.search(ctx, m); err != nil || len(q.result.Matches) == 0 {
		return hit, false
	}
	return q.result.Matches[0], true
}

// leftOutBy names what left a file out of the search: a rule of an ignore file, or a leading dot.
func (p *grepPage) leftOutBy(ctx context.Context, file string) string {
	if p.single {
		return ""
	}
	return ignoredBy(ctx, p.env, file, p.request.NoIgnore) + hiddenBy(below(p.where.path, file), p.request.IncludeHidden)
}

// globHint says what is wrong with a glob that no file passed, if its form tells it.
func (p *grepPage) globHint() string {
	if p.result.FilesSearched > 0 || !p.filtered {
		return ""
	}
	for _, glob := range p.request.Glob {
		if hint := globForm(glob, p.where.asked); hint != "" {
			return hint
		}
	}
	return ""
}

// globForm says what is wrong with the form of a glob, "" if nothing seems to be.
func globForm(glob, folder string) string {
	parts := strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune(", ;|", r) })
	rest, below := strings.CutPrefix(strings.TrimPrefix(glob, "./"), folder+"/")
	switch {
	case len(parts) > 1 && !strings.Contains(glob, "{"):
		return fmt.Sprintf(`a glob is one pattern: give several as a list, "glob": ["%s"]`, strings.Join(parts, `", "`))
	case below:
		return phrase("globs are relative to path: set glob to %q", rest)
	case strings.HasPrefix(glob, "/"), strings.HasPrefix(glob, "~"):
		return "globs are relative to path, and the root is where path begins: leave out what comes before it"
	case strings.HasSuffix(glob, "$"), strings.HasPrefix(glob, "^"), strings.Contains(glob, `\.`):
		return phrase("a glob is no regular expression: %q matches names by their ending", "*"+lastExt(glob))
	case strings.HasPrefix(glob, ".") && !strings.ContainsAny(glob, "/*?"):
		return phrase("a glob matches whole names: %q matches all that end so", "*"+glob)
	case !strings.ContainsAny(glob, "./*?[{"):
		return phrase("a glob matches whole names: %q matches all that end so, and file_type knows kinds of files", "*."+glob)
	}
	return ""
}

// lastExt is the ending that a regular expression for names asks for, ".*" if none.
func lastExt(regex string) string {
	ext := path.Ext(strings.TrimRight(strings.ReplaceAll(regex, `\`, ""), "$"))
	if ext == "" {
		return ".*"
	}
	return ext
}

// regexSigns have a meaning of their own in a regular expression.
const regexSigns = `\.*+?()[]{}|^$`

// unescaped is a regular expression as the literal text that its author may mean: he escaped some
// signs and forgot others.
func unescaped(regex string) string {
	var text strings.Builder
	for i := 0; i < len(regex); i++ {
		if regex[i] == '\\' && i+1 < len(regex) && strings.IndexByte(regexSigns, regex[i+1]) >= 0 {
			i++
		}
		text.WriteByte(regex[i])
	}
	return text.String()
}

// mayBeRegex reports whether a query is a regular expression and not only a text.
func mayBeRegex(query string) bool {
	if !strings.ContainsAny(query, regexSigns) {
		return false
	}
	_, err := syntax.Parse(query, syntax.Perl)
	return err == nil
}

// between takes the same sign off both ends of a text.
func between(text, signs string) string {
	if len(text) > 2 && text[0] == text[len(text)-1] && strings.ContainsRune(signs, rune(text[0])) {
		return text[1 : len(text)-1]
	}
	return text
}

// plainHint says what may be the reason when nothing was found, by the answer alone.
func (p *grepPage) plainHint() string {
	r := &p.result
	switch {
	case r.TruncatedBy == "timeout" && r.NextCursor == "":
		return "time ran out before the first file was searched: narrow path"
	case r.FilesMatched > 0 || r.Truncated:
		return ""
	case r.FilesSearched == 0 && p.filtered:
		return "no file passed glob and file_type; globs are relative to path"
	case r.FilesSearched == 0 && r.Binary == 1 && p.single:
		return "the file is binary and larger than max_read_bytes, so it was not searched"
	case !r.UseRegex && match.LooksLikeRegex(r.Query):
		return "the query was taken as literal text; set use_regex to search for it as a regular expression"
	case r.Ignored > 0 && r.FilesSearched == 0:
		return "ignore rules left everything out: set no_ignore to look there as well"
	}
	return ""
}
