package commands

import (
	"reflect"

	"fsbox/textio"
)

// budget is what is left of max_output_bytes for the lists and texts of one answer. Each is
// measured as JSON before it is added. The members that every answer has are not counted.
type budget struct {
	left int64
	enc  encoder // measures values
}

func newBudget(limit int64) *budget { return &budget{left: limit} }

// size is how many bytes a value takes as an item of a list.
func (b *budget) size(v any) int64 {
	var flushed byteCount
	b.enc.w, b.enc.b = &flushed, b.enc.b[:0]
	b.enc.value(reflect.ValueOf(v))
	return int64(flushed) + int64(len(b.enc.b)) + int64(len(","))
}

// take reserves size bytes; false if so many aren't left.
func (b *budget) take(size int64) bool {
	if size > b.left {
		return false
	}
	b.left -= size
	return true
}

// add reserves what a value takes; false if it doesn't fit.
func (b *budget) add(v any) bool { return b.take(b.size(v)) }

// text reserves what a part of a text takes; false if it doesn't fit.
func (b *budget) text(s string) bool {
	return int64(len(s)) <= b.left && b.take(int64(textio.EscapedLen(s)))
}

// byteCount counts what is written.
type byteCount int64

func (n *byteCount) Write(p []byte) (int, error) {
	*n += byteCount(len(p))
	return len(p), nil
}

// fitting gives as many of a list's first items as fit.
func fitting[E any](b *budget, list []E) []E {
	for i, item := range list {
		if !b.add(item) {
			return list[:i]
		}
	}
	return list
}
