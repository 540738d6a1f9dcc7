package diff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkUnified compares texts of 8 KiB, as writes and edits do.
func BenchmarkUnified(b *testing.B) {
	text := func(mark string) []byte {
		var t strings.Builder
		for i := 0; t.Len() < 8<<10; i++ {
			fmt.Fprintf(&t, "line %d of %s, with some more words in it\n", i, mark)
		}
		return []byte(t.String())
	}
	old := text("one")
	for name, new := range map[string][]byte{
		"created": nil, "all other": text("two"), "one line": bytes.Replace(old, []byte("line 100 "), []byte("line C "), 1),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if new == nil {
					Unified("a.txt", nil, old, true, 200)
				} else {
					Unified("a.txt", old, new, false, 200)
				}
			}
		})
	}
}
