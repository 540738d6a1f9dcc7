package charset

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// Counter counts the code points that a text decodes to, from blocks of it that a unit's width
// divides.
type Counter struct {
	encoding *Encoding
	Chars    int64
	high     bool                  // UTF-16: the last unit was the first half of a pair
	decoder  transform.Transformer // formLegacy
	scratch  []byte                // what it decoded, only to be counted
}

func NewCounter(e *Encoding) *Counter {
	c := &Counter{encoding: e.orUTF8()}
	if c.encoding.form == formLegacy {
		c.decoder, c.scratch = e.legacy.NewDecoder().Transformer, make([]byte, 16<<10)
	}
	return c
}

// Add counts the characters of block and returns how many bytes it took. Unless last says that
// block is the end of the text, it leaves the start of a character at the end of block for the next
// call.
func (c *Counter) Add(block []byte, last bool) (taken int) {
	switch c.encoding.form {
	case formUTF8:
		if !last {
			block = block[:len(block)-partialRune(block)]
		}
		c.Chars += countRunes(block)
	case formByte:
		c.Chars += int64(len(block))
	case formUTF16LE, formUTF16BE:
		c.addUTF16(block)
	case formUTF32LE, formUTF32BE:
		c.Chars += int64(len(block)+3) / 4
	default:
		return c.addLegacy(block, last)
	}
	return len(block)
}

// addUTF16 counts units, but not the second halves of pairs. What remains of a unit at the end of
// the file counts as one.
func (c *Counter) addUTF16(block []byte) {
	top := 1
	if c.encoding.bigEndian() {
		top = 0
	}
	units := block[:len(block)&^1]
	for i := top; i < len(units); i += 2 {
		kind := units[i] & 0xfc
		if kind == lowSurrogate>>8 && c.high {
			c.high = false
			continue
		}
		c.high = kind == highSurrogate>>8
		c.Chars++
	}
	c.Chars += int64(len(block) & 1)
}

func (c *Counter) addLegacy(block []byte, last bool) (taken int) {
	for {
		nDst, nSrc, err := c.decoder.Transform(c.scratch, block[taken:], last)
		c.Chars += int64(utf8.RuneCount(c.scratch[:nDst]))
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

// partialRune is the length of the start of a character that b ends with.
func partialRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
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
