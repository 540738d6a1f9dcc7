package find

import (
	"math"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText writes what was found: matches grouped by file, files, or counts.
func (r *GrepResult) WriteText(t *answer.Text, a answer.Answer) {
	found := r.writeFound(t)
	n := len(r.Matches) + len(r.Files) + len(r.Counts)
	switch {
	case n > 0 || r.Truncated:
	case r.FilesSearched == 0:
		t.Note("no file was searched")
	default:
		t.Note("no match in " + words.Plural(r.FilesSearched, "file"))
	}
	t.GoOn(n, found, r.TruncatedBy, r.NextCursor)
	if r.FilesCapped > 0 {
		t.Note(words.Plural(r.FilesCapped, "file") + " with more lines than max_matches_per_file")
	}
	t.LeftOut(r.LeftOut, n == 0)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(a.Hint)
}

// writeFound writes the list that the request asked for, and gives the word for what it lists.
func (r *GrepResult) writeFound(t *answer.Text) (thing string) {
	switch r.OutputMode {
	case "files":
		for _, f := range r.Files {
			t.Path(words.Exact(f), "")
		}
	case "counts":
		for _, c := range r.Counts {
			t.Line(words.Exact(c.File), ":", words.Int(c.Count))
		}
	default:
		r.writeMatches(t)
		return "match"
	}
	return "file"
}

// writeMatches writes a group of lines for each file, as ripgrep does with --heading.
func (r *GrepResult) writeMatches(t *answer.Text) {
	cut := false
	for rest := r.Matches; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].file == rest[0].file {
			n++
		}
		if len(rest) < len(r.Matches) {
			t.Line()
		}
		t.Paint(answer.HueFile, words.Exact(rest[0].file))
		t.Line()
		file := answer.FoundLines{Text: t, Apart: r.context}
		for i := range rest[:n] {
			next := int64(math.MaxInt64)
			if i+1 < n {
				next = rest[i+1].line
			}
			match := rest[i].match()
			file.Add(match.shown(), next)
		}
		cut, rest = cut || file.Cut, rest[n:]
	}
	if cut {
		t.Note("… is where a line is cut; read shows more of it")
	}
}

// shown is a match as the text form has it.
func (m *GrepMatch) shown() answer.Found {
	f := answer.Found{Line: m.Line, End: max(m.Line, m.EndLine), Painted: m.found(), Before: m.Before, After: m.After,
		IDs: m.ids}
	if m.ContextCut {
		f.ContextChars = snippetChars
	}
	f.Text, f.Cut = m.shownSnippet()
	return f
}

// snippetChars is how many code points of a line grep shows.
const snippetChars = 200

// shownSnippet is the snippet with … where something is cut off.
func (m *GrepMatch) shownSnippet() (snippet string, cut bool) {
	if m.SnippetStart == nil {
		return m.Snippet, false
	}
	front, after := m.MatchStart-*m.SnippetStart, *m.SnippetStart+utf8.RuneCountInString(m.Snippet)-m.MatchEnd
	snippet = m.Snippet
	if *m.SnippetStart > 0 {
		snippet = "…" + snippet
	}
	if *m.SnippetStart == 0 || after+1 >= front { // else the line ends soon after the match, and more of its front is shown
		snippet += "…"
	}
	return snippet, true
}

// found are the parts of the snippet, as shownSnippet gives it, that match.
func (m *GrepMatch) found() answer.Spans {
	all, start := answer.Spans(m.Submatches), 0
	if len(all) == 0 {
		all = answer.Spans{{m.MatchStart, m.MatchEnd}}
	}
	if m.SnippetStart != nil {
		if start = *m.SnippetStart; start > 0 {
			start-- // for the … in front
		}
	}
	return all.Shifted(start)
}
