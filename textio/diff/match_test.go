package diff

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUnifiedMatches(t *testing.T) {
	lines := func(words string) string { return strings.ReplaceAll(words, " ", "\n") + "\n" }
	for _, tt := range []struct{ name, old, new, want string }{
		{"lines that occur once hold a text together", "f { x } g { y }", "f { x } h { z } g { y }", "{ x } +h +{ +z +} g { y"},
		{"what moved is taken from one place", "one two three four", "three one two four", "+three one two -three four"},
		{"the longest order wins", "1 2 3 4 5", "5 1 2 3 4", "+5 1 2 3 4 -5"},
		{"repeated lines are matched between others", "a } b } c", "a } x b } c", "a } +x b } c"},
		{"and within what is left", "s a } a } e", "s q } q } e", "s -a +q } -a +q } e"},
		{"a line that occurs once between two others", "s x p r x e", "s y p q y e x x", "s -x +y p -r -x +q +y e +x +x"},
		{"nothing in common", "a b", "c d", "-a -b +c +d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Unified("f", []byte(lines(tt.old)), []byte(lines(tt.new)), false, 0)
			body := strings.Split(strings.TrimSuffix(d.Text, "\n"), "\n")[3:]
			for i := range body {
				body[i] = strings.TrimPrefix(body[i], " ")
			}
			if got := strings.Join(body, " "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// What is kept is a common subsequence, and as long as can be.
func TestKept(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 20_000 {
		a, b := make([][]byte, r.IntN(8)), make([][]byte, r.IntN(8))
		for i := range a {
			a[i] = []byte{byte(r.IntN(3))}
		}
		for i := range b {
			b[i] = []byte{byte(r.IntN(3))}
		}
		kept, last, length := Kept(a, b), -1, 0
		for i, n := range kept {
			if n < 0 {
				continue
			}
			if n <= last || !bytes.Equal(a[n], b[i]) {
				t.Fatalf("%v, %v: %v is no common sequence", a, b, kept)
			}
			last = n
			length++
		}
		if want := longestCommon(a, b); len(kept) != len(b) || length != want {
			t.Fatalf("%v, %v: %v, want %d of them", a, b, kept, want)
		}
	}
}

func longestCommon(a, b [][]byte) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return 0
	case bytes.Equal(a[0], b[0]):
		return 1 + longestCommon(a[1:], b[1:])
	}
	return max(longestCommon(a[1:], b), longestCommon(a, b[1:]))
}
