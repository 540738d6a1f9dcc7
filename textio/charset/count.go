package charset

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Counter counts the code points that a text decodes to. The text comes in blocks whose length is a
// multiple of the unit's width.
type Counter struct {
	encoding *Encoding
	Chars    int64
	decoder  *sequences // for formLegacy only
	scratch  []byte     // the text of a block: it is only counted
}

func NewCounter(e *Encoding) *Counter {
	c := &Counter{encoding: e.orUTF8()}
	if c.encoding.form == formLegacy {
		c.decoder = c.encoding.sequences()
	}
	return c
}

// Add counts the characters of block and returns how many bytes it took. Unless last says that
// block is the end of the text, it leaves the start of a character at the end of block for the next
// call.
func (c *Counter) Add(block []byte, last bool) (taken int) {
	if c.decoder != nil {
		c.scratch, taken = c.decoder.decode(c.scratch[:0], block, last)
		c.Chars += countRunes(c.scratch)
		return taken
	}
	if !last {
		block = block[:c.encoding.Whole(block)]
	}
	if c.encoding.IsUTF8() {
		c.Chars += countRunes(block)
		return len(block)
	}
	for part := range c.encoding.Texts(block) {
		c.Chars += countRunes(part)
	}
	return len(block)
}

// countRunes is utf8.RuneCount, but without its copy of b, and faster on valid text: checking and
// then counting the bytes that begin a character beats decoding them.
func countRunes(b []byte) (count int64) {
	if !utf8.Valid(b) {
		for ; len(b) > 0; count++ {
			_, size := utf8.DecodeRune(b)
			b = b[size:]
		}
		return count
	}
	const ones = 0x0101_0101_0101_0101
	count = int64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		// Bytes 10xxxxxx continue a character.
		x := binary.LittleEndian.Uint64(b)
		count -= int64(bits.OnesCount64(x >> 7 &^ (x >> 6) & ones))
	}
	for _, c := range b {
		if !utf8.RuneStart(c) {
			count--
		}
	}
	return count
}
