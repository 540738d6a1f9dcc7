package grep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"fsbox/commands/command"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/search/walk"
)

// maxProbed is in how many files a search that found nothing may be repeated with other settings,
// over all repetitions. A search of more files than that isn't repeated.
const maxProbed = 10_000

// minProbed is in how many files such a search may look besides, however few were searched;
// maxUnseen is for how many hidden or ignored names it may look into what they have.
const minProbed, maxUnseen = 200, 64

// A search is repeated for so many other queries, and so many files are named in which one finds
// something.
const (
	mostQueries = 6
	mostFiles   = 20
)

// nothingHint says why a search found nothing, by looking where the same query, or a similar one,
// would find something.
func (p *grepPage) nothingHint(ctx context.Context) string {
	r, g := &p.result, p.request
	if r.FilesMatched > 0 || r.Truncated || g.Cursor != "" || p.CutBy != "" {
		return ""
	}
	if p.looks != "" {
		return p.looks + ", so its bytes were searched: read it with that encoding"
	}
	ctx, cancel := context.WithTimeout(ctx, p.env.Limits.Timeout/command.ProbeShare)
	defer cancel()
	if hint := cmp.Or(p.unsearched(), p.globHint(ctx)); hint != "" || r.FilesSearched > maxProbed {
		return hint
	}
	if hint := cmp.Or(p.otherQuery(ctx), p.elsewhere(ctx)); hint != "" {
		return hint
	}
	if isName := !strings.ContainsAny(g.Query, " \t\n*") && strings.ContainsAny(g.Query, "./"); isName && p.env.Workspace.Exists(g.Query) {
		return words.Phrase("%q is the path of a file: read reads it, and glob finds paths by name", g.Query)
	}
	if p.Where.Path != "." && !p.edits && r.FilesSearched > 0 {
		return words.Phrase("only %q was searched: omit path to search everything", g.Path)
	}
	return ""
}

// unsearched says why no file was searched, if some passed the filter and were of no use all the
// same: they are binary, or can't be read.
func (p *grepPage) unsearched() string {
	r := &p.result
	switch {
	case r.FilesSearched > 0 || p.single:
	case r.Binary > 0 && p.edits:
		return words.Phrase("%q is binary, and only text files can be edited", p.firstBinary)
	case r.Binary > 0:
		return words.Phrase("%q is binary, so it was not searched: give it as path to search it anyway", p.firstBinary)
	case r.SkippedCount > 0:
		return "what was to be searched can't be read: skipped says why"
	}
	return ""
}

// others are the queries that the query may be meant as, without those that aren't valid.
func (p *grepPage) others() []hint.Query {
	isInvalid := func(q match.Query) bool {
		g := p.request.with(q)
		_, err := g.compile()
		return err != nil
	}
	all := slices.DeleteFunc(hint.Queries(p.request.query()), func(v hint.Query) bool {
		return p.edits && v.Regex && !v.Raw || isInvalid(v.Query)
	})
	all = all[:min(len(all), mostQueries)]
	for len(all) > 1 && isInvalid(hint.AllAtOnce(all)) { // together they are too long
		all = all[:len(all)-1]
	}
	return all
}

// elseQuery gives what to look for in files without a match: one query for all of the others, for
// the first maxProbed of those files.
func (p *grepPage) elseQuery() func() *match.Matcher {
	all := sync.OnceValue(p.allOthers)
	var asked atomic.Int64
	return func() *match.Matcher {
		if asked.Add(1) > maxProbed {
			return nil
		}
		return all()
	}
}

// allOthers finds what any of the others does that isn't counted anyway; nil if there are none.
func (p *grepPage) allOthers() *match.Matcher {
	all := p.others()
	if p.also.counts != nil && p.also.meant.Regex {
		all = slices.DeleteFunc(all, func(v hint.Query) bool { return v.Query == p.also.meant.Query })
	}
	if len(all) > 0 {
		g := p.request.with(hint.AllAtOnce(all))
		if m, err := g.compile(); err == nil {
			return m
		}
	}
	return nil
}

// otherQuery searches once more for all that the query may be meant as, in the files in which the
// first search saw that something of it is there (searched). In those it then finds out which query
// it is.
func (p *grepPage) otherQuery(ctx context.Context) string {
	all := p.others()
	if len(all) == 0 {
		return ""
	}
	found := map[string]bool{}
	for _, m := range p.firstIn(ctx, p.request.with(hint.AllAtOnce(all)), func(file string) bool { return p.searched[file] }) {
		found[p.Where.Resolved(m.File)] = true // as look gets it
	}
	if len(found) == 0 {
		return ""
	}
	for _, v := range all {
		if places := p.firstIn(ctx, p.request.with(v.Query), func(file string) bool { return found[file] }); len(places) > 0 {
			switch {
			case p.edits && v.Raw:
				v.Then = ": choose an expected text in ASCII"
			case p.edits && v.WholeWord == p.request.WholeWord:
				v.Then = "" // it names a field of grep
			}
			if p.edits {
				v.Say = strings.ReplaceAll(v.Say, "the query", "the expected text")
			}
			return v.Say + place(places[0]) + v.Then
		}
	}
	return ""
}

