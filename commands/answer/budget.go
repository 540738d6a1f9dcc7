package answer

import (
	"io"

	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Budget is what is left of max_output_bytes for the lists and texts of one answer. Each is
// measured as JSON before it is added. The members that every answer has are not counted.
type Budget struct {
	Left int64
	enc  jsontext.Encoder // measures values
}

// Size is how many bytes a value takes as an item of a list. The line end that the encoder adds
// counts for the comma.
func (b *Budget) Size(v any) int64 {
	b.enc.Reset(io.Discard, jsonOptions)
	_ = json.MarshalEncode(&b.enc, v) // io.Discard takes everything
	return b.enc.OutputOffset()
}

// SizeOfPath is how many bytes a path takes as an item of a list, with its exact name in another
// list if it isn't UTF-8.
func (b *Budget) SizeOfPath(path string) int64 {
	size := int64(textio.EscapedLen(path) + len(`"",`))
	for _, name := range words.ExactNames(path) {
		size += b.Size(name)
	}
	return size
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

// Fitting gives as many of a list's first items as fit.
func Fitting[E any](b *Budget, list []E) []E {
	for i, item := range list {
		if !b.Take(b.Size(item)) {
			return list[:i]
		}
	}
	return list
}
