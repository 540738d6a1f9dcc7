package regex

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/search/match/literal"
)

// spanning are expressions whose matches may span lines: with assertions, empty matches, loops at
// either end, and characters of several bytes.
var spanning = []string{"a", "a\nb", "a+b", "a*b", ".*b", "b.*", "a.*?b", "^", "$", "^$", "^a", "a$", `a\n+`, `\n`, `\s+b`, `\s*`, `[^a]b`, `\bab`,
	`b\b`, `\b`, `\Ba`, `\B`, "(a|ab)(c|bcd)?", "é", "é.b", "[^a]", "[^é]+b", "日|é\n", `(?-m:^)a`, `(?-m:a$)`, "a{2,4}", "(ab|b)*\n", "^.a", "b$\n^a",
	"x*", "(?:)", "a|^", "b|$", `\w+\n\w+`, `\w+b`, `^\s*$`, "(?i)K", "a.{3}", "a.{0,9}b.{0,9}a",
	"xb", "xb\n+a", "xb\na|_b", "xb\nx|b\nx", `x[a ]*\n+b`, `x[^a]*b`, `(x|_)b\n?`, `^x.*?\n`, `x+\nx+`, "(?i)xk\n", "[ab]+xb", `\bx_?$`, "(xa\nb|_)a",
	"\n\n", "xx\nx", "日x"}

var spannedPieces = []string{"a", "b", "ab", "abcd", "\n", "\n", " ", "é", "日", "x", "K", "\u212a", "_", "\t"}

// eachOf gives all matches that Each yields.
func eachOf(t *testing.T, e *Expr, text string) (all [][]int) {
	t.Helper()
	var m Memory
	if err := e.Each([]byte(text), &m, func(start, end int) bool {
		all = append(all, []int{start, end})
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// checkParts compares Each with package regexp on the whole text.
func checkParts(t *testing.T, expr, text string, engine Engine) {
	t.Helper()
	e, err := Compile(Query{Text: expr, Multiline: true, Engine: engine})
	if err != nil {
		return
	}
	want := regexp.MustCompile(e.tree.String()).FindAllStringIndex(text, -1)
	if got := eachOf(t, e, text); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q in %q:\n got %v\nwant %v", expr, text, got, want)
	}
	var parts [][2]int
	e.EachPart([]byte(text), new(Memory), func(start, end int) bool {
		parts = append(parts, [2]int{start, end})
		return true
	})
	for _, m := range want {
		if !slices.ContainsFunc(parts, func(p [2]int) bool { return p[0] <= m[0] && m[1] <= p[1] }) {
			t.Fatalf("%q in %q: the match %v is in none of the parts %v", expr, text, m, parts)
		}
	}
}

func TestParts(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(31, 32))
	for _, expr := range spanning {
		for i := range 200 {
			var text strings.Builder
			for range r.IntN(25) {
				text.WriteString(spannedPieces[r.IntN(len(spannedPieces))])
			}
			checkParts(t, expr, text.String(), []Engine{Go, RE2}[i%2])
		}
	}
}

// With too many states, what is left is searched as one.
func TestPartsGiveUp(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	var text strings.Builder
	text.WriteString("abc")
	for i := range 60_000 {
		text.WriteByte("ab"[r.IntN(2)])
		if i%1000 == 999 {
			text.WriteString("c\n")
		}
	}
	expr := "a(a|b|\n){14}c|bc"
	checkParts(t, expr, text.String(), Go)
	e, err := Compile(Query{Text: expr, Multiline: true})
	if err != nil {
		t.Fatal(err)
	}
	if eachOf(t, e, text.String()); !e.sprawls.Load() {
		t.Error("the automaton has not given up")
	}
}

// What is in the first line of matches is found by a string search, of several strings where there
// is one for all at once.
func TestHead(t *testing.T) {
	finds2 := len(literal.Search([]string{"a_b", "c_d"}, false)) == 1
	for expr, want := range map[string]bool{
		`struct (\w+) \{\s+int`: true, `\w+;\n\}`: true, ".*foo": false, `\s+foo`: false, `foo_\w+\s+bar`: true, "[^z]foo": false,
		"a_b\n|c_d.e": false, "a_b\n\\w|a_c": false, "(a_b|c_d).e": finds2, `a_b\n|\s+c_d`: false, "[ab]": false,
	} {
		e, err := Compile(Query{Text: expr, Multiline: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.head != nil; got != want {
			t.Errorf("%q: %v, want %v", expr, got, want)
		}
	}
}

func FuzzParts(f *testing.F) {
	for _, expr := range spanning {
		f.Add(expr, "ab\nab é\nabcd\n\n日b")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) <= 100 && len(text) <= 1000 && utf8.ValidString(text) {
			checkParts(t, expr, text, Go)
		}
	})
}