// elsewhere searches for the same in what the first search has listed and not searched: files that
// glob and file_type leave out, then hidden and ignored ones. It looks into as many files as were
// searched, or a few.
func (p *grepPage) elsewhere(ctx context.Context) string {
	if p.single {
		return ""
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	most := min(max(p.result.FilesSearched, minProbed), maxProbed)
	var looked atomic.Int64
	look := func(path string) bool {
		if _, done := p.searched[path]; done || isLitter(path) {
			return false
		}
		if looked.Add(1) <= most {
			return true
		}
		stop() // nothing is gained by listing the rest
		return false
	}
	g := *p.request
	g.Glob, g.FileType = nil, nil
	if p.filtered {
		if found := p.firstIn(ctx, g, func(path string) bool { return len(p.leftOut(path)) > 0 && look(path) }); len(found) > 0 {
			return p.leastHidden(ctx, found)
		}
	}
	g.NoIgnore, g.IncludeHidden = true, true
	var found []Match
	for _, path := range p.unseen {
		g.Path = p.Where.Shown(path)
		found = append(found, p.firstIn(ctx, g, look)...)
	}
	return p.leastHidden(ctx, found)
}

// isLitter reports whether something is, or lies in, what a killed call left: it isn't for anybody.
func isLitter(path string) bool { return strings.Contains("/"+path, "/.fsbox-") }

// leastHidden names the first of some matches that the fewest settings hide, and those settings.
func (p *grepPage) leastHidden(ctx context.Context, found []Match) string {
	best, why := "", []string(nil)
	for _, m := range found {
		file := p.Where.Resolved(m.File)
		reasons := p.leftOut(file)
		rule := p.env.Hints().LeftOut(ctx, p.Where.Path, file, p.request.NoIgnore, p.request.IncludeHidden)
		if p.edits {
			rule = strings.NewReplacer(": set no_ignore and include_hidden", "", ": set no_ignore", "", ": set include_hidden", "").Replace(rule)
		}
		if rule != "" {
			reasons = append(reasons, rule)
		}
		if m.File = p.Where.Shown(file); best == "" || len(reasons) < len(why) {
			best, why = "it is in"+place(m), reasons
		}
	}
	return best + strings.Join(why, "")
}

// leftOut says by which fields of the request a file is not searched.
func (p *grepPage) leftOut(file string) (why []string) {
	rel := words.Below(p.Where.Path, file)
	if !p.filter.Match(rel) {
		why = append(why, ", which glob excludes")
	}
	if !p.types.Match(rel) {
		why = append(why, ", which file_type excludes")
	}
	return why
}

// place names a match in a hint.
func place(m Match) string { return fmt.Sprintf(" %q line %d", m.File, m.Line) }

// firstIn gives the first match in each of the first files in which a search finds something, of
// those that look lets it look into.
func (p *grepPage) firstIn(ctx context.Context, g Request, look func(path string) bool) []Match {
	g.OutputMode, g.MaxMatches, g.MaxMatchesPerFile, g.Before, g.After, g.Context = "matches", mostFiles, 1, 0, 0, 0
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
	return slices.Collect(q.result.Matches.All())
}

// globHint says what is wrong with a glob that no file passed, if its form tells it.
func (p *grepPage) globHint(ctx context.Context) string {
	if p.result.FilesSearched > 0 || !p.filtered {
		return ""
	}
	for _, glob := range p.request.Glob {
		if strings.HasPrefix(glob, "!") {
			continue
		}
		meant := append([]string{glob}, hint.MeantGlobs(glob)...)
		if hit, finds := p.nearFile(ctx, meant); hit != "" {
			return hint.Quoted(hit, words.Under(p.Where.Asked, glob)) + " exists: set glob to " + hint.Quoted(finds, glob)
		}
		if form := hint.GlobForm(glob, p.Where.Asked); form != "" {
			return form
		}
	}
	return ""
}

// nearFile finds the file that is nearest to what one of several globs lets through, and a glob
// that finds it. The first of them has found nothing.
func (p *grepPage) nearFile(ctx context.Context, globs []string) (hit, finds string) {
	near := hint.NearGlobs(globs, func(glob string) func(string, bool) bool {
		globs, err := p.env.Globs(p.Where.Asked, []string{glob})
		if err != nil {
			return nil
		}
		filter, err := walk.NewFilter(globs.Globs)
		if err != nil {
			return nil
		}
		return func(path string, _ bool) bool { return filter.Match(path) }
	})
	o := walk.Options{Path: p.Where.Path, NoIgnore: p.request.NoIgnore, Blocked: p.Where.Blocked(p.env.Workspace)}
	hit, distance := p.env.Hints().Nearest(ctx, o, func(e walk.Entry) int {
		below := words.Below(p.Where.Path, e.Path)
		isHidden := !p.request.IncludeHidden && strings.Contains("/"+below, "/.")
		if !e.Type.IsRegular() || isHidden || !p.types.Match(below) {
			return -1
		}
		d := near(below, false)
		if g := hint.NearGlobAt(d); d >= 0 && g.Index == 0 && g.IsExact {
			return -1
		}
		return d
	})
	if hit == "" {
		return "", ""
	}
	below := words.Below(p.Where.Path, hit)
	finds = globs[hint.NearGlobAt(distance).Index]
	if !hint.NearGlobAt(distance).IsExact {
		finds = below
	}
	return p.Where.Shown(hit), finds
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
	case !r.UseRegex && r.FilesSearched > maxProbed && match.LooksLikeRegex(r.Query, ""): // else that was tried
		return "the query was taken as literal text; set use_regex to search for it as a regular expression"
	}
	return ""
}
