package patch

import (
	"fmt"
	"strings"
	"testing"
)

// Headings of many hunks are found in a long file.
func TestManyHeadings(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	const hunks = 600
	lines := 60_000
	if *sweep {
		lines = 300_000
	}
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
