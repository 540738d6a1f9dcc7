package match

import (
	"bytes"
	"unicode/utf8"
)

// nextPiece gives the next piece of a long line. There is no line end in buf[used:].
func (b *blocks) nextPiece() (block, bool, error) {
	lineEnd := -1
	for lineEnd < 0 && len(b.buf)-b.used < b.sizes.piece && !b.done() {
		held := len(b.buf) - b.used
		if err := b.fill(); err != nil {
			return block{}, false, err
		}
		if i := bytes.IndexByte(b.buf[b.used+held:], '\n'); i >= 0 {
			lineEnd = b.used + held + i
		}
	}
	piece := block{piece: true, first: !b.inPiece, skipped: b.skipped, from: b.shared}
	if lineEnd >= 0 || b.done() {
		return b.lastPiece(piece, lineEnd), true, nil
	}
	piece.text = b.buf[b.used:]
	piece.to = len(piece.text) - b.sizes.overlap
	keep := runeStart(piece.text, piece.to-b.sizes.overlap)
	b.inPiece, b.shared = true, piece.to-keep
	b.skipped += utf8.RuneCount(piece.text[:keep])
	b.used += keep
	return piece, true, nil
}

// lastPiece completes the piece at which a long line ends: at lineEnd, or with the file.
func (b *blocks) lastPiece(piece block, lineEnd int) block {
	piece.newline = lineEnd >= 0
	next := lineEnd + 1
	if lineEnd < 0 {
		lineEnd, next = len(b.buf), len(b.buf)
	}
	piece.text, piece.last = b.buf[b.used:lineEnd], true
	piece.to = len(piece.text) + 1
	b.used, b.inPiece, b.shared, b.skipped = next, false, 0, 0
	return piece
}
