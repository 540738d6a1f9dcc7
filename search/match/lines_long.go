package match

import (
	"bytes"

	"fsbox/textio/anchor"
)

// longLine collects what the search finds in a line that is read in pieces.
type longLine struct {
	head   around // its beginning, as context
	match  LineMatch
	found  bool
	points [][2]int // all matches so far, in code points
	spans  [][2]int // matches in the piece searched last, in bytes
	over   int      // how many bytes of the last match lie in the next piece
}

// addPiece searches a piece of a line too long to be held at once.
func (r *report) addPiece(b block) {
	if b.first {
		r.long = longLine{head: newAround(b.text)}
	}
	l := &r.long
	r.anchors.addPiece(b)
	if r.wants(l) {
		r.searchPiece(l, b)
	}
	if b.last {
		r.endLong(l)
	}
}

// wants reports whether more matches in the long line would change the result.
func (r *report) wants(l *longLine) bool {
	return !r.result.Truncated && (!l.found || r.lineNumbersMatter() && !r.full() && !l.match.MoreMatches)
}

// searchPiece finds the matches that begin in a piece, after the last match of the piece before.
func (r *report) searchPiece(l *longLine, b block) {
	if b.newline && !r.m.keepCR {
		b.text = bytes.TrimSuffix(b.text, []byte("\r"))
	}
	l.spans = l.spans[:0]
	if r.m.regex == nil || r.m.regex.MayMatch(b.text, &r.buf.regex) {
		l.spans, r.err = r.m.spans(b.text, b.from+l.over, b.to, maxSubmatches+1, r.buf, l.spans)
	}
	l.over = 0
	if n := len(l.spans); n > 0 {
		l.over = max(0, l.spans[n-1][1]-b.to)
	}
	if b.newline {
		b.text = bytes.TrimSuffix(b.text, []byte("\r"))
	}
	l.add(r.lines+1, b)
}

// add takes over the matches found in a piece.
func (l *longLine) add(number int64, b block) {
	if len(l.spans) == 0 {
		return
	}
	if !l.found {
		l.match, l.found = newLineMatch(number, b.text, l.spans, b.skipped), true
		l.match.SnippetCut = true
	}
	l.points = append(l.points, codePoints(b.text, l.spans, b.skipped)...)
	l.match.list(l.points)
}

// endLong finishes the long line once all of it has been searched.
func (r *report) endLong(l *longLine) {
	l.head.anchored.Hash = r.anchors.long
	if !l.found {
		r.passOne(l.head)
	} else if r.count(l.head) {
		if r.o.Anchors {
			l.match.Anchored = &anchor.Lines{Found: []anchor.Line{l.head.anchored}}
		}
		r.precede(&l.match, nil)
		r.add(l.match)
	}
	if r.o.Before > 0 {
		r.past = append(r.past, l.head)
		r.past = r.past[max(0, len(r.past)-r.o.Before):]
	}
}
