package grep

import (
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/search/match"
	"fsbox/textio/anchor"
)

func grepMatch(shown string, line *match.LineMatch) Match {
	match := Match{File: shown, PathBase64: words.Base64(shown), Line: line.Line, Snippet: line.Snippet, MatchStart: line.Start,
		MatchEnd:   line.End,
		Submatches: line.Submatches, SubmatchesTruncated: line.MoreMatches, Before: line.Before, After: line.After, ContextCut: line.ContextCut,
		anchored: line.Anchored}
	if line.Anchored != nil {
		match.Anchor = anchor.Anchor{Line: line.Line, ID: line.Anchored.Found[0].ID}.String()
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

// cutTo makes a match fit on a page by itself, in the forms in which it goes out.
func (p *grepPage) cutTo(m *Match) {
	if p.Meter == nil || p.env.BothForms {
		m.cutTo(p.Budget)
	}
	for p.Meter != nil && len(m.Before)+len(m.After) > 0 && !p.fitsAlone(m) {
		most := max(len(m.Before), len(m.After)) / 2
		m.Before, m.After, m.ContextCut = m.Before[len(m.Before)-min(most, len(m.Before)):], m.After[:min(most, len(m.After))], true
		m.dropped = true
		if most == 0 {
			m.Before, m.After = nil, nil
		}
	}
}

// fitsAlone measures the text form of a match that is alone on its page.
func (p *grepPage) fitsAlone(m *Match) bool {
	alone, item := answer.NewMeter(p.env.Room()), foundOf(m)
	list := matchList{apart: p.result.context}
	list.add(&alone.Text, &item, nil)
	return alone.Fits(int64(cursorSize(m.File)))
}

// cutTo makes a match fit on a page by itself: with one that fits on no page, paging could not go
// on. A quarter of the page is for the context on either side, the nearest lines first; the rest is
// for the match, with its submatches if they fit.
func (m *Match) cutTo(b *answer.Budget) {
	if b.Size(*m) <= b.Left {
		return
	}
	bare := *m
	bare.Before, bare.After, bare.Submatches, bare.SubmatchesTruncated, bare.ContextCut = nil, nil, nil, true, true
	room := min(b.Left/4, (b.Left-b.Size(bare)-int64(len(`,"before":[],"after":[]`)))/2)
	lines := len(m.Before) + len(m.After)
	before := slices.Clone(m.Before)
	slices.Reverse(before)
	n := len(answer.Fitting(&answer.Budget{Left: room}, before))
	m.Before, m.After = m.Before[len(m.Before)-n:], answer.Fitting(&answer.Budget{Left: room}, m.After)
	m.dropped = len(m.Before)+len(m.After) < lines
	m.ContextCut = m.ContextCut || m.dropped
	if len(m.Before) == 0 {
		m.Before = nil
	}
	if len(m.After) == 0 {
		m.After = nil
	}
	if len(m.Submatches) > 0 && b.Size(*m) > b.Left {
		m.Submatches, m.SubmatchesTruncated = nil, true
	}
}
