package patch

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Headings of many hunks are found in one pass, so that none is given up because there are many,
// and what is found is what a search for each of them finds.
func TestManyHeadings(t *testing.T) {
	const lines, hunks = 300_000, 600
	var text, patch strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "line %d has %x\n", i, i*i)
	}
	patch.WriteString("*** Begin Patch\n*** Update File: f\n")
	for i := range hunks {
		n := (i + 1) * (lines / (hunks + 1))
		fmt.Fprintf(&patch, "@@ line %d has %x\n line %d has %x\n-line %d has %x\n+new\n", n, n*n, n+1, (n+1)*(n+1), n+2, (n+2)*(n+2))
	}
	patch.WriteString("*** End Patch\n")
	parsed, err := Parse([]byte(patch.String()))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := parsed.Files[0].Apply(t.Context(), []byte(text.String()), Options{})
	if err != nil || strings.Count(string(out), "\nnew\n") != hunks {
		t.Errorf("%d lines are new: %v", strings.Count(string(out), "\nnew\n"), err)
	}
}

func TestAnchorLists(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, 1+random.IntN(7))
		for i := range b {
			b[i] = "ab "[random.IntN(3)]
		}
		return string(b)
	}
	for range 300 {
		var text strings.Builder
		for range 1 + random.IntN(60) {
			text.WriteString(word() + word() + []string{"\n", "\r\n"}[random.IntN(2)])
		}
		hunks := make([]Hunk, 40)
		for i := range hunks {
			hunks[i].Anchors = []string{word() + word() + []string{"", anchorChain + word()}[random.IntN(2)]}
		}
		listed, plain := newLineTable(t.Context(), []byte(text.String()), hunks), newLineTable(t.Context(), []byte(text.String()), hunks)
		listed.listAnchors(hunks)
		for _, h := range hunks {
			for _, part := range []bool{false, true} {
				compareLinks(t, listed, plain, h.Anchors, part)
			}
		}
	}
}

func compareLinks(t *testing.T, listed, plain *lineTable, anchors []string, part bool) {
	t.Helper()
	got, missing := listed.links(anchors, part)
	want, wantMissing := plain.links(anchors, part)
	if missing != wantMissing || len(got) != len(want) {
		t.Fatalf("%q: %q is missing, want %q", anchors, missing, wantMissing)
	}
	for i := range got {
		for line := range plain.lines() + 1 {
			if got[i].next(line) != want[i].next(line) || got[i].before(line) != want[i].before(line) {
				t.Fatalf("%q in %q: line %d: %d and %d, want %d and %d", anchors[0], plain.file.Bytes, line,
					got[i].next(line), got[i].before(line), want[i].next(line), want[i].before(line))
			}
		}
	}
}
