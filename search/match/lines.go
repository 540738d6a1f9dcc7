package match

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"fsbox/search/match/regex"
	"fsbox/textio/anchor"
)

const (
	maxSnippet    = 200            // code points of a line that are shown
	maxSubmatches = maxSnippet + 1 // the most matches that can begin in these, including an empty one at their end
)

// report turns the matching lines of one file into LineMatches.
type report struct {
	o      LineOptions
	m      *Matcher
	buf    *Buffers
	yield  func(LineMatch) bool
	result LineResult

	lines   int64       // lines processed so far
	past    []around    // the last o.Before lines of the earlier blocks, as context
	pending []LineMatch // matches that wait for the lines after them
	long    longLine
	anchors anchors
	also    counter
	foldCR  bool // CRLF is turned into LF before the search; else lines still have the \r, which is to be dropped
	stopped bool // yield has returned false
	err     error
}

// searchLines searches a file line by line.
func (r *report) searchLines(src *blocks) (LineResult, error) {
	head, err := src.open()
	if err != nil {
		return r.result, err
	}
	if head.Binary && !r.o.Force {
		return LineResult{Binary: true}, nil
	}
	r.result.Lacks = r.o.Else != nil
	defer func() { src.ahead.stop() }()
	for first := true; !r.over(); first = false {
		r.startAhead(src)
		b, ok, err := src.next()
		if err != nil || !ok {
			r.also.result.Part = r.also.result.Part || err != nil
			r.flush()
			return r.result, err
		}
		if r.foldCR && !b.piece {
			b.text = foldCRLF(b.text)
		}
		switch {
		case b.piece:
			r.addPiece(b)
		case len(b.text) == 0:
			r.lines += b.passed
		default:
			r.addLines(b.text, src.done() && len(src.buf) == src.used)
		}
		r.also.add(b)
		if r.result.Lacks {
			all := first && src.done() && len(src.buf) == src.used
			r.result.Lacks = r.result.Count == 0 && !r.o.Else.mayMatch(b, all, &r.buf.other)
		}
	}
	r.also.result.Part = r.also.result.Part || !src.done() || len(src.buf) > src.used
	r.flush()
	return r.result, r.err
}

// over reports whether the rest of the file needn't be searched.
func (r *report) over() bool {
	return r.stopped || r.err != nil ||
		r.o.FirstOnly && r.result.Count > 0 ||
		r.result.Truncated && len(r.pending) == 0
}

// full reports whether the next matching line would be one too many.
func (r *report) full() bool {
	return r.o.MaxLines > 0 && r.result.Count >= int64(r.o.MaxLines)
}

// addLines searches a block of whole lines. After the last block of a file, no lines need be kept
// as context for a next one.
func (r *report) addLines(text []byte, lastBlock bool) {
	c := newCursor(r.m, text, r.buf)
	r.anchors.begin(text)
	for pos := 0; pos < len(text) && !r.over(); {
		at := -1
		if !r.result.Truncated {
			at = c.find(pos)
			r.err = c.err
		}
		if at < 0 {
			if !lastBlock || len(r.pending) > 0 {
				r.pass(text, pos, len(text))
			}
			break
		}
		start, end := lineStart(text, at), lineEnd(text, at)
		r.pass(text, pos, start)
		r.hit(text, start, end)
		pos = end + 1
	}
	if !lastBlock {
		r.remember(text)
	}
}

// pass processes the whole lines text[from:to], which don't match.
func (r *report) pass(text []byte, from, to int) {
	for len(r.pending) > 0 && from < to && !r.stopped {
		end := lineEnd(text, from)
		r.passOne(r.around(text, from, end))
		from = min(end+1, to)
	}
	if from < to && r.lineNumbersMatter() {
		r.lines += int64(bytes.Count(text[from:to], []byte("\n")))
	}
}

// passOne processes one line that doesn't match.
func (r *report) passOne(line around) {
	if len(r.pending) > 0 {
		r.follow(line)
	}
	r.lines++
}

func (r *report) lineNumbersMatter() bool { return !r.o.CountOnly && !r.o.FirstOnly }

