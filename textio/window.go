package textio

import (
	"bytes"
	"context"
	"io"
	"iter"
)

// window reads a file through a buffer of fixed size. What lies in the buffer is not read again.
type window struct {
	ctx  context.Context
	file io.ReaderAt // nil if the buffer has the whole file
	size int64       // where the file ends; less than at first if a read came short
	base int64       // file offset of buf[0]
	buf  []byte
	pos  int // unread: buf[pos:end]
	end  int
}

// Whole is the content of a file that is in memory. A window onto it needs no buffer.
type Whole []byte

// ReadAt implements io.ReaderAt.
func (c Whole) ReadAt(b []byte, offset int64) (int, error) {
	return bytes.NewReader(c).ReadAt(b, offset)
}

// data is the unread part of the buffer.
func (w *window) data() []byte { return w.buf[w.pos:w.end] }

// offset is the file offset of the first unread byte.
func (w *window) offset() int64 { return w.base + int64(w.pos) }

func (w *window) advance(n int) { w.pos += n }

// blocks yields the rest of the file, as much at a time as the buffer holds.
func (w *window) blocks(err *error) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			if *err = w.fill(1); *err != nil || len(w.data()) == 0 {
				return
			}
			block := w.data()
			if w.advance(len(block)); !yield(block) {
				return
			}
		}
	}
}

// seek makes offset the next byte to read.
func (w *window) seek(offset int64) {
	if w.file == nil { // all of it is in the buffer
		offset = min(offset, w.size)
	}
	if offset >= w.base && offset <= w.base+int64(w.end) {
		w.pos = int(offset - w.base)
		return
	}
	w.base, w.pos, w.end = offset, 0, 0
}

// fill makes n bytes available in data, fewer only at the end of the file; n is at most the
// buffer's size. It reads at most once, as much as fits into the buffer. If a read returns less
// than asked for, the file counts as ending there.
func (w *window) fill(n int) error {
	if w.end-w.pos >= n {
		return nil
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	at := w.base + int64(w.end)
	if at >= w.size {
		return nil
	}
	copy(w.buf, w.data())
	w.base, w.end, w.pos = w.offset(), w.end-w.pos, 0
	free := w.buf[w.end:]
	if left := w.size - at; left < int64(len(free)) {
		free = free[:left]
	}
	got, err := w.file.ReadAt(free, at)
	w.end += min(max(got, 0), len(free))
	if got >= len(free) {
		return nil
	}
	if err != nil && err != io.EOF {
		return err
	}
	w.size = w.base + int64(w.end)
	return nil
}
