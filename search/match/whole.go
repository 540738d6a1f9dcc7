package match

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
)

// maxWhole is the largest file that a multiline search loads, in bytes. RE2 needs a copy of each
// text in its own memory, 4 GiB for all workers together.
const maxWhole = 64 << 20

// searchWhole searches a file as one text.
func (r *report) searchWhole(src *blocks) (LineResult, error) {
	size, limit := src.stated, r.o.MaxMultiline
	if limit <= 0 || limit > maxWhole {
		limit = maxWhole
	}
	head, err := src.open()
	switch {
	case err != nil:
		return r.result, err
	case head.Binary && !r.o.Force:
		return LineResult{Binary: true}, nil
	case size > limit:
		return r.result, &TooLargeForMultilineError{Size: size, Limit: limit}
	}
	if lacks, err := r.lacksNeeds(src); lacks || err != nil {
		return r.result, err
	}
	room := int(size) + 1
	most := limit
	if src.decoder != nil { // two bytes of UTF-16 may be three of UTF-8
		most = max(limit, charset.WideRoom)
		room = min(room+room/2, int(most)+2*src.sizes.step)
	}
	if need := len(src.buf) + room; need > cap(src.buf) { // the old buffer goes before the new one is made: it may be as large
		head := slices.Clone(src.buf) // one step at most
		src.buf = nil
		src.buf = append(make([]byte, 0, need), head...)
	}
	for !src.done() && src.at <= limit && int64(len(src.buf)) <= most {
		if err := src.fill(); err != nil {
			return r.result, err
		}
	}
	switch long := int64(len(src.buf)); {
	case src.at > limit: // the file is longer than the size it states
		return r.result, &TooLargeForMultilineError{Size: src.at, Limit: limit}
	case src.decoder != nil && long > most:
		return r.result, &TooLargeForMultilineError{Size: long, Limit: most}
	}
	w := &wholeText{r: r, text: src.buf[src.used:], end: -1}
	if r.foldCR {
		w.text = foldCRLF(w.text)
	}
	r.anchors.begin(w.text)
	err = r.m.eachMatch(w.text, r.buf, func(start, end int) bool {
		w.add(start, end)
		return !r.over() && src.ctx.Err() == nil
	})
	r.also.whole(src.ctx, w.text)
	return r.result, cmp.Or(err, src.ctx.Err())
}

// lacksNeeds reports whether a file has nothing of what every match has. It reads in steps, so that
// a large file without a match isn't loaded. If it finds something, it goes back to the head.
func (r *report) lacksNeeds(src *blocks) (bool, error) {
	if src.stated == 0 || !r.also.lacks() {
		return false, nil
	}
	head := src.at
	for !r.m.mayMatch(block{text: src.buf[src.used:]}, true, &r.buf.regex) {
		if src.done() {
			return true, nil
		}
		src.used = max(src.used, len(src.buf)-4*len(r.m.query.Text)) // a string that is needed may begin there, as a longer case variant
		if err := src.fill(); err != nil {
			return false, err
		}
	}
	if src.at == head {
		return false, nil
	}
	src.at = 0
	_, err := src.open()
	return false, err
}

// wholeText reports the matches in a file that is searched as one text, each by itself: several may
// begin in one line, also in the last line of the one before.
type wholeText struct {
	r    *report
	text []byte

	// Of the line in which the last match began: its bounds, and how many matches began in it.
	start, end int
	nth        int

	// The code points of that line before at.
	at, points int
}

// add takes one match, in ascending order.
func (w *wholeText) add(start, end int) {
	if isAfterLast(w.text, start) {
		return
	}
	r := w.r
	if r.full() {
		r.result.Truncated = true
		return
	}
	r.result.Count++
	if r.lineNumbersMatter() {
		w.enter(start)
		r.stopped = !r.yield(w.describe(start, end))
	}
}

// enter goes to the line in which a match begins, and counts its code points up to some before the
// match: what is after them is searched for the part that is shown.
func (w *wholeText) enter(start int) {
	if w.nth++; start > w.end {
		line := lineStart(w.text, start)
		w.r.lines += int64(bytes.Count(w.text[w.start:line], []byte("\n")))
		w.start, w.end, w.nth = line, lineEnd(w.text, start), 0
		w.at, w.points = line, 0
	}
	if start-w.at > snippetRoom {
		at := runeStart(w.text, start-snippetRoom)
		w.points += utf8.RuneCount(w.text[w.at:at])
		w.at = at
	}
}

// describe makes the LineMatch of a match that begins in the line entered.
func (w *wholeText) describe(start, end int) LineMatch {
	last := w.end // of its lines
	if end-1 > last {
		last = lineEnd(w.text, end-1)
	}
	shown := last
	if last-end > snippetRoom {
		shown = runeStart(w.text, end+snippetRoom)
	}
	line := w.text[w.at:shown]
	if shown == last {
		line = w.r.visible(w.text, w.at, last)
	}
	match := newLineMatch(w.r.lines+1, line, [][2]int{{start - w.at, end - w.at}}, w.points)
	match.SnippetCut = match.SnippetCut || w.at > w.start || shown < last
	match.EndLine += int64(bytes.Count(w.text[start:max(start, last)], []byte("\n")))
	match.Nth = w.nth
	match.Anchored = w.r.anchors.lines(w.start, last)
	w.r.precede(&match, w.text[:w.start])
	w.r.succeed(&match, w.text, last+1)
	return match
}

// succeed adds the lines after a match to it, of which the first begins at at.
func (r *report) succeed(match *LineMatch, text []byte, at int) {
	for at < len(text) && len(match.After) < r.o.After {
		end := lineEnd(text, at)
		match.follow(r.around(text, at, end), r.o.Anchors)
		at = end + 1
	}
}

// eachMatch yields the matches in a whole text, in order, without overlap.
func (m *Matcher) eachMatch(text []byte, buf *Buffers, yield func(start, end int) bool) error {
	switch {
	case m.literal != nil:
		m.eachLiteral(text, 0, yield)
		return nil
	case !m.regex.MayMatch(text, &buf.regex):
		return nil
	}
	text = buf.regex.Valid(text)
	if !m.query.WholeWord {
		return m.regex.Each(text, &buf.regex, yield)
	}
	var err error
	last := -1
	m.regex.EachPart(text, &buf.regex, func(start, end int) bool {
		more := true
		_, size := utf8.DecodeRune(text[end:]) // what comes after a word matters
		err = m.eachWord(text[:end+size], start, &last, func(s, e int) bool {
			if s >= end && end < len(text) {
				return false
			}
			more = yield(s, e)
			return more
		})
		return more && err == nil
	})
	return err
}

// afterMatch says where to look for the next match: an empty one is not found twice.
func afterMatch(text []byte, start, end int) int {
	if start < end {
		return end
	}
	_, size := utf8.DecodeRune(text[end:])
	return end + max(size, 1)
}
