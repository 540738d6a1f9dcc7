package match

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// wordExprs are expressions for whole words whose matches may span lines, be empty, or end where
// the automaton cuts a text.
var wordExprs = []string{`\w+`, `\w+\s+\w+`, `a\n+b`, `a*b`, `.*b`, `^`, `$`, `a$`, `\s+b`, `\s*`, `é.b`, `[^a]b`, `(ab|b)*\n`, `x*`, `(a|ab)(c|bcd)?`,
	`a.{0,9}b`, `\w{2,}\n\w`}

// Whole words are the same whether a text is searched by parts or as one.
func TestWordsByParts(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(71, 72))
	pieces := []string{"a", "b", "ab", "c", " ", "\n", "é", "-", "x", "abc\n", "b_", "\n\n"}
	for _, expr := range wordExprs {
		m := compileOK(t, Query{Text: expr, Regex: true, Multiline: true, WholeWord: true})
		for range 300 {
			text := []byte(randomText(r, pieces, r.IntN(40)))
			var byParts, asOne [][2]int
			if err := m.eachMatch(text, new(Buffers), func(s, e int) bool { byParts = append(byParts, [2]int{s, e}); return true }); err != nil {
				t.Fatal(err)
			}
			last := -1
			if err := m.eachWord(text, 0, &last, func(s, e int) bool { asOne = append(asOne, [2]int{s, e}); return true }); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(byParts, asOne) {
				t.Fatalf("%q in %q: %v by parts, %v as one", expr, text, byParts, asOne)
			}
		}
	}
}

// After the last word of a text the rest is passed by the automaton, however long it is: no engine
// searches it.
func TestWordsFarApart(t *testing.T) {
	m := compileOK(t, Query{Text: `[a-z]{3,40}[0-9]`, Regex: true, Multiline: true, WholeWord: true})
	text := []byte("abc1 abd2\n" + strings.Repeat("abcd dcba\n", 100_000))
	var parts int
	m.regex.EachPart(text, &new(Buffers).regex, func(start, end int) bool {
		parts += end - start
		return true
	})
	if parts > 1000 {
		t.Errorf("%d bytes of %d are left to an engine", parts, len(text))
	}
}
