package regex

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// automatonPatterns are of all kinds: with and without a string that every match contains, with
// assertions of each kind, classes of one and of several bytes, repeats.
var automatonPatterns = []string{
	`\w{5}\s+\w{5}`, `[a-z]+[0-9]{3}`, `[0-9]{4}-[0-9]{2}`, `\d+\.\d+`, `(one|two|three)[A-Z]`, `^\s*[a-z]+\([a-z]*\);$`, `\b[a-z]{4,}\b`,
	`[^\x00-\x7f]`, `^[A-Z]`, `(?i)(foo|bar)[a-z]*[0-9]`, `^.{20,}$`, `\bfoo\b`, `foo\B`, `\Bfoo`, `\B`, `\b`, `^$`, `^`, `$`, `a*`, `(a|b*)$`,
	`\pL\pN`, `\p{Greek}+`, `[^a]b`, `.b`, `(?i)k`, `(?i)straße`, `(?i)[k-s]+x`, `[日-本]1`, `\x{10FFFF}|\x{FFFD}`, `foo.*bar.*baz`, `(a.*b){3}`,
	`\bé`, `é\b`, `\w\b\W`, `(?:^|,)x(?:,|$)`, `^foo|bar$`, `(^a|b)c`, `(?m:^)+a`, `x(?:$|y)`, `(foo1|bar|oo)[X_]`, `(?i)(oo|foob|bar)X`,
	`(ab|b_|twoX)-`, `[^\x00-\x{10FFFF}]`, `.*`, `.+x`, `\x1a`, `\b\x1a`, `[^\n]a$`,
	`(ab|a)(c|bcd)(d*)`, `(?i)\x{212a}elvin`, `ſ[a-z]`, `\s$`, `^\S+\s\S+$`, `a{3,5}b?c`, `fo{2}|\(x\)`,
	`^\w*foo`, `(?i)^\W*(ab|foo)`, `^.*ab|^x.*foo$`, `^.*(one|twoX|foo)[A-Z_]`, `^\s*\S+\s+ab`,
}

// automatonPieces are what texts for them are made of.
var automatonPieces = []string{"\n", "\n\n", " ", "a", "b", "foo", "bar", "baz", "one", "twoX", "ab", "12", "3.4", "2020-01-02", "é", "日",
	"本1", "straße", "STRASSE",
	"k", "\u212a", "ſ", "\xff", "\xe6\x97", "\x80", "\U0010FFFF", "\ufffd", "α", "X", "_", "-", ".", ",", "x", "\t", "();", "elvin", "\x1a",
	"wordy words"}

// TestAutomatonAgreesWithRE2 searches random texts with the automaton and without.
func TestAutomatonAgreesWithRE2(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 1))
	for i, pattern := range automatonPatterns {
		p := newPair(t, Query{Text: pattern, IgnoreCase: i%4 == 1, WholeWord: i%4 == 3})
		for range 10 {
			p.compare(t, randomText(r, automatonPieces, r.IntN(120)))
		}
		p.compare(t, strings.Repeat(randomText(r, automatonPieces, 400), 4)) // for several lanes
		p.compare(t, strings.Repeat("\n", maxHits-1))                        // as many lines as one call finds
	}
}

var (
	automatonCount = flag.Int("automaton-patterns", 20, "random patterns to compare with RE2; a long run 50,000")
	automatonSeed  = flag.Uint64("automaton-seed", 1, "seed of those patterns")
)

// TestAutomatonAgreesOnRandomPatterns does it for patterns that are put together of others. It is
// for long runs where fuzzing, which takes an input for a deadlock after ten seconds, has too
// little of the processor.
func TestAutomatonAgreesOnRandomPatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(15, *automatonSeed))
	compared := 0
	for range *automatonCount {
		q := Query{Text: randomPattern(r, 3), IgnoreCase: r.IntN(3) == 0, WholeWord: r.IntN(4) == 0}
		if _, err := Compile(q); err != nil {
			continue
		}
		compared++
		p := newPair(t, q)
		for range 5 {
			p.compare(t, randomText(r, automatonPieces, r.IntN(200)))
		}
	}
	t.Logf("%d patterns compared", compared)
}

// randomPattern joins patterns in all ways that there are.
func randomPattern(r *rand.Rand, depth int) string {
	one := func() string { return "(?:" + randomPattern(r, depth-1) + ")" }
	switch n := r.IntN(8); {
	case depth == 0 || n == 0:
		return automatonPatterns[r.IntN(len(automatonPatterns))]
	case n < 4:
		return one() + one()
	case n == 4:
		return one() + "|" + one()
	case n == 5:
		return one() + []string{"*", "+", "?", "{2}", "{1,3}", "*?"}[r.IntN(6)]
	case n == 6:
		return []string{"^", `\b`, `\B`, "(?i)", "(?s).", "[^a]"}[r.IntN(6)] + one()
	}
	return one() + []string{"$", `\b`, `\B`, `\s`, "x", "é"}[r.IntN(6)]
}

