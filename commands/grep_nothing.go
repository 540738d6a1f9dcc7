package commands

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync/atomic"

	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/search/walk"
	"fsbox/textio/edit"
)

// maxProbed is in how many files a search that found nothing may be repeated with other settings,
// over all repetitions. A search of more files than that isn't repeated.
const maxProbed = 10_000

// probeShare is the part of the timeout that the repetitions may take.
const probeShare = 20

// variant is a search that differs in a small thing. If it finds something, the hint is the place
// between say and then.
type variant struct {
	Grep
	say, then string
}

// nothingHint says why a search found nothing, by looking where the same query, or a similar one,
// would find something.
func (p *grepPage) nothingHint(ctx context.Context) string {
	r, g := &p.result, p.request
	if r.FilesMatched > 0 || r.Truncated || g.Cursor != "" || p.by != "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, p.env.Limits.Timeout/probeShare)
	defer cancel()
	if hint := p.globHint(ctx); hint != "" || r.FilesSearched > maxProbed {
		return hint
	}
	filesLeft := new(atomic.Int64)
	filesLeft.Store(maxProbed)
	if hint := cmp.Or(p.otherQuery(ctx, filesLeft), p.elsewhere(ctx, filesLeft)); hint != "" {
		return hint
	}
	if isName := !strings.ContainsAny(g.Query, " \t\n*") && strings.ContainsAny(g.Query, "./"); isName && p.env.Workspace.Exists(g.Query) {
		return words.Phrase("%q is the path of a file: read reads it, and glob finds paths by name", g.Query)
	}
	return ""
}

// otherQuery searches the same files once more, for all variants of the query at once. Which of
// them to tell is decided by looking into the files found, each of which has one at least.
func (p *grepPage) otherQuery(ctx context.Context, filesLeft *atomic.Int64) (hint string) {
	all := slices.DeleteFunc(variants(p.request), func(v variant) bool {
		_, err := v.compile()
		return err != nil
	})
	asked := allAtOnce(all)
	for ; len(all) > 1; asked = allAtOnce(all) {
		if _, err := asked.compile(); err == nil {
			break
		}
		all = all[:len(all)-1] // together they are too long
	}
	if len(all) == 0 {
		return ""
	}
	for _, file := range p.filesWith(ctx, asked, func(string) bool { return filesLeft.Add(-1) >= 0 }) {
		for i, v := range all {
			if place := p.placeIn(ctx, v.Grep, file); place != "" {
				hint, all = v.say+place+v.then, all[:i]
				break
			}
		}
	}
	return hint
}

// allAtOnce is a search for what any of the variants matches: all files that one of them finds.
func allAtOnce(all []variant) (g Grep) {
	var exprs []string
	for _, v := range all {
		flags, expr := "", v.Query
		if v.ignoresCase() {
			flags += "i"
		}
		if v.Multiline {
			flags += "s"
		}
		if !v.UseRegex {
			expr = regexp.QuoteMeta(expr)
		}
		exprs = append(exprs, "(?"+flags+":"+expr+")")
		v.Multiline = v.Multiline || g.Multiline
		g = v.Grep
	}
	if len(all) > 1 {
		g.Query, g.UseRegex, g.CaseSensitive, g.IgnoreCase, g.WholeWord = strings.Join(exprs, "|"), true, true, false, false
	}
	return g
}

// elsewhere searches for the same in other files: first in those that glob, file_type and path
// leave out, then in hidden and ignored ones as well.
func (p *grepPage) elsewhere(ctx context.Context, filesLeft *atomic.Int64) string {
	g := *p.request
	narrow := p.where.path != "."
	hides := !p.single && p.result.Ignored+p.result.Hidden > 0
	g.Path, g.Glob, g.FileType = ".", nil, nil
	for _, everything := range [...]bool{false, true} {
		if !narrow && !(p.filtered && !everything || hides && everything) {
			continue
		}
		g.NoIgnore, g.IncludeHidden = g.NoIgnore || everything, g.IncludeHidden || everything
		best, why := "", []string(nil)
		for _, file := range p.filesWith(ctx, g, func(path string) bool {
			return (everything || len(p.leftOut(path)) > 0) && filesLeft.Add(-1) >= 0
		}) {
			reasons := p.leftOut(file)
			if rule := p.hiddenOrIgnored(ctx, file); rule != "" {
				reasons = append(reasons, rule)
			}
			if best == "" || len(reasons) < len(why) {
				best, why = file, reasons
			}
		}
		if place := p.placeIn(ctx, g, best); place != "" {
			return "it is in" + place + strings.Join(why, "")
		}
	}
	return ""
}

