package anchor

import (
	"bytes"
	"context"
	"io"
	"iter"
	"slices"

	"fsbox/textio/charset"
)

// Line is what is known of a line of a text: its ID, and the hash of its own text.
type Line struct {
	ID   ID
	Hash Hash
}

// Count counts the lines of a text that comes in parts. Each part ends where a character ends.
func Count(parts iter.Seq[[]byte]) *Counts {
	c := new(Counts)
	for h := range hashes(parts) {
		c.add(h)
	}
	return c
}

// Find gives the lines of the text with some numbers, which count from 1 and ascend. Those that the
// text doesn't have are missing at the end.
func (c *Counts) Find(parts iter.Seq[[]byte], numbers []int64) []Line {
	found := make([]Line, 0, len(numbers))
	if len(numbers) == 0 {
		return found
	}
	lines, at := Context{Counts: c}, int64(0)
	for h := range hashes(parts) {
		at++
		line := Line{lines.ID(h), h}
		for len(found) < len(numbers) && numbers[len(found)] == at {
			found = append(found, line)
		}
		if len(found) == len(numbers) {
			break
		}
	}
	return found
}

// After is the context of the lines that come after a text.
func (c *Counts) After(parts iter.Seq[[]byte]) *Context {
	lines := &Context{Counts: c}
	for h := range hashes(parts) {
		lines.ID(h)
	}
	return lines
}

// hashes yields the hash of each line of a text.
func hashes(parts iter.Seq[[]byte]) iter.Seq[Hash] {
	return func(yield func(Hash) bool) {
		var h Hash
		open := false
		for part := range parts {
			for len(part) > 0 {
				end := bytes.IndexByte(part, '\n')
				if end < 0 {
					h.Add(part)
					open = true
					break
				}
				h.Add(part[:end])
				if !yield(h) {
					return
				}
				h, open, part = Hash{}, false, part[end+1:]
			}
		}
		if open {
			yield(h)
		}
	}
}

// Whole is a text in one part.
func Whole(text []byte) iter.Seq[[]byte] { return slices.Values([][]byte{text}) }

// partSize is how many bytes of a file are read at a time.
const partSize = 256 << 10

// File is text in a file, from an offset to another or to the end of the file. Encoding matters if
// it is UTF-16 or UTF-32: any other text is taken as it is, as edits see it.
type File struct {
	Bytes    io.ReaderAt
	From, To int64
	Encoding *charset.Encoding
}

// Parts yields the text in UTF-8. It ends early if reading fails, with err, or when the call is
// cancelled.
func (f File) Parts(ctx context.Context, err *error) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		buf := make([]byte, max(0, min(partSize, f.To-f.From)))
		for at, kept := f.From, 0; at < f.To; {
			if *err = ctx.Err(); *err != nil {
				return
			}
			n, failed := f.Bytes.ReadAt(buf[kept:min(int64(len(buf)), f.To-at+int64(kept))], at)
			if failed != nil && failed != io.EOF {
				*err = failed
				return
			}
			at += int64(n)
			part := buf[:kept+n]
			last := n == 0 || at == f.To
			whole := len(part)
			if !last {
				whole = f.whole(part)
			}
			if !yield(f.text(part[:whole])) || last {
				return
			}
			kept = copy(buf, part[whole:])
		}
	}
}

// whole is how many bytes of a part can be hashed without those that follow.
func (f File) whole(part []byte) int {
	if f.Encoding.IsWide() {
		return f.Encoding.Whole(part)
	}
	for n := len(part) - 1; n >= max(0, len(part)-2); n-- {
		if part[n] == surrogateByte {
			return n
		}
	}
	return len(part)
}

func (f File) text(part []byte) []byte {
	if f.Encoding.IsWide() {
		return f.Encoding.ToUTF8(part)
	}
	return part
}
