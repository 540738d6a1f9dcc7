package match

import "fsbox/textio/anchor"

// anchors gives lines the hashes of which their IDs are made once the file has been searched. The
// zero value gives none.
type anchors struct {
	wanted bool
	text   []byte      // the current block
	long   anchor.Hash // of the part of a long line that has been read
}

// begin takes the next block.
func (a *anchors) begin(text []byte) { a.text = text }

// line is that from start to end of the block.
func (a *anchors) line(start, end int) (l anchor.Line) {
	if a.wanted {
		l.Hash = anchor.Of(a.text[start:end])
	}
	return l
}

// lines are those of a match, from start to end of the block, at most as many as a snippet shows.
func (a *anchors) lines(start, end int) *anchor.Lines {
	if !a.wanted {
		return nil
	}
	all := &anchor.Lines{}
	for at := start; at <= end && len(all.Found) <= maxSnippet; {
		next := lineEnd(a.text, at)
		all.Found = append(all.Found, a.line(at, next))
		at = next + 1
	}
	return all
}

// addPiece adds a piece of a long line, of which the part that the next piece hasn't got counts.
func (a *anchors) addPiece(b block) {
	if !a.wanted {
		return
	}
	if b.first {
		a.long = anchor.Hash{}
	}
	end := len(b.text)
	if !b.last {
		end = runeStart(b.text, b.to)
	}
	a.long.Add(b.text[runeStart(b.text, b.from):end])
}
