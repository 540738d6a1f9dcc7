package anchor

import "bytes"

// Text gives the IDs of the lines of a text. To ask for one line after the other, or for lines near
// each other, takes linear time altogether, though the line that an ID depends on may be far before
// it.
type Text struct {
	Bytes []byte
	Near  Hash // the nearest line with text before these bytes, if they are not the start of the text

	// near is the nearest line with text before each line that begins in Bytes[from:to+1]
	near     Hash
	from, to int
}

// ID is that of the line Bytes[start:end].
func (t *Text) ID(start, end int) ID {
	line := Of(t.Bytes[start:end])
	if line.HasText() {
		return line.ID(Hash{})
	}
	return line.ID(t.Before(start))
}

// Before is the nearest line with text before the one that begins at start.
func (t *Text) Before(start int) Hash {
	known := t.to
	switch {
	case t.from <= start && start <= t.to && t.to > 0:
		return t.near
	case start < t.from || t.to == 0:
		known, t.near, t.from = 0, t.Near, 0
	}
	t.to = start
	for end := start; end > known; {
		begin := bytes.LastIndexByte(t.Bytes[:end-1], '\n') + 1
		if line := Of(t.Bytes[begin:end]); line.HasText() {
			t.near, t.from = line, end
			break
		}
		end = begin
	}
	return t.near
}
