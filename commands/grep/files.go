package grep

import (
	"cmp"
	"context"
	"unicode/utf8"

	"fsbox/commands/command"
	"fsbox/search/match"
)

// Files finds the files below a folder in which a text is, or one that begins like a long one, up
// to most of them, for a command that changes them: the page has their paths, and what was left
// out. Where there are none, its hint says why, and names no field but path, glob and whole_word.
// Text is found in any form of line ends. The search must come to its end: if time runs out, that
// is the error.
func Files(ctx context.Context, env *command.Env, path string, globs []string, q match.Query, most int64) (*Result, error) {
	if n := maxLiteral; len(q.Text) > n { // what begins like it is as good
		for !utf8.RuneStart(q.Text[n]) {
			n--
		}
		q.Text, q.WholeWord = q.Text[:n], false
	}
	g := &Request{Path: path, Glob: globs, OutputMode: "files", MaxMatches: most, CaseSensitive: true}
	*g = g.with(q)
	matcher, err := g.compile()
	if err != nil {
		return nil, err
	}
	whole := *env
	whole.Limits.MaxOutputBytes = maxFound
	page, err := g.page(&whole)
	if err != nil {
		return nil, err
	}
	page.edits = true
	folder, err := env.ScopeOf(path)
	if err != nil {
		return nil, err
	}
	tally, err := page.searchFolder(ctx, matcher, folder)
	if late, short := page.EndOfWalk(tally, err); late || short != nil {
		return nil, cmp.Or(short, err)
	}
	result := page.finish(tally, false)
	result.Next = cmp.Or(page.nothingHint(ctx), page.editHint(), page.letter, page.both)
	return result, nil
}

// maxFound is more than the paths of all files take that may change together, in bytes.
const maxFound = 64 << 20

// editHint is plainHint for an edit.
func (p *grepPage) editHint() string {
	r := &p.result
	switch {
	case r.FilesMatched > 0:
		return ""
	case r.FilesSearched == 0:
		return "no file passed glob; globs are relative to path, and hidden and ignored files are skipped"
	case match.LooksLikeRegex(p.request.Query, ""):
		return "the expected text is literal text, not a regular expression: give it as it is in the files"
	}
	return ""
}
