package charset

import "unicode/utf8"

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
		c.Chars += int64(utf8.RuneCount(c.scratch))
		return taken
	}
	if !last {
		block = block[:c.encoding.Whole(block)]
	}
	if c.encoding.IsUTF8() {
		c.Chars += int64(utf8.RuneCount(block))
		return len(block)
	}
	for part := range c.encoding.Texts(block) {
		c.Chars += int64(utf8.RuneCount(part))
	}
	return len(block)
}
