package find

import (
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/textio/anchor"
)

func grepMatch(shown string, line *match.LineMatch) GrepMatch {
	match := GrepMatch{File: shown, PathBase64: words.Base64(shown), Line: line.Line, Snippet: line.Snippet, MatchStart: line.Start,
		MatchEnd:   line.End,
		Submatches: line.Submatches, SubmatchesTruncated: line.MoreMatches, Before: line.Before, After: line.After, ContextCut: line.ContextCut,
		ids: line.IDs}
	if line.IDs != nil {
		match.Anchor = anchor.Anchor{Line: line.Line, ID: line.IDs.Found[0]}.String()
	}
	if line.EndLine > line.Line {
		match.EndLine = line.EndLine
	}
	if line.SnippetCut {
		start := line.SnippetStart // a copy, so that the line can be freed
		match.SnippetStart = &start
	}
	return match
}

// cutTo makes a match fit on a page by itself: with one that fits on no page, paging could not go
// on. A quarter of the page is for the context on either side, the nearest lines first; the rest is
// for the match, with its submatches if they fit.
func (m *GrepMatch) cutTo(b *answer.Budget) {
	if b.Size(*m) <= b.Left {
		return
	}
	m.ContextCut = m.ContextCut || len(m.Before)+len(m.After) > 0
	before := slices.Clone(m.Before)
	slices.Reverse(before)
	before = answer.Fitting(answer.NewBudget(b.Left/4), before)
	m.Before = m.Before[len(m.Before)-len(before):]
	m.After = answer.Fitting(answer.NewBudget(b.Left/4), m.After)
	if len(m.Submatches) > 0 && b.Size(*m) > b.Left {
		m.Submatches, m.SubmatchesTruncated = nil, true
	}
}
