package grep

import (
	"iter"
	"math"
	"reflect"
	"strconv"

	"fsbox/commands/answer"
	"fsbox/textio"
)

// Matches are the matches of a page, which may have a hundred thousand: so each is held as a
// found, which takes a third of the memory of a GrepMatch, until it is written.
type Matches []found

// found is a match: of most, a few facts are all there is.
type found struct {
	file, snippet string
	line          int64
	start, end    int32
	whole         *Match // of a match with more than that, or further on in its line
}

func foundOf(m *Match) found {
	f := found{file: m.File, snippet: m.Snippet, line: m.Line, start: int32(m.MatchStart), end: int32(m.MatchEnd)}
	if max(m.MatchStart, m.MatchEnd) > math.MaxInt32 || m.PathBase64 != "" || m.Anchor != "" || m.EndLine != 0 || m.SnippetStart != nil ||
		m.Submatches != nil || m.SubmatchesTruncated || m.Before != nil || m.After != nil || m.ContextCut || m.anchored != nil {
		whole := *m // a copy, so that other matches stay where they are
		f.whole = &whole
	}
	return f
}

func (f *found) match() Match {
	if f.whole != nil {
		return *f.whole
	}
	return Match{File: f.file, Line: f.line, Snippet: f.snippet, MatchStart: int(f.start), MatchEnd: int(f.end)}
}

// All gives the matches as an answer has them.
func (l Matches) All() iter.Seq[Match] {
	return func(yield func(Match) bool) {
		for i := range l {
			if !yield(l[i].match()) {
				return
			}
		}
	}
}

// ItemType is what an item is in JSON.
func (l Matches) ItemType() reflect.Type { return reflect.TypeFor[Match]() }

// AppendItem appends an item as JSON.
func (l Matches) AppendItem(b []byte, i int) []byte {
	if f := &l[i]; f.whole == nil {
		return f.appendPlain(b)
	}
	return answer.AppendJSON(b, l[i].whole)
}

// appendPlain writes a match of a few facts. For all other matches package json does that; here it
// would take 7 % of the processor time of a page of 130,000 (2026-11-30).
func (f *found) appendPlain(b []byte) []byte {
	b = textio.AppendQuoted(append(b, `{"file":`...), f.file)
	b = strconv.AppendInt(append(b, `,"line":`...), f.line, 10)
	b = textio.AppendQuoted(append(b, `,"snippet":`...), f.snippet)
	b = strconv.AppendInt(append(b, `,"match_start":`...), int64(f.start), 10)
	b = strconv.AppendInt(append(b, `,"match_end":`...), int64(f.end), 10)
	return append(b, '}')
}

// Len is the number of items.
func (l Matches) Len() int { return len(l) }

// briefMatches are matches as they go out beside the text form: with no more than that has, each
// file once, and each line once.
type briefMatches struct{ Matches }

// AppendItem appends an item as JSON.
func (l briefMatches) AppendItem(b []byte, i int) []byte {
	var previous, next *found
	if i > 0 {
		previous = &l.Matches[i-1]
	}
	if i+1 < len(l.Matches) {
		next = &l.Matches[i+1]
	}
	return l.Matches[i].appendBrief(b, previous, next)
}

// briefMatch has the members of a GrepMatch that the text form has as well.
type briefMatch struct {
	File         string   `json:"file,omitzero"`
	PathBase64   string   `json:"path_base64,omitzero"`
	Line         int64    `json:"line"`
	Anchor       string   `json:"anchor,omitzero"`
	EndLine      int64    `json:"end_line,omitzero"`
	Snippet      string   `json:"snippet"`
	SnippetStart *int     `json:"snippet_start,omitzero"`
	Before       []string `json:"before,omitzero"`
	After        []string `json:"after,omitzero"`
	ContextCut   bool     `json:"context_cut,omitzero"`
}

// appendBrief writes a match between two others, or nil. Its lines of context are those that
// neither has: lines before it that follow the previous match are that one's.
func (f *found) appendBrief(b []byte, previous, next *found) []byte {
	m := f.match()
	if previous != nil && previous.file == f.file {
		m.File, m.PathBase64 = "", ""
		fresh := min(int64(len(m.Before)), max(0, m.Line-1-previous.lastShown()))
		m.Before = m.Before[len(m.Before)-int(fresh):]
	}
	if next != nil && next.file == f.file {
		m.After = m.After[:min(int64(len(m.After)), max(0, next.line-1-m.end()))]
	}
	brief := briefMatch{m.File, m.PathBase64, m.Line, m.Anchor, m.EndLine, m.Snippet, m.SnippetStart, someLines(m.Before),
		someLines(m.After), m.ContextCut}
	return answer.AppendJSON(b, &brief)
}

// someLines is nil for no lines, so that nothing is written for them.
func someLines(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return lines
}

// end is the last line of a match.
func (m *Match) end() int64 { return max(m.Line, m.EndLine) }

// lastShown is the last line of a match and of its context.
func (f *found) lastShown() int64 {
	m := f.match()
	return m.end() + int64(len(m.After))
}

// briefSize is how many bytes a match takes after others beside the text form. What it takes over
// of the context of the last one is no longer there.
func (l Matches) briefSize(f *found) int64 {
	size := func(f, previous, next *found) int { return len(f.appendBrief(nil, previous, next)) }
	if len(l) == 0 {
		return int64(size(f, nil, nil) + len(","))
	}
	last := &l[len(l)-1]
	own := size(f, last, nil) + len(",")
	if last.whole != nil && len(last.whole.After) > 0 {
		own -= size(last, nil, nil) - size(last, nil, f)
	}
	return int64(max(0, own)) // a snippet may be shorter than the same line as context
}

// measured is what a page's meter has measured of its matches.
type measured struct {
	list matchList // with the last match
	last *found    // that match, if it has lines after it: which of them are its own, the next match decides

	before      answer.Meter // without it
	listsBefore matchList
}

// measure measures the text form of one more match.
func (p *grepPage) measure(t *answer.Text, item found) {
	m := &p.measured
	if m.last != nil {
		*p.Meter, m.list = m.before, m.listsBefore
		m.list.add(t, m.last, &item)
	}
	m.last = nil
	if item.whole != nil && len(item.whole.After) > 0 {
		last := item // a copy, so that others stay where they are
		m.last, m.before, m.listsBefore = &last, *p.Meter, m.list
	}
	m.list.add(t, &item, nil)
}

// size is how many bytes a match takes in a list.
func (f *found) size(r *answer.Budget) int64 {
	if f.whole != nil {
		return r.Size(f.whole)
	}
	const others = `{"file":"","line":,"snippet":"","match_start":,"match_end":},`
	digits := len(strconv.FormatInt(f.line, 10)) + len(strconv.Itoa(int(f.start))) + len(strconv.Itoa(int(f.end)))
	return int64(textio.EscapedLen(f.file) + textio.EscapedLen(f.snippet) + digits + len(others))
}
