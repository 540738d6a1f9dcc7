package textio

import (
	"bytes"
	"io"

	"fsbox/textio/anchor"
)

// idAndArrow ends the prefix of a line with an anchor. The two letters of the ID are put in later:
// it is known only once all of the line has been read.
const idAndArrow = "??→"

// findNear looks for the nearest line with text before the page, which the IDs of its first lines
// may depend on. In a file that isn't in memory, and so too large to be edited, it looks only at
// blockSize bytes.
func (p *pager) findNear() error {
	if !p.req.Anchors || p.offset() <= p.bom {
		return nil
	}
	var before []byte
	start := p.bom
	if p.file == nil {
		before = p.buf[p.bom:p.pos]
	} else {
		start = max(p.bom, p.offset()-blockSize) // both are a whole number of units after the byte order mark
		before = make([]byte, p.offset()-start)
		if n, err := p.file.ReadAt(before, start); n < len(before) && err != io.EOF {
			return err
		}
	}
	nl := p.tally.nl
	for len(before) >= nl.width() {
		begin := nl.lastIndex(before[:len(before)-nl.width()]) + nl.width()
		if begin < nl.width() {
			begin = 0
		}
		if begin == 0 && start > p.bom {
			return nil // the line begins before what was read
		}
		if line := anchor.Of(p.hashed(before[begin:])); line.HasText() {
			p.near = line
			return nil
		}
		before = before[:begin]
	}
	return nil
}

// hashed is a part of the file as an edit sees it.
func (p *pager) hashed(part []byte) []byte {
	if p.req.Encoding.IsWide() {
		return p.req.Encoding.ToUTF8(part)
	}
	return part
}

// addToHash adds a part of the current line to its hash.
func (p *pager) addToHash(part []byte) {
	if p.req.Anchors {
		p.hash.Add(p.hashed(part))
	}
}

// putID puts the ID of the line that was read into its prefix.
func (p *pager) putID(prefix []byte) {
	if !p.req.Anchors {
		return
	}
	if bytes.HasSuffix(prefix, []byte(idAndArrow)) { // else it was cut
		id := p.hash.ID(p.near)
		copy(prefix[len(prefix)-len(idAndArrow):], id[:])
	}
	if p.hash.HasText() {
		p.near = p.hash
	}
}
