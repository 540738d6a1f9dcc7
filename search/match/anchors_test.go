package match

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/anchor"
)

// plainLines gives the hash of each line of a text.
func plainLines(text string) (lines []anchor.Line) {
	for line := range strings.Lines(text) {
		lines = append(lines, anchor.Line{Hash: anchor.Of([]byte(line))})
	}
	return lines
}

// TestAnchors searches random texts in small steps: the hashes of matches and their context are
// those of all lines.
func TestAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	same := func(a, b anchor.Line) bool { return a.Hash.Same(b.Hash) }
	pieces := []string{"\n", "\r\n", "}\n", " ", "x", "é", "alpha\n", "x\n", "- - -", strings.Repeat("-x", 300) + "\n", "\xed\xa0\x80"}
	for _, q := range []Query{{Text: "x"}, {Text: "[x}]", Regex: true}, {Text: `x\n.`, Regex: true, Multiline: true}} {
		for run := range few(300) {
			m := compileOK(t, q)
			m.sizes = sizes{step: 16 + r.IntN(50), piece: 256, overlap: 64}
			text := randomText(r, pieces, 60)
			lines := plainLines(text)
			o := LineOptions{Anchors: true, Before: r.IntN(4), After: r.IntN(4)}
			_, err := m.Search(context.Background(), bytes.NewReader([]byte(text)), int64(len(text)), o, nil, func(l LineMatch) bool {
				from, to := int(l.Line)-1, int(l.EndLine)
				before, after := lines[from-len(l.Before):from], lines[to:to+len(l.After)]
				if !slices.EqualFunc(l.Anchored.Found, lines[from:to], same) ||
					!slices.EqualFunc(l.Anchored.Before, before, same) || !slices.EqualFunc(l.Anchored.After, after, same) {
					t.Fatalf("%v, run %d, line %d: %v, want %v around %v and %v", q, run, l.Line, l.Anchored, lines[from:to], before, after)
				}
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