// leftOut says by which fields of the request a file is not searched.
func (p *grepPage) leftOut(file string) (why []string) {
	rel, fields := words.Below(p.where.path, file), map[bool]string{false: ", which file_type leaves out", true: ", which glob leaves out"}
	outside := p.where.path != "." && file != p.where.path && !strings.HasPrefix(file, p.where.path+"/")
	if outside {
		rel, why = file, []string{": leave path out to search there as well"}
	}
	if !p.single && !(p.filter.Match(rel) && p.types.Match(rel)) {
		why = append([]string{fields[len(p.request.Glob) > 0]}, why...)
	}
	return why
}

func (p *grepPage) hiddenOrIgnored(ctx context.Context, file string) string {
	return ignoredBy(ctx, p.env, file, p.request.NoIgnore) + hiddenBy(words.Below(p.where.path, file), p.request.IncludeHidden)
}

// variants are searches in the same files that differ in a small thing, those first that are meant
// most likely.
func variants(g *Grep) (all []variant) {
	add := func(when bool, say, then string, change func(*Grep)) {
		if v := (variant{*g, say, then}); when {
			change(&v.Grep)
			all = append(all, v)
		}
	}
	signs := strings.ContainsAny(g.Query, regexSigns)
	add(!g.ignoresCase(), "in another case it is in", ": set case_sensitive to false", func(g *Grep) { g.CaseSensitive = false })
	add(g.WholeWord, "as a part of longer words it is in", ": set whole_word to false", func(g *Grep) { g.WholeWord = false })
	add(!g.UseRegex && signs, "as a regular expression the query matches in", ": set use_regex", func(g *Grep) { g.UseRegex = true })
	add(g.UseRegex && signs, "as literal text the query is in", ": set use_regex to false", func(g *Grep) { g.UseRegex = false })
	add(g.UseRegex && unescaped(g.Query) != g.Query, "as literal text, without the backslashes, the query is in",
		": set use_regex to false, or put a backslash before each of "+regexSigns+" that is meant as itself",
		func(g *Grep) { g.UseRegex, g.Query = false, unescaped(g.Query) })
	add(g.UseRegex && !g.Multiline, "over several lines it matches in", ": set multiline", func(g *Grep) { g.Multiline = true })
	for _, strict := range [...]bool{true, false} {
		query := fromDialect(g.Query, strict)
		add(query != g.Query, "RE2 writes some signs without a backslash, and \\b for \\< and \\>; so written the query matches in",
			words.Phrase(": set query to %q and use_regex", query), func(g *Grep) { g.Query, g.UseRegex = query, true })
	}
	if m := regexp.MustCompile(`^/(.+)/([gimsuy]*)$`).FindStringSubmatch(g.Query); m != nil {
		then := words.Phrase(": set query to %q", m[1])
		if mayBeRegex(m[1]) {
			then += ", with use_regex"
		}
		if strings.Contains(m[2], "i") {
			then += ", with case_sensitive false"
		}
		add(true, "without the slashes around it the query matches in", then, func(g *Grep) {
			g.Query, g.UseRegex = m[1], g.UseRegex || mayBeRegex(m[1])
			g.CaseSensitive = g.CaseSensitive && !strings.Contains(m[2], "i")
		})
	}
	for _, v := range [...]struct{ query, say string }{
		{strings.TrimSpace(g.Query), "without the blanks around it"},
		{between(g.Query, `"'`+"`"), "without the quotes around it"},
		{string(edit.WithoutNumbers([]byte(g.Query))), "without the line number before it"},
		{string(edit.WithoutEntities([]byte(g.Query))), "with < > & instead of HTML entities"},
		{strings.NewReplacer(`\"`, `"`, `\'`, `'`).Replace(g.Query), "without the backslashes"},
		{strings.Trim(strings.ReplaceAll(g.Query, `\n`, "\n"), "\n"), "without \\n as two characters"},
	} {
		when := v.query != g.Query && v.query != "" && !(g.UseRegex && strings.Contains(v.query, "\n"))
		add(when, v.say+" the query is in", "", func(g *Grep) {
			g.Query, g.Multiline = v.query, g.Multiline || strings.Contains(v.query, "\n")
		})
	}
	return all
}

