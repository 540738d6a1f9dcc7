package find

import (
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

// cutTo removes context, the farthest lines first, and then submatches, until a match fits on a
// page by itself. With one that fits on no page, paging could not go on.
func (m *GrepMatch) cutTo(r *answer.Budget) {
	if r.Size(*m) <= r.Left {
		return
	}
	before, after := m.Before, m.After
	m.Before, m.After, m.ContextCut = nil, nil, len(before)+len(after) > 0 || m.ContextCut
	for m.Submatches != nil && r.Size(*m) > r.Left {
		m.Submatches, m.SubmatchesTruncated = m.Submatches[:len(m.Submatches)/2:len(m.Submatches)/2], true
		if len(m.Submatches) == 0 {
			m.Submatches = nil
		}
	}
	m.takeContext(before, after, answer.NewBudget(r.Left-r.Size(*m)-int64(len(`,"before":[],"after":[],`))))
}

// takeContext gives a match as much of its context as fits, the nearest lines first.
func (m *GrepMatch) takeContext(before, after []string, left *answer.Budget) {
	for n := 1; n <= max(len(before), len(after)); n++ {
		switch {
		case n <= len(before) && !left.Add(before[len(before)-n]):
			return
		case n <= len(before):
			m.Before = before[len(before)-n:]
		}
		switch {
		case n <= len(after) && !left.Add(after[n-1]):
			return
		case n <= len(after):
			m.After = after[:n]
		}
	}
}
