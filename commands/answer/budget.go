package answer

import (
	"reflect"

	"fsbox/textio"
)

// Budget is what is left of max_output_bytes for the lists and texts of one answer. Each is
// measured as JSON before it is added. The members that every answer has are not counted.
type Budget struct {
	Left int64
	enc  Encoder // measures values
}

func NewBudget(limit int64) *Budget { return &Budget{Left: limit} }

// Size is how many bytes a value takes as an item of a list.
func (b *Budget) Size(v any) int64 {
	var flushed byteCount
	b.enc.W, b.enc.B = &flushed, b.enc.B[:0]
	b.enc.Value(reflect.ValueOf(v))
	return int64(flushed) + int64(len(b.enc.B)) + int64(len(","))
}

// Take reserves size bytes; false if so many aren't left.
func (b *Budget) Take(size int64) bool {
	if size > b.Left {
		return false
	}
	b.Left -= size
	return true
}

// Add reserves what a value takes; false if it doesn't fit.
func (b *Budget) Add(v any) bool { return b.Take(b.Size(v)) }

// Text reserves what a part of a text takes; false if it doesn't fit.
func (b *Budget) Text(s string) bool {
	return int64(len(s)) <= b.Left && b.Take(int64(textio.EscapedLen(s)))
}

// byteCount counts what is written.
type byteCount int64

func (n *byteCount) Write(p []byte) (int, error) {
	*n += byteCount(len(p))
	return len(p), nil
}

// Fitting gives as many of a list's first items as fit.
func Fitting[E any](b *Budget, list []E) []E {
	for i, item := range list {
		if !b.Add(item) {
			return list[:i]
		}
	}
	return list
}
