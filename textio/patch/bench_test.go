package patch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkPatch applies 10,000 hunks to a file of 10 MiB.
func BenchmarkPatch(b *testing.B) {
	const hunks, size = 10_000, 10 << 20
	r := rand.New(rand.NewPCG(1, 2))
	var source, coin strings.Builder
	for i := 0; source.Len() < size; i++ {
		fmt.Fprintf(&source, "\tline %d of a file\n\t}\n", i)
	}
	for coin.Len() < size {
		coin.WriteString([2]string{"a\n", "b\n"}[r.IntN(2)])
	}
	for _, bb := range []struct {
		name, text string
		hunk       func(i int) string
		lenient    bool
	}{
		{"numbered", source.String(), func(i int) string {
			return fmt.Sprintf("@@ -%d,2 +%d,2 @@\n-\tline %d of a file\n+\tx\n \t}\n", 40*i+1, 40*i+1, 20*i)
		}, false},
		{"moved", source.String(), func(i int) string {
			return fmt.Sprintf("@@ -%d,2 +%d,2 @@\n-\tline %d of a file\n+\tx\n \t}\n", 40*i+7, 40*i+7, 20*i)
		}, false},
		{"unnumbered", source.String(), func(i int) string { return fmt.Sprintf("@@\n \t}\n-\tline %d of a file\n", 20*i+1) }, false},
		{"in reverse", source.String(), func(i int) string { return fmt.Sprintf("@@\n-\tline %d of a file\n", 20*(hunks-1-i)) }, false},
		{"numbers in reverse", source.String(), func(i int) string {
			return fmt.Sprintf("@@ -%d +%d,0 @@\n-\tline %d of a file\n", 40*i+1, 40*i, 20*(hunks-1-i))
		}, false},
		{"anchored", source.String(), func(i int) string { return fmt.Sprintf("@@ line %d of a file\n-\t}\n", 20*i) }, false},
		{"part of the anchor", source.String(), func(i int) string { return fmt.Sprintf("@@ %d of a file\n-\t}\n", 20*i) }, false},
		{"lenient", source.String(), func(i int) string { return fmt.Sprintf("@@\n-    line %d of a file\n+    x\n", 20*i) }, true},
		{"missing", source.String(), func(i int) string { return fmt.Sprintf("@@\n-\tline %d\n", i) }, false},
		{"everywhere almost", coin.String(), func(i int) string {
			var h strings.Builder
			h.WriteString("@@\n")
			for range 15 {
				h.WriteString([2]string{"-a\n", "-b\n"}[r.IntN(2)])
			}
			return h.String()
		}, false},
		{"common lines", coin.String(), func(i int) string { return "@@\n-a\n" }, false},
	} {
		var text strings.Builder
		text.WriteString("--- a/x\n+++ b/x\n")
		for i := range hunks {
			text.WriteString(bb.hunk(i))
		}
		patch := []byte(text.String())
		b.Run(bb.name, func(b *testing.B) {
			for range b.N {
				p, err := Parse(patch)
				if err != nil {
					b.Fatal(err)
				}
				_, _, err = p.Files[0].Apply(context.Background(), []byte(bb.text), Options{Lenient: bb.lenient})
				b.ReportMetric(float64(len(p.Files[0].Hunks)), "hunks")
				if b.N == 1 && err != nil {
					b.Log(err)
				}
			}
		})
	}
}
