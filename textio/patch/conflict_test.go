package patch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fsbox/textio/nearest"
)

// TestPatchConflictDifference has hunks whose lines are in the file only as parts of lines, or
// nearly: a hunk is made of whole lines.
func TestPatchConflictDifference(t *testing.T) {
	differs := func(line int64, column int, expected, found string) nearest.Difference {
		return nearest.Difference{Line: line, Column: column, Expected: expected, Found: found}
	}
	for _, tt := range []struct {
		name, old, body string
		difference      nearest.Difference
		reason          string
		applied         bool
	}{
		{"first line without its tab", "\tif a:\n\t\tb\n", " if a:\n-\t\tb\n+\t\tc\n", differs(1, 1, "if a:", "→if a:"), nearest.Indentation,
			false},
		{"end of a line", "one two\n", "-two\n+three\n", differs(1, 1, "two", "one two"), nearest.Content, false},
		{"beginning of a line", "one two\n", "-one\n+three\n", differs(1, 4, "one", "one·two"), nearest.Content, false},
		{"end of a line, then a line", "foo(bar)\nbaz\n", " bar)\n-baz\n+q\n", differs(1, 1, "bar)", "foo(bar)"), nearest.Content, false},
		{"blanks inside", "f( a,  b )\n", "-f( a, b )\n+g\n", differs(1, 7, "f( a,·b )", "f( a,··b )"), nearest.Blanks, false},
		{"a blank line less", "alpha\n\nbeta\n", " alpha\n-beta\n+gamma\n", differs(2, 1, "beta", ""), nearest.Blanks, false},
		{"case", "Alpha\n", "-alpha\n+beta\n", differs(1, 1, "alpha", "Alpha"), nearest.Case, false},
		{"case, at the end of a line", "an Alpha\n", "-alpha\n+beta\n", differs(1, 2, "alpha", "an Alpha"), nearest.Content, false},
		{"applied, as lines", "head\r\ngamma", " head\n-beta\n+gamma\n", differs(2, 1, "beta", "gamma"), nearest.Content, true},
		{"applied, except for the end of a line", "head\ngamma2\n", " head\n-beta\n+gamma\n", differs(2, 1, "beta", "gamma2"),
			nearest.Content, false},
		{"applied, except for the beginning of a line", "a head\ngamma\n", " head\n-beta\n+gamma\n", differs(1, 1, "head", "a head"),
			nearest.Content, false},
		{"applied twice", "gamma\ngamma\n", "-gamme\n+gamma\n", differs(1, 5, "gamme", "gamma"), nearest.Content, false},
	} {
		_, _, err := onlyFile(t, "--- x\n+++ x\n@@ @@\n"+tt.body).Apply(context.Background(), []byte(tt.old), Options{})
		var conflict *ConflictError
		if !errors.As(err, &conflict) || len(conflict.Hunks[0].Closest) == 0 {
			t.Errorf("%s: %v, %+v", tt.name, err, conflict)
			continue
		}
		h := conflict.Hunks[0]
		if h.Closest[0].Difference != tt.difference || h.Reason != tt.reason || h.AlreadyApplied != tt.applied {
			t.Errorf("%s: %+v, %q, applied %v", tt.name, h.Closest[0].Difference, h.Reason, h.AlreadyApplied)
		}
	}
}

