package match

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"fsbox/textio/charset"
)

const (
	// blockStep is how many bytes are read at a time: 128 KiB stay in the processor's second-level
	// cache while they are searched. With half of that, a large file takes 4 % more CPU time.
	blockStep = 128 << 10

	// maxPiece is the most bytes of one line that are held in memory, unless the query is a long
	// literal.
	maxPiece = 1 << 20

	// snippetRoom is the text kept around a cut in a longer line, in bytes: enough for a snippet,
	// 200 code points of 4 bytes.
	snippetRoom = 1 << 10
)

// sizes are the constants above and those of ahead, smaller in tests. Pieces of a long line share
// overlap bytes on either side of a cut; piece is at least four times as long.
type sizes struct {
	step, piece, overlap int
	section              int
	alone                int64
}

func newSizes(piece, overlap int) sizes {
	return sizes{step: blockStep, piece: piece, overlap: overlap, section: sectionSize, alone: aheadAfter}
}

// block is a stretch of a file: whole lines, the last one perhaps without its line end, or a piece
// of a line that is longer than sizes.piece.
type block struct {
	text     []byte
	piece    bool  // part of one long line, without line end
	first    bool  // the line begins here
	last     bool  // the line ends here
	newline  bool  // the line ends with "\n", not with the end of the file
	from, to int   // a match belongs to this piece if it starts in text[from:to], else to the one before or after
	skipped  int   // code points of the line before text
	passed   int64 // without text: so many lines that don't match, and that no match needs as context
}

// blocks reads a file as UTF-8 text, block by block, with bounded memory. The text of a block is
// good until the next one is asked for.
type blocks struct {
	ctx     context.Context
	r       io.ReaderAt
	ahead   *ahead // nil while no scouts read ahead
	stated  int64  // size of the file as the system has it
	base    int64  // all steps begin a multiple of sizes.step after this
	at, end int64  // next byte to read, first byte not to read
	sizes   sizes
	decoder *charset.Encoding // nil for UTF-8
	raw     []byte            // read but not decoded: part of a character
	buf     []byte            // text
	used    int               // buf[:used] is done with
	inPiece bool              // a long line goes on at buf[used]
	shared  int               // how many bytes from buf[used] on the last piece had too
	skipped int               // code points of that line before buf[used]
}

// open reads the head of the file and finds out what it is.
func (b *blocks) open() (charset.Head, error) {
	var err error
	if b.buf, err = b.read(b.buf[:0], max(b.sizes.step, charset.SniffLen)); err != nil {
		return charset.Head{}, err
	}
	head := charset.Sniff(b.buf[:min(len(b.buf), charset.SniffLen)])
	keep := max(head.BOM, min(len(b.buf), b.sizes.step))
	b.buf, b.at, b.base = b.buf[:keep], int64(keep), int64(keep)
	b.used = head.BOM
	if e := head.Encoding; e != nil && e.Name() != "utf-8" {
		b.decoder = e
		b.raw = append(b.raw[:0], b.buf[b.used:]...)
		b.buf, b.used = b.buf[:0], 0
		b.decode()
	}
	return head, nil
}

// done reports whether buf holds all the text there is left.
func (b *blocks) done() bool {
	return b.at >= b.end && len(b.raw) == 0
}

// read appends up to n bytes of the file to p.
func (b *blocks) read(p []byte, n int) ([]byte, error) {
	if err := b.ctx.Err(); err != nil {
		return p, err
	}
	n = int(min(int64(n), b.end-b.at))
	if n <= 0 {
		return p, nil
	}
	p = withRoom(p, n, b.maxBuffer())
	from := b.r
	if b.ahead != nil {
		n, from = b.ahead.step(n), b.ahead
	}
	got, err := from.ReadAt(p[len(p):len(p)+n], b.at)
	b.at += int64(got)
	switch {
	case got == n || err == nil: // scouts may have left out what comes next
	case errors.Is(err, io.EOF):
		b.end = b.at // the file has become shorter
	default:
		return p, err
	}
	return p[:len(p)+got], nil
}