func randomText(r *rand.Rand, pieces []string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func compileOK(t testing.TB, q Query) *Expr {
	t.Helper()
	e, err := Compile(q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return e
}

// pair is an expression with the automaton, and one that only RE2 searches.
type pair struct{ with, without *Expr }

func newPair(t *testing.T, q Query) pair {
	t.Helper()
	p := pair{with: compileOK(t, q)}
	q.Engine = RE2
	p.without = compileOK(t, q)
	p.without.code = nil
	return p
}

// compare compares the lines that they find in a text.
func (p pair) compare(t *testing.T, text string) {
	t.Helper()
	got, want := linesOf(t, p.with, text), linesOf(t, p.without, text)
	if !slices.Equal(got, want) {
		t.Fatalf("%+v in %q:\nautomaton %v\nRE2       %v", p.with.query, text, got, want)
	}
	checkShapes(t, p.with, text, want)
}

// linesOf gives the numbers of the lines that match, from 0.
func linesOf(t *testing.T, e *Expr, text string) (numbers []int) {
	t.Helper()
	var m Memory
	for from, more := 0, true; more; {
		var hits []int
		var err error
		hits, more, err = e.Lines([]byte(text[from:]), &m)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range hits {
			numbers = append(numbers, strings.Count(text[:from+at], "\n"))
		}
		if more { // the line of the last hit may be the last one
			last := from + hits[len(hits)-1]
			from = nextLine([]byte(text), last)
			more = strings.Contains(text[last:], "\n")
		}
	}
	return numbers
}

// TestAutomatonReadsEveryCharacter compares classes with RE2, for every character there is: each on
// a line of its own.
func TestAutomatonReadsEveryCharacter(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	var text bytes.Buffer
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r != '\n' && utf8.ValidRune(r) {
			text.WriteString("<" + string(r) + ">\n")
		}
	}
	for _, class := range []string{`\pL`, `\w`, `[\x{7f}-\x{801}]`, `[\x{fff}-\x{10005}]`, `(?i)[a-zα-ω]`, `(?i)ǆ`} {
		p := newPair(t, Query{Text: "<" + class + ">"})
		if p.with.code == nil {
			t.Errorf("%s: no automaton", class)
		}
		hits, more, err := p.with.Lines(text.Bytes(), new(Memory))
		want, _ := p.without.Matches(text.Bytes(), -1)
		if err != nil || more || len(hits) != len(want) || len(want) == 0 {
			t.Errorf("%s: %d characters, RE2 finds %d", class, len(hits), len(want))
		}
	}
}

// TestAutomatonThatExplodes has so many states that the automaton gives up, without its memory
// growing beyond its bound.
func TestAutomatonThatExplodes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(15, 2))
	text := randomText(r, []string{"a", "b", "ab", "ba", "bb"}, 200_000)
	text = strings.Join(strings.SplitAfter(text, "abab"), "\n")
	q := Query{Text: "(a|b)*a(a|b){14}c"}
	newPair(t, q).compare(t, text)
	e, m := compileOK(t, q), new(Memory)
	if _, _, err := e.Lines([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	if most := maxAutomaton + 1<<16; m.automaton.size > most {
		t.Errorf("the states take %d bytes, more than %d", m.automaton.size, most)
	}
	if !e.thrashes.Load() {
		t.Error("the automaton was not given up")
	}
}

// TestExplodingSearchIsTheSame compares package regexp, which searches where RE2 would have a state
// for each byte, with RE2.
func TestExplodingSearchIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(15, 4))
	text := randomText(r, []string{"a", "b"}, 40_000)
	for i := 700; i < len(text); i += 700 {
		text = text[:i] + "c\n" + text[i:]
	}
	p := newPair(t, Query{Text: "a(a|b){18}a(a|b){20,60}b(a|b){16}b.*c"})
	p.compare(t, text)
	if !p.with.explodes.Load() || p.without.explodes.Load() {
		t.Error("both were searched by the same engine")
	}
	p = newPair(t, Query{Text: "a(a|b){18}a(a|b){20,60}bc\na?", Multiline: true})
	got := eachOf(t, p.with, text)
	want, err := p.without.Matches([]byte(text), -1)
	if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%d matches, RE2 finds %d; %v", len(got), len(want), err)
	}
	if !p.with.explodes.Load() || p.without.explodes.Load() {
		t.Error("both were searched by the same engine across lines")
	}
}

// TestSmallSearchLeavesRE2 holds that little text is searched without RE2, and much with it, with
// the same matches.
func TestSmallSearchLeavesRE2(t *testing.T) {
	e := compileOK(t, Query{Text: `(\w+) = \w+\(`})
	line := []byte("\terr = call(name);\n")
	for i, want := range []bool{true, false} {
		engine, err := e.exact.pick(line)
		plain, _ := e.exact.plain()
		if err != nil || engine == plain != want && startRE2() {
			t.Errorf("search %d: by package regexp is %v, want %v; %v", i, engine == plain, want, err)
		}
		e.exact.spent.Add(smallWork)
	}
}

func FuzzAutomaton(f *testing.F) {
	startRE2() // on a busy machine it takes longer than one input may
	r := rand.New(rand.NewPCG(15, 3))
	for i, pattern := range automatonPatterns {
		f.Add(pattern, randomText(r, automatonPieces, 60), uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint8) {
		q := Query{Text: pattern, IgnoreCase: flags&1 != 0, WholeWord: flags&2 != 0}
		if _, err := Compile(q); err != nil || len(pattern) > 200 {
			t.Skip()
		}
		newPair(t, q).compare(t, text)
	})
}
