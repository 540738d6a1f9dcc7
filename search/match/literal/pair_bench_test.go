package literal

import (
	"bytes"
	"testing"
)

func BenchmarkPairAbsent(b *testing.B) {
	text := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), 64<<10/44)
	p := newPair([]byte("q  z"), asciiCase, func(i int) int { return -int("q  z"[i]) })
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if p.next(text, 0) >= 0 {
			b.Fatal("found")
		}
	}
}
