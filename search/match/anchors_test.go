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

// plainIDs gives the ID of each line of a text.
func plainIDs(text string) (ids []anchor.ID) {
	var near anchor.Hash
	for line := range strings.Lines(text) {
		h := anchor.Of([]byte(line))
		ids = append(ids, h.ID(near))
		if h.HasText() {
			near = h
		}
	}
	return ids
}

// TestAnchors searches random texts in small steps: the IDs of matches and their context are those
// of all lines.
func TestAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"\n", "\r\n", "}\n", " ", "x", "é", "alpha\n", "x\n", "- - -", strings.Repeat("-x", 300) + "\n", "\xed\xa0\x80"}
	for _, q := range []Query{{Text: "x"}, {Text: "[x}]", Regex: true}, {Text: `x\n.`, Regex: true, Multiline: true}} {
		for run := range 300 {
			m := compileOK(t, q)
			m.sizes = sizes{step: 16 + r.IntN(50), piece: 256, overlap: 64}
			text := randomText(r, pieces, 60)
			ids := plainIDs(text)
			o := LineOptions{Anchors: true, Before: r.IntN(4), After: r.IntN(4)}
			_, err := m.Search(context.Background(), bytes.NewReader([]byte(text)), int64(len(text)), o, nil, func(l LineMatch) bool {
				from, to := int(l.Line)-1, int(l.EndLine)
				before, after := ids[from-len(l.Before):from], ids[to:to+len(l.After)]
				if !slices.Equal(l.IDs.Found, ids[from:to]) || !slices.Equal(l.IDs.Before, before) || !slices.Equal(l.IDs.After, after) {
					t.Fatalf("%v, run %d, line %d: %s, want %s around %s and %s", q, run, l.Line, l.IDs, ids[from:to], before, after)
				}
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
