package lines

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTextLines asks for lines in any order, and compares with all lines cut beforehand.
func TestTextLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var text []byte
		for range r.IntN(200) {
			text = append(text, "\n\na\r"[r.IntN(4)])
		}
		lines := slices.Collect(bytes.Lines(text))
		got := Split(text)
		if got.Count() != len(lines) || got.Offset(len(lines)) != len(text) {
			t.Fatalf("%q: %d lines", text, got.Count())
		}
		for range 2 * len(lines) {
			i := r.IntN(len(lines))
			start := len(bytes.Join(lines[:i], nil))
			if !bytes.Equal(got.Whole(i), lines[i]) || got.Offset(i) != start || got.At(start) != i || got.At(start+len(lines[i])-1) != i {
				t.Fatalf("%q, line %d: %q at %d, which is in line %d", text, i, got.Whole(i), got.Offset(i), got.At(start))
			}
		}
	}
}
