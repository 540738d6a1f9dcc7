package textio

import (
	"bytes"

	"fsbox/textio/anchor"
)

// idAndArrow ends the prefix of a line with an anchor. The letters of the ID are put in later: it
// is known only once all of the line has been read.
const idAndArrow = "???→"

// findContext finds out what the IDs of the page's lines depend on. Of a file over CountLimit,
// which is too large to be edited, that is each line alone.
func (p *pager) findContext() (err error) {
	if !p.req.Anchors {
		return nil
	}
	if p.lines = new(anchor.Context); !p.counted {
		return nil
	}
	file := anchor.File{Bytes: p.file, From: p.bom, To: p.size, Encoding: p.req.Encoding}
	if p.file == nil {
		file.Bytes = Whole(p.buf)
	}
	before := file
	before.To = p.offset()
	counts := anchor.Count(file.Parts(p.ctx, &err))
	if err == nil {
		p.lines = counts.After(before.Parts(p.ctx, &err))
	}
	return err
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
	id := p.lines.ID(p.hash)
	if bytes.HasSuffix(prefix, []byte(idAndArrow)) { // else it was cut
		copy(prefix[len(prefix)-len(idAndArrow):], id[:])
	}
}
