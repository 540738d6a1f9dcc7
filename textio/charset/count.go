package charset

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Counter counts the code points that a text decodes to. The text comes in blocks whose length is a
// multiple of the unit's width.
type Counter struct {
	encoding *Encoding
	Chars    int64
	decoder  transform.Transformer // for formLegacy only
	scratch  []byte                // what the decoder made of a part: it is only counted
}

func NewCounter(e *Encoding) *Counter {
	c := &Counter{encoding: e.orUTF8()}
	if c.encoding.form == formLegacy {
		c.decoder, c.scratch = c.encoding.newDecoder(), make([]byte, 16<<10)
	}
	return c
}

// Add counts the characters of block and returns how many bytes it took. Unless last says that
// block is the end of the text, it leaves the start of a character at the end of block for the next
// call.
func (c *Counter) Add(block []byte, last bool) (taken int) {
	if c.decoder != nil {
		return c.addLegacy(block, last)
	}
	if !last {
		block = block[:c.encoding.Whole(block)]
	}
	if c.encoding.IsUTF8() {
		c.Chars += countRunes(block)
		return len(block)
	}
	for part := range c.encoding.Texts(block) {
		c.Chars += int64(utf8.RuneCount(part))
	}
	return len(block)
}

func (c *Counter) addLegacy(block []byte, last bool) (taken int) {
	for {
		nDst, nSrc, err := c.decoder.Transform(c.scratch, block[taken:], last)
		c.Chars += int64(utf8.RuneCount(c.encoding.repair(block[taken:taken+nSrc], c.scratch[:nDst])))
		taken += nSrc
		if err == transform.ErrShortDst && nDst > 0 {
			continue
		}
		if last {
			taken = len(block)
		}
		return taken
	}
}

// countRunes is utf8.RuneCount, but faster on valid text: checking and then counting the bytes that
// begin a character beats decoding them.
func countRunes(b []byte) int64 {
	if !utf8.Valid(b) {
		return int64(utf8.RuneCount(b))
	}
	const ones = 0x0101_0101_0101_0101
	count := int64(len(b))
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