// TestPatchConflictTrue applies random hunks to files that have changed in blanks, letters and
// lines, and holds what is told about those that fail against the file: what is said to differ
// does, and a lenient match is promised if, and only if, it helps.
func TestPatchConflictTrue(t *testing.T) {
	told, promised, kept := 0, 0, 0
	for i := range 3000 {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		old := blurredText(r, 4+r.IntN(12), 0)
		f := onlyFile(t, randomHunk(r, old))
		file := blurredText(r, 0, 1+r.IntN(3), old...)
		text := strings.Join(file, "\n") + "\n"
		_, _, err := f.Apply(context.Background(), []byte(text), Options{})
		_, results, lenientErr := f.Apply(context.Background(), []byte(text), Options{Lenient: true})
		var conflict *ConflictError
		if !errors.As(err, &conflict) || len(conflict.Hunks[0].Places) > 0 {
			continue
		}
		h := conflict.Hunks[0]
		told++
		if (h.Lenient != "") != (lenientErr == nil) || lenientErr == nil && results[0].Match != h.Lenient {
			t.Fatalf("case %d: promises %q, and then: %v, %v\n%q\n%+v", i, h.Lenient, results, lenientErr, text, f.Hunks)
		}
		if h.Lenient != "" {
			promised++
		}
		for _, c := range h.Closest {
			if d := c.Difference; d.Expected == d.Found || int(d.Line) > len(file) && d.Found != "" {
				t.Fatalf("case %d: no difference: %+v\n%q\n%+v", i, d, text, f.Hunks)
			}
			kept++
		}
	}
	if told < 1000 || promised < 200 || kept < 1000 {
		t.Errorf("%d conflicts, %d promises, %d differences", told, promised, kept)
	}
}

// blurredText makes lines, or changes some of lines.
func blurredText(r *rand.Rand, make, changes int, lines ...string) []string {
	words := []string{"alpha", "\tbeta", "if “gamma” {", "}", "", "  delta eta", "return nil"}
	out := append([]string{}, lines...)
	for range make {
		out = append(out, words[r.IntN(len(words))]+[]string{"", fmt.Sprint(" ", r.IntN(100))}[r.IntN(2)])
	}
	for range changes {
		at := r.IntN(len(out))
		switch r.IntN(6) {
		case 0:
			out[at] += "  "
		case 1:
			out[at] = "\t" + out[at]
		case 2:
			out[at] = strings.NewReplacer("“", `"`, "”", `"`, " ", "\u00a0").Replace(out[at])
		case 3:
			out[at] = "more " + out[at]
		case 4:
			out[at] = strings.ToUpper(out[at])
		case 5:
			out = append(out[:at:at], append([]string{"new"}, out[at:]...)...)
		}
	}
	return out
}

// randomHunk changes a line of lines, with some around it.
func randomHunk(r *rand.Rand, lines []string) string {
	at := r.IntN(len(lines))
	start, end := max(0, at-r.IntN(4)), min(len(lines), at+1+r.IntN(4))
	var b strings.Builder
	b.WriteString("--- x\n+++ x\n@@ @@\n")
	for i, line := range lines[start:end] {
		if start+i == at {
			fmt.Fprintf(&b, "-%s\n+changed %d\n", line, r.IntN(10))
			continue
		}
		fmt.Fprintf(&b, " %s\n", line)
	}
	return b.String()
}

// TestPatchConflictAll has more failing hunks than are compared with the file: all are listed, and
// those that weren't compared say so.
func TestPatchConflictAll(t *testing.T) {
	var old, hunks strings.Builder
	for i := range 50 {
		fmt.Fprintf(&old, "one %d\ntwo %[1]d\nthree %[1]d\n", i)
		fmt.Fprintf(&hunks, "@@ -%d,3 +%[1]d,3 @@\n one %d\n-other %[2]d\n+new\n three %[2]d\n", 3*i+1, i)
	}
	_, _, err := onlyFile(t, "--- x\n+++ x\n"+hunks.String()).Apply(t.Context(), []byte(old.String()), Options{})
	var conflict *ConflictError
	if !errors.As(err, &conflict) || len(conflict.Hunks) != 50 || conflict.Count != 50 {
		t.Fatal(err)
	}
	for i, h := range conflict.Hunks {
		if h.NotCompared != (i >= diagnosedHunks) || (len(h.Closest) == 0) != h.NotCompared || h.Line != 5*i+3 {
			t.Errorf("hunk %d: %+v", i, h)
		}
	}
}