// withRoom returns p with capacity for n more bytes. It doubles the capacity, up to most unless
// more is needed.
func withRoom(p []byte, n, most int) []byte {
	need := len(p) + n
	if need <= cap(p) {
		return p
	}
	bigger := make([]byte, len(p), max(need, min(2*cap(p), most)))
	copy(bigger, p)
	return bigger
}

// maxBuffer is the largest capacity that buf needs when text is read in steps: a piece, and the
// step that completes it, after the lead of moveLeft.
func (b *blocks) maxBuffer() int { return b.sizes.piece + b.sizes.step + pageSize }

// fill adds one step of text to buf, after moving what is left to its front.
func (b *blocks) fill() error {
	b.moveLeft()
	var err error
	if b.decoder == nil {
		b.buf, err = b.read(b.buf, b.sizes.step)
	} else if b.raw, err = b.read(b.raw, b.sizes.step); err == nil {
		b.decode()
	}
	return err
}

// pageSize is what moveLeft goes by, in bytes.
const pageSize = 4 << 10

// moveLeft moves what is left in buf to its front, to the place in a page of memory that it has in
// a page of the file. If the next step were read to a place up to 31 bytes further on, the kernel
// of an AMD EPYC 7003 would copy it at 2.3 GB/s instead of 7.3 (2026-11-29).
func (b *blocks) moveLeft() {
	held, lead := len(b.buf)-b.used, 0
	if b.decoder == nil {
		lead = int((b.at - int64(held)) % pageSize)
	}
	if b.used == lead {
		return
	}
	b.buf = withRoom(b.buf, lead+held-len(b.buf), b.maxBuffer())[:max(len(b.buf), lead+held)]
	b.buf = b.buf[:lead+copy(b.buf[lead:], b.buf[b.used:b.used+held])]
	b.used = lead
}

// decode decodes raw and adds the text to buf. Before the end of the file, raw keeps the bytes of a
// character that is still incomplete.
func (b *blocks) decode() {
	n := len(b.raw)
	if b.at < b.end {
		n = b.decoder.Whole(b.raw)
	}
	text, _ := b.decoder.Decode(b.raw[:n])
	b.buf = append(withRoom(b.buf, len(text), b.maxBuffer()), text...)
	b.raw = append(b.raw[:0], b.raw[n:]...)
}

// foldCRLF drops the \r of each CRLF of a text in place.
func foldCRLF(p []byte) []byte {
	to, at := 0, 0
	for {
		i := bytes.IndexByte(p[at:], '\r')
		if i < 0 {
			break
		}
		cr := at + i
		if cr+1 < len(p) && p[cr+1] == '\n' {
			to += copy(p[to:], p[at:cr])
		} else {
			to += copy(p[to:], p[at:cr+1])
		}
		at = cr + 1
	}
	if at == to {
		return p
	}
	return p[:to+copy(p[to:], p[at:])]
}

// next gives the next block; ok is false at the end of the file.
func (b *blocks) next() (blk block, ok bool, err error) {
	if b.inPiece {
		return b.nextPiece()
	}
	if b.ahead != nil && b.used == len(b.buf) {
		if size, lines := b.ahead.skip(b.at); size > 0 {
			b.at += int64(size)
			return block{passed: lines}, true, nil
		}
	}
	for scan := b.used; ; {
		if i := bytes.LastIndexByte(b.buf[scan:], '\n'); i >= 0 {
			text := b.buf[b.used : scan+i+1]
			b.used = scan + i + 1
			return block{text: text}, true, nil
		}
		if b.done() {
			text := b.buf[b.used:]
			b.used = len(b.buf)
			return block{text: text}, len(text) > 0, nil
		}
		held := len(b.buf) - b.used
		if held >= b.sizes.piece {
			return b.nextPiece()
		}
		if err := b.fill(); err != nil {
			return block{}, false, err
		}
		scan = b.used + held
	}
}

// runeStart moves at back to where a character begins, if it lies within one.
func runeStart(text []byte, at int) int {
	for back := 0; back < utf8.UTFMax && back <= at; back++ {
		if utf8.RuneStart(text[at-back]) {
			return at - back
		}
	}
	return at
}