// hit processes the line text[start:end], which matches; in a search for whole words it only may
// match.
func (r *report) hit(text []byte, start, end int) {
	var spans [][2]int
	if r.lineNumbersMatter() || r.m.query.WholeWord {
		line := text[start:end]
		if !r.m.keepCR {
			line = r.visible(text, start, end)
		}
		spans, r.err = r.m.spans(line, 0, len(line)+1, maxSubmatches+1, r.buf, r.buf.spans[:0])
		r.buf.spans = spans
		if len(spans) == 0 {
			r.pass(text, start, min(end+1, len(text)))
			return
		}
	}
	if r.count(r.asContext(text, start, end)) {
		r.add(r.describe(text, start, end, spans))
	}
}

// asContext is the line text[start:end] as context for earlier matches, empty if none of them waits
// for it.
func (r *report) asContext(text []byte, start, end int) around {
	if len(r.pending) == 0 {
		return around{}
	}
	return r.around(text, start, end)
}

// count counts a matching line and reports whether it is to be described.
func (r *report) count(line around) bool {
	if len(r.pending) > 0 {
		r.follow(line)
	}
	r.lines++
	if r.full() {
		r.result.Truncated = true
		return false
	}
	r.result.Count++
	return r.lineNumbersMatter() && !r.stopped
}

// describe makes the LineMatch of the line text[start:end]; the spans count from start.
func (r *report) describe(text []byte, start, end int, spans [][2]int) LineMatch {
	match := newLineMatch(r.lines, r.visible(text, start, end), spans, 0)
	match.Anchored = r.anchors.lines(start, end)
	r.precede(&match, text[:start])
	return match
}

// add yields a match once the lines after it are known.
func (r *report) add(match LineMatch) {
	if r.o.After > 0 {
		r.pending = append(r.pending, match)
		return
	}
	r.stopped = !r.yield(match)
}

// follow adds a line to the context of the matches before it.
func (r *report) follow(line around) {
	for i := range r.pending {
		r.pending[i].follow(line, r.o.Anchors)
	}
	for len(r.pending) > 0 && len(r.pending[0].After) >= r.o.After && !r.stopped {
		r.stopped = !r.yield(r.pending[0])
		r.pending = r.pending[1:]
	}
}

// follow adds a line to the context after the match, with its ID if anchors are asked for.
func (m *LineMatch) follow(line around, anchors bool) {
	m.After = append(m.After, line.text)
	if anchors {
		m.Anchored.After = append(m.Anchored.After, line.anchored)
	}
	m.ContextCut = m.ContextCut || line.cut
}

// flush yields the waiting matches at the end of the file, which has no more lines for them.
func (r *report) flush() {
	for ; len(r.pending) > 0 && !r.stopped; r.pending = r.pending[1:] {
		r.stopped = !r.yield(r.pending[0])
	}
}

// linesBefore gives the context in front of a match: the last lines of text, and of the blocks
// before it. It uses the memory of lines for the result.
func (r *report) linesBefore(text []byte, lines []around) []around {
	if r.o.Before <= 0 {
		return nil
	}
	lines = lines[:0]
	for len(text) > 0 && len(lines) < r.o.Before {
		end := len(text) - 1 // its "\n"
		start := lineStart(text, end)
		lines = append(lines, r.around(text, start, end))
		text = text[:start]
	}
	for i := len(r.past) - 1; i >= 0 && len(lines) < r.o.Before; i-- {
		lines = append(lines, r.past[i])
	}
	slices.Reverse(lines)
	return lines
}

// remember keeps the last lines of a block for matches in the next one.
func (r *report) remember(text []byte) { r.past = r.linesBefore(text, nil) }

// list sets Submatches to the matches that begin in the snippet, unless that is only one. points
// are all matches of the line.
func (m *LineMatch) list(points [][2]int) {
	n := 0
	for n < len(points) && m.shows(points[n]) {
		n++
	}
	if n > 1 {
		m.Submatches = points[:n:n]
	}
	m.MoreMatches = max(n, 1) < len(points)
}

// shows reports whether a match begins in the snippet. An empty match right at its end counts if
// the snippet is the whole line.
func (m *LineMatch) shows(point [2]int) bool {
	end := m.SnippetStart + utf8.RuneCountInString(m.Snippet)
	return point[0] < end || point[0] == end && !m.SnippetCut
}

