package edit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/charset"
)

func TestLenientPairs(t *testing.T) {
	for _, tt := range []struct{ content, expected, replacement, want string }{
		{"x = “a”, “b”\n", `x = "a", "b"`, `x = "a", "n", "b"`, "x = “a”, “n”, “b”\n"},
		{"say “hi”\n", `say "hi"`, `say "ho" + "hi"`, "say “ho” + “hi”\n"},
		{`x = "a", "b"` + "\n", "x = “a”, “b”", "x = “a”, “n”, “b”", `x = "a", "n", "b"` + "\n"},
		{`x = "a"` + "\n", "x = “a”", "x = “a”\ny = “b”", `x = "a"` + "\ny = \"b\"\n"},
		{"say „hi“\n", `say "hi"`, `say "hi", "ho"`, "say „hi“, \"ho\"\n"},
		{"x = ‘a’, ‘b’\n", "x = 'a', 'b'", "x = 'a', 'n', 'b'", "x = ‘a’, ‘n’, ‘b’\n"},
		{"// it’s “a”\n", `// it's "a"`, "// it's \"a\"\nf<'b>(\"x\", don't)", "// it’s “a”\nf<'b>(\"x\", don't)\n"},
		{"// say “a”\n", `// say "a"`, "// say \"a\"\nprint(\"b\")", "// say “a”\nprint(\"b\")\n"},
		{"“a\nb”\nx\n", "\"a\nb\"\nx\n", "\"c d\nb\"\nx\n", "“c d\nb”\nx\n"},
		{"“a\nb”\nx\n", "\"a\nb\"\nx\n", "y\nz \"c d\nb\"\nx\n", "y\nz “c d\nb”\nx\n"},
		{"“a” \"b\"\n", `"a" "b"`, `"b" "a"`, "“b” \"a\"\n"},
		{"“a”, “b”\n", `"a", "b"`, `"b", "a"`, "“b”, “a”\n"},
		{"say “hi”\n", `say "hi"`, `say "it"`, "say “it”\n"},
		{"“a”\n", `"a"`, `b`, "b\n"},
		{"x “a” y\n", `x "a" y`, `x "a y`, "x “a y\n"},
		{"“\\\"a\\\"”\n", `"\"a\""`, `"\"b\" c"`, "“\\\"b\\\" c”\n"},
	} {
		out, _, err := applyAll([]byte(tt.content), lenientEdits(tt.expected, tt.replacement))
		if err != nil || string(out) != tt.want {
			t.Errorf("%q: %q -> %q: got %q, %v; want %q", tt.content, tt.expected, tt.replacement, out, err, tt.want)
		}
	}
}

// quotedParts are what texts with quotes consist of: %1 and %2 are the two of a pair. A pair over
// two lines is the last in both.
var quotedParts = []string{"%1a%2", "%1b c%2", "%1%2", "f(%1a%2, %1b%2)", "x", "it's", "n - 1", "%1d…%2", ", ", " + ", "%1e\nf%2\n"}

// quoteStyles are what pairs consist of.
var quoteStyles = [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"”", "”"}}

func randomQuoted(r *rand.Rand, n int) (parts []string) {
	for range n {
		parts = append(parts, quotedParts[r.IntN(len(quotedParts))])
		if r.IntN(4) == 0 {
			parts = append(parts, "\n")
		}
	}
	return parts
}

func inStyle(text string, style [2]string) string {
	return strings.NewReplacer("%1", style[0], "%2", style[1]).Replace(text)
}

// TestPairsStayWhole changes texts by adding, leaving out and moving pairs of quotes: in the
// outcome both quotes of each pair are plain or both are typographic.
func TestPairsStayWhole(t *testing.T) {
	runs := 30_000
	if testing.Short() {
		runs = 3000
	}
	r := rand.New(rand.NewPCG(15, 16))
	made := 0
	for range runs {
		parts := randomQuoted(r, 1+r.IntN(6))
		change := slices.Clone(parts)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(change) + 1)
			switch piece := randomQuoted(r, 1); {
			case r.IntN(3) == 0 && at < len(change):
				change = slices.Delete(change, at, at+1)
			case r.IntN(2) == 0 && at < len(change):
				change[at] = piece[0]
			default:
				change = slices.Insert(change, at, piece...)
			}
		}
		have, sent := quoteStyles[r.IntN(len(quoteStyles))], quoteStyles[r.IntN(2)]
		old, new := strings.Join(parts, ""), strings.Join(change, "")
		content := "top\n" + inStyle(old, have) + "\nend\n"
		out, results, err := applyAll([]byte(content), lenientEdits(inStyle(old, sent), inStyle(new, sent)))
		if err != nil || results[0].Tier != TierUnicode {
			continue
		}
		made++
		checkPairs(t, content, new, string(out), have, sent)
	}
	if made < runs/20 {
		t.Errorf("only %d edits were made", made)
	}
}

// checkPairs looks at the pairs of an outcome one after the other; new is what it was made of.
func checkPairs(t *testing.T, content, new, out string, have, sent [2]string) {
	t.Helper()
	rest := strings.TrimPrefix(out, "top\n")
	var got []string
	for _, c := range rest {
		if r, _ := charset.Typewritten(c); r == '"' {
			got = append(got, string(c))
		}
	}
	if len(got) != strings.Count(new, "%") {
		t.Fatalf("%q: %q became %q", content, new, out)
	}
	for i := 0; i < len(got); i += 2 { // no text has a pair in another
		pair := [2]string{got[i], got[i+1]}
		if isPlain := pair[0] == `"`; isPlain != (pair[1] == `"`) || isPlain && have[0] != `"` && sent[0] != `"` {
			t.Fatalf("%q: %q by %q became %q: pair %q", content, new, sent, out, pair)
		}
	}
}