// fromDialect is a query in RE2's form that was written for grep, sed or vi, where some signs have
// their meaning only after a backslash. If it is strict, they are themselves without one.
func fromDialect(query string, strict bool) string {
	foreign := false
	out := regexp.MustCompile(`\\.|[|(){}+?]`).ReplaceAllStringFunc(query, func(sign string) string {
		meant, escaped := strings.CutPrefix(sign, `\`)
		switch {
		case !escaped && strict:
			return `\` + sign
		case !escaped || !strings.Contains("|(){}+?<>Zz", meant):
			return sign
		}
		foreign = true
		return strings.NewReplacer("<", `\b`, ">", `\b`, "Z", "$", "z", "$").Replace(meant)
	})
	if !foreign {
		return query
	}
	return out
}

// mostTried is how many files that may have a variant are looked into.
const mostTried = 20

// filesWith gives the first files in which a search finds something, as far as look lets it look.
func (p *grepPage) filesWith(ctx context.Context, g Grep, look func(path string) bool) []string {
	g.OutputMode, g.MaxMatches = "files", mostTried
	if q := p.repeat(ctx, g, look); q != nil {
		return q.result.Files
	}
	return nil
}

// placeIn is where a search first finds something in a file, "" if nowhere.
func (p *grepPage) placeIn(ctx context.Context, g Grep, file string) string {
	g.Path, g.OutputMode, g.MaxMatches = file, "matches", 1
	q := p.repeat(ctx, g, nil)
	if file == "" || q == nil || len(q.result.Matches) == 0 {
		return ""
	}
	return fmt.Sprintf(" %q line %d", file, q.result.Matches[0].Line)
}

func (p *grepPage) repeat(ctx context.Context, g Grep, look func(path string) bool) *grepPage {
	g.MaxMatchesPerFile, g.Before, g.After, g.Context = 0, 0, 0, 0
	m, err := g.compile()
	if err != nil || ctx.Err() != nil {
		return nil
	}
	q, err := g.page(p.env)
	if err != nil {
		return nil
	}
	q.look = look
	_, _ = q.search(ctx, m) // what was found until an error is as good
	return q
}

// globHint says what is wrong with a glob that no file passed, if its form tells it.
func (p *grepPage) globHint(ctx context.Context) string {
	if p.result.FilesSearched > 0 || !p.filtered {
		return ""
	}
	for _, glob := range p.request.Glob {
		for _, meant := range meantGlobs(glob) {
			if hit := p.firstFile(ctx, meant); hit != "" {
				return words.Phrase("%q is there: set glob to %q", hit, meant)
			}
		}
		if hint := globForm(glob, p.where.asked); hint != "" {
			return hint
		}
	}
	return ""
}

// firstFile finds the first file that a glob lets through.
func (p *grepPage) firstFile(ctx context.Context, glob string) (hit string) {
	filter, err := walk.NewFilter([]string{glob})
	if err != nil {
		return ""
	}
	left := maxLookedAt
	o := walk.Options{Path: p.where.path, Blocked: p.where.blocked(p.env.Workspace)}
	p.env.lookAround(ctx, o, &left, func(e walk.Entry) (more bool) {
		if e.Type.IsRegular() && filter.Match(words.Below(p.where.path, e.Path)) {
			hit = p.where.shown(e.Path)
		}
		return hit == ""
	})
	return hit
}

// globForm says what is wrong with the form of a glob, "" if nothing seems to be.
func globForm(glob, folder string) string {
	parts := strings.FieldsFunc(glob, func(r rune) bool { return strings.ContainsRune(", ;|", r) })
	rest, below := strings.CutPrefix(strings.TrimPrefix(glob, "./"), folder+"/")
	switch {
	case len(parts) > 1 && !strings.Contains(glob, "{"):
		return fmt.Sprintf(`a glob is one pattern: give several as a list, "glob": ["%s"]`, strings.Join(parts, `", "`))
	case below:
		return words.Phrase("globs are relative to path: set glob to %q", rest)
	case strings.HasPrefix(glob, "/"), strings.HasPrefix(glob, "~"):
		return "globs are relative to path, and the root is where path begins: leave out what comes before it"
	case strings.HasSuffix(glob, "$"), strings.HasPrefix(glob, "^"), strings.Contains(glob, `\.`):
		return words.Phrase("a glob is no regular expression: %q matches names by their ending", "*"+lastExt(glob))
	case strings.HasPrefix(glob, ".") && !strings.ContainsAny(glob, "/*?"):
		return words.Phrase("a glob matches whole names: %q matches all that end so", "*"+glob)
	case !strings.ContainsAny(glob, "./*?[{"):
		return words.Phrase("a glob matches whole names: %q matches all that end so, and file_type knows kinds of files", "*."+glob)
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
	return regexp.MustCompile(`\\([\\.*+?()\[\]{}|^$])`).ReplaceAllString(regex, "$1")
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
