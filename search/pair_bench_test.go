package search

import (
	"bytes"
	"testing"
)

func BenchmarkPairAbsent(b *testing.B) {
	text := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), 64<<10/44)
	p := pair{first: 'q', second: 'z', mask: asciiCase, gap: 3, third: 'z', thirdGap: 3}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if p.next(text, 0) >= 0 {
			b.Fatal("found")
		}
	}
}
