package textio

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("word ", 100)
	most := strings.Repeat("x", maxBrief-2)
	a, z := strings.Repeat("a", briefAround), strings.Repeat("z", briefAround)
	rest := strings.Repeat("m", 500)
	for _, tt := range []struct{ in, want string }{
		{"-a\n+b\n", "-a\n+b\n"},
		{"-" + most + "\n+b\n", "-" + most + "\n+b\n"},
		{" " + long + "\n", " " + strings.TrimSuffix(long[:maxBrief], "\n") + "…\n"},
		{"+" + long, "+" + long[:maxBrief] + "…"},
		{"-" + rest + a + " old " + z + rest + "\n+" + rest + a + " new " + z + rest + "\n",
			"-…" + a[1:] + " old " + z[1:] + "…\n+…" + a[1:] + " new " + z[1:] + "…\n"},
		{"-" + a + rest + "\n+" + a + "!" + rest + "\n", "-" + a + rest[:briefAround] + "…\n+" + a + "!" + rest[:briefAround] + "…\n"},
		{"-1 " + rest + " 2\n+3 " + rest + " 4\n",
			"-1 " + rest[1:briefAround] + "…" + rest[1:briefAround] + " 2\n+3 " + rest[1:briefAround] + "…" + rest[1:briefAround] + " 4\n"},
		{"-" + rest + "\n+short\n", "-" + rest[:maxBrief] + "…\n+short\n"},
		{"-é" + strings.Repeat("é", 500) + "a\n+é" + strings.Repeat("é", 500) + "b\n",
			"-…" + strings.Repeat("é", briefAround) + "a\n+…" + strings.Repeat("é", briefAround) + "b\n"},
	} {
		if got, cut := Brief(tt.in); got != tt.want || cut != (tt.in != tt.want) {
			t.Errorf("%q:\n%q, want\n%q", tt.in, got, tt.want)
		}
	}
}

// TestBriefShowsChanges changes random words of long lines: each new word is shown, unless there
// are more than a line has room for.
func TestBriefShowsChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		var words []string
		for i := range 200 + r.IntN(400) {
			words = append(words, fmt.Sprint("w", i))
		}
		old := strings.Join(words, []string{" ", ",", "—"}[r.IntN(3)])
		new, changes := old, []string{}
		for i := range 1 + r.IntN(3) {
			changed := fmt.Sprint("new", i)
			if !strings.Contains(new, words[r.IntN(len(words))]) {
				continue
			}
			at := strings.Index(new, words[r.IntN(len(words))])
			if at >= 0 {
				new, changes = new[:at]+changed+new[at:], append(changes, changed)
			}
		}
		text := fmt.Sprintf("@@ -1 +1 @@\n-%s\n+%s\n", old, new)
		brief, cut := Brief(text)
		lines := strings.Split(brief, "\n")
		if !cut || len(lines) != 4 || !utf8.ValidString(brief) {
			t.Fatalf("%q", brief)
		}
		for _, line := range lines[1:3] {
			if utf8.RuneCountInString(line) > maxBrief+10 {
				t.Fatalf("%d: %q", len(line), line)
			}
		}
		for _, c := range changes {
			if strings.Contains(new, c) && !strings.Contains(lines[2], c) {
				t.Fatalf("%q isn't shown: %q", c, lines[2])
			}
		}
	}
}
