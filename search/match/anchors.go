package match

import "fsbox/textio/anchor"

// anchors gives lines their IDs. The zero value gives none.
type anchors struct {
	wanted bool
	text   anchor.Text // the current block
	long   anchor.Hash // of the part of a long line that has been read
}

// begin takes the next block.
func (a *anchors) begin(text []byte) {
	if a.wanted {
		a.text = anchor.Text{Bytes: text, Near: a.text.Near}
	}
}

// end keeps what the IDs of the lines after the block may depend on.
func (a *anchors) end() {
	if a.wanted {
		a.text = anchor.Text{Near: a.text.Before(len(a.text.Bytes))}
	}
}

// id is that of the line from start to end of the block.
func (a *anchors) id(start, end int) (id anchor.ID) {
	if a.wanted {
		id = a.text.ID(start, end)
	}
	return id
}

// ids are those of the lines of a match, from start to end of the block, at most as many as a
// snippet shows.
func (a *anchors) ids(start, end int) *anchor.IDs {
	if !a.wanted {
		return nil
	}
	ids := &anchor.IDs{}
	for at := start; at <= end && len(ids.Found) <= maxSnippet; {
		next := lineEnd(a.text.Bytes, at)
		ids.Found = append(ids.Found, a.id(at, next))
		at = next + 1
	}
	return ids
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

// endLong is the ID of the long line, all of whose pieces have been added.
func (a *anchors) endLong() (id anchor.ID) {
	if !a.wanted {
		return id
	}
	id = a.long.ID(a.text.Near)
	if a.long.HasText() {
		a.text.Near = a.long
	}
	return id
}