// newLineMatch describes a line, or a piece of one that has skipped code points before it. spans
// are its matches as byte offsets; those beyond the end of the line are set to it.
func newLineMatch(number int64, line []byte, spans [][2]int, skipped int) LineMatch {
	points := codePoints(line, spans, skipped)
	match := LineMatch{Line: number, EndLine: number, Start: points[0][0], End: points[0][1]}
	start, _ := charAround(line, spans[0][0])
	_, end := charAround(line, spans[0][1])
	from, to := stretch(line, start, end)
	match.Snippet, match.SnippetCut = text(line[from:to]), to-from < len(line)
	match.SnippetStart = match.Start - utf8.RuneCount(line[from:start])
	match.list(points)
	return match
}

// codePoints turns matches from byte offsets into code points, adding skipped. A match of part of a
// character counts as the whole character.
func codePoints(line []byte, spans [][2]int, skipped int) [][2]int {
	points := make([][2]int, len(spans))
	at, count := 0, skipped // count code points lie before line[at:]
	advance := func(to int) int {
		to = max(at, to)
		count += utf8.RuneCount(line[at:to])
		at = to
		return count
	}
	for i, s := range spans {
		start, _ := charAround(line, s[0])
		_, end := charAround(line, s[1])
		points[i] = [2]int{advance(start), advance(end)}
	}
	return points
}

// charAround gives the bounds of the character that contains the offset at, if at isn't its first
// byte; else it gives at twice. An offset beyond the line counts as its end. Only a query that
// isn't valid UTF-8 matches part of a character.
func charAround(line []byte, at int) (start, end int) {
	if at = min(at, len(line)); at == len(line) || utf8.RuneStart(line[at]) {
		return at, at
	}
	start = runeStart(line, at)
	if end = runeAfter(line, start); start < at && at < end {
		return start, end
	}
	return at, at
}

// stretch picks the part of a line that is shown: all of it if it is short, else maxSnippet code
// points with the match in the middle. Of a longer match it is the beginning.
func stretch(line []byte, start, end int) (from, to int) {
	width, e := 0, start
	for ; width < maxSnippet && e < end; width++ {
		e = runeAfter(line, e)
	}
	before, after := 0, 0
	from, to = start, e
	for ; before < maxSnippet && from > 0; before++ {
		from = regex.RuneBefore(line, from)
	}
	for ; after < maxSnippet && to < len(line); after++ {
		to = runeAfter(line, to)
	}
	for before+width+after > maxSnippet {
		if before > after {
			from, before = runeAfter(line, from), before-1
		} else {
			to, after = regex.RuneBefore(line, to), after-1
		}
	}
	return from, to
}

// runeAfter gives the end of the character that starts at at.
func runeAfter(text []byte, at int) int {
	_, size := utf8.DecodeRune(text[at:])
	return at + size
}

// visible is the line text[start:end] without the \r of its line end.
func (r *report) visible(text []byte, start, end int) []byte {
	if r.foldCR {
		return text[start:end]
	}
	return withoutCR(text, start, end)
}

// around is a context line.
type around struct {
	text     string
	cut      bool // it is cut: only the beginning of the line
	anchored anchor.Line
}

// around is the line text[start:end] of the current block as context.
func (r *report) around(text []byte, start, end int) around {
	line := newAround(r.visible(text, start, end))
	line.anchored = r.anchors.line(start, end)
	return line
}

// newAround cuts a context line to what is shown of it.
func newAround(line []byte) around {
	end := 0
	for n := 0; n < maxSnippet && end < len(line); n++ {
		end = runeAfter(line, end)
	}
	return around{text: text(line[:end]), cut: end < len(line)}
}

// precede adds the lines before a match to it.
func (r *report) precede(match *LineMatch, text []byte) {
	lines := r.linesBefore(text, r.buf.before)
	if len(lines) == 0 {
		return
	}
	r.buf.before = lines
	match.Before = make([]string, len(lines))
	for i, line := range lines {
		match.Before[i] = line.text
		match.ContextCut = match.ContextCut || line.cut
		if r.o.Anchors {
			match.Anchored.Before = append(match.Anchored.Before, line.anchored)
		}
	}
}

// text is the string for a line, each invalid byte as U+FFFD.
func text(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	return string([]rune(string(line)))
}
