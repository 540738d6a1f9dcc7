package grep

import (
	"math"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText writes what was found: matches grouped by file, files, or counts.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	n := len(r.Matches) + len(r.Files) + len(r.Counts)
	hint := t.PageOf(n, r.noun(), r.left.text(), r.TruncatedBy, r.NextCursor, a.Hint)
	r.writeFound(t)
	switch {
	case n > 0 || r.Truncated:
	case r.FilesSearched == 0:
		t.Note("no file was searched")
	default:
		t.Note("no match in " + words.Plural(r.FilesSearched, "file"))
	}
	if r.FilesCapped > 0 {
		t.Note(words.Plural(r.FilesCapped, "file") + " with more lines than max_matches_per_file")
	}
	t.LeftOut(r.LeftOut, n == 0)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(hint)
}

// noun is the word for what a page lists.
func (r *Result) noun() string {
	if r.OutputMode == "files" || r.OutputMode == "counts" {
		return "file"
	}
	return "match"
}

// writeFound writes the list that the request asked for.
func (r *Result) writeFound(t *answer.Text) {
	for _, f := range r.Files {
		writeFile(t, f)
	}
	for i := range r.Counts {
		r.Counts[i].write(t)
	}
	list := matchList{apart: r.context}
	for i := range r.Matches {
		next := (*found)(nil)
		if i+1 < len(r.Matches) {
			next = &r.Matches[i+1]
		}
		list.add(t, &r.Matches[i], next)
	}
	if len(r.Matches) > 0 && r.Matches[0].whole != nil && r.Matches[0].whole.dropped {
		t.Advise("context of the first match is omitted, as it doesn't fit", "read shows them")
	}
	if list.cut {
		t.Advise("… is where a line is cut", r.howToSeeMore(list.far))
	}
}

// readByDefault is how many characters of a line read shows, if it isn't told otherwise.
const readByDefault = 2000

// howToSeeMore says how read shows more of lines that are cut. far is where the last match begins.
func (r *Result) howToSeeMore(far int) string {
	switch {
	case far < readByDefault:
		return "read shows more of it"
	case int64(far) < r.readable:
		return "read with max_line_chars 0 and max_bytes " + words.Int(r.readable) + " shows more of it"
	}
	return "read shows its first " + words.Int(r.readable) + " characters at most; " +
		".{150} after the query, with use_regex, shows what follows it"
}

func writeFile(t *answer.Text, file string) { t.Path(words.Exact(file), "") }

func (c *Count) write(t *answer.Text) { t.Line(words.Exact(c.File), ":", words.Int(c.Count)) }

// matchList writes a group of lines for each file, as ripgrep does with --heading.
type matchList struct {
	apart bool // lines around the matches are asked for
	cut   bool // a line that was written isn't whole
	far   int  // where in its line the last match begins, of lines that are cut
	file  string
	lines answer.FoundLines // of that file
}

// add writes a match. next is the one after it, which may have a part of its context; nil if there
// is none.
func (l *matchList) add(t *answer.Text, f, next *found) {
	if f.file != l.file {
		if l.file != "" {
			t.Line()
		}
		t.Paint(answer.HueFile, words.Exact(f.file))
		t.Line()
		l.file, l.lines = f.file, answer.FoundLines{Apart: l.apart}
	}
	upTo := int64(math.MaxInt64)
	if next != nil && next.file == f.file {
		upTo = next.line
	}
	match := f.match()
	if match.SnippetStart != nil {
		l.far = max(l.far, match.MatchStart)
	}
	shown := match.shown()
	if t.Style != nil {
		shown.Painted = match.found()
	}
	l.lines.Text = t
	l.lines.Add(shown, upTo)
	l.cut = l.cut || l.lines.Cut
}

// shown is a match as the text form has it.
func (m *Match) shown() answer.Found {
	f := answer.Found{Line: m.Line, End: m.end(), Before: m.Before, After: m.After,
		Anchored: m.anchored}
	if m.ContextCut {
		f.ContextChars = snippetChars
	}
	f.Text, f.Cut = m.shownSnippet()
	return f
}

// snippetChars is how many code points of a line grep shows.
const snippetChars = 200

// shownSnippet is the snippet with … where something is cut off.
func (m *Match) shownSnippet() (snippet string, cut bool) {
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
func (m *Match) found() answer.Spans {
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
