package commands

import (
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"strings"
	"unicode/utf8"
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
	t.LeftOut(answer.LeftOut{Hidden: r.Hidden, Ignored: r.Ignored, Blocked: r.Blocked, Binary: r.Binary}, n == 0)
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
		for n < len(rest) && rest[n].File == rest[0].File {
			n++
		}
		if len(rest) < len(r.Matches) {
			t.Line()
		}
		t.Paint(answer.HueFile, words.Exact(rest[0].File))
		t.Line()
		file := matchLines{Text: t, apart: r.context}
		for i := range rest[:n] {
			file.add(rest[i:n])
		}
		cut, rest = cut || file.cut, rest[n:]
	}
	if cut {
		t.Note("… is where a line is cut; read shows it whole")
	}
}

// matchLines writes the lines of one file. Context that two matches have in common, and matches
// that are context of others, come once.
type matchLines struct {
	*answer.Text
	apart bool  // "--" goes between lines that aren't neighbours
	last  int64 // the last line that was written
	cut   bool  // one of them was not whole
}

// add writes the first of the remaining matches, with its context. Lines after it that belong to
// the next match as well are left to that one.
func (l *matchLines) add(left []GrepMatch) {
	m := left[0]
	end, before := max(m.Line, m.EndLine), m.Line-int64(len(m.Before))
	for i, s := range m.Before {
		l.context(before+int64(i), s, m.ContextCut)
	}
	snippet, cut := m.shownSnippet()
	l.cut = l.cut || cut
	number, found := m.Line, m.found()
	for line := range strings.SplitSeq(snippet, "\n") {
		l.put(number, ":", line, found)
		number, found = number+1, found.After(line)
	}
	l.last = max(l.last, end)
	for i, s := range m.After {
		n := end + 1 + int64(i)
		if len(left) > 1 && n >= left[1].Line {
			break
		}
		l.context(n, s, m.ContextCut)
	}
}

// context writes a line of context, unless it is there already.
func (l *matchLines) context(number int64, line string, mayBeCut bool) {
	if number <= l.last {
		return
	}
	if mayBeCut && utf8.RuneCountInString(line) == snippetChars {
		l.cut, line = true, line+"…"
	}
	l.put(number, "-", line, nil)
}

// put writes a line, in which found is painted.
func (l *matchLines) put(number int64, sign, line string, found answer.Spans) {
	if l.apart && l.last > 0 && number > l.last+1 {
		l.Line("--")
	}
	l.Paint(answer.HueNumber, words.Int(number))
	l.Text.Add(sign)
	l.Text.PaintFound(line, found)
	l.Line()
	l.last = max(l.last, number)
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
