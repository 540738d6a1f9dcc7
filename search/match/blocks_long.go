package match

import (
	"bytes"
	"unicode/utf8"
)

// Sparse is implemented by files that can have holes, which read as NUL bytes, and that can say
// where a hole ends.
type Sparse interface {
	// NextData gives the first offset, from or later, where the file may hold other bytes than NUL;
	// if there is none, the size or more. A file that doesn't know gives from.
	NextData(from int64) int64
}

// nextPiece gives the next piece of a long line. There is no line end in buf[used:].
func (b *blocks) nextPiece() (block, bool, error) {
	lineEnd := -1
	for lineEnd < 0 && len(b.buf)-b.used < b.sizes.piece && !b.done() {
		held := len(b.buf) - b.used
		if err := b.fill(); err != nil {
			return block{}, false, err
		}
		if i := bytes.IndexByte(b.buf[held:], '\n'); i >= 0 {
			lineEnd = held + i
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
	piece.run = isRun(piece.text)
	if piece.run && piece.text[0] == 0 && piece.from == b.sizes.overlap { // only then is the next piece laid out the same
		piece.again = b.skipHole(keep)
	}
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

// isRun reports whether a text is one ASCII character over and over.
func isRun(text []byte) bool {
	last := len(text) - 1
	return last >= 0 && text[0] < utf8.RuneSelf && text[0] == text[last] && bytes.Equal(text[1:], text[:last])
}

// skipHole skips the next pieces that lie completely in a hole, and says how many these are. Like
// the current piece, they would have only NUL characters; each begins chars characters after the
// one before.
func (b *blocks) skipHole(chars int) int {
	if b.holes == nil || b.heldCR || len(b.raw) > 0 {
		return 0
	}
	width := 1 // bytes of a character in the file
	if b.decoder != nil {
		width = b.decoder.UnitWidth()
	}
	dataAt := min(b.holes.NextData(b.at), b.end-1) // the last piece of a line is always read
	count := max(0, dataAt-b.at) / int64(chars*width)
	b.at += count * int64(chars*width)
	b.base = b.at
	b.skipped += int(count) * chars
	return int(count)
}
