package match

import (
	"bytes"
	"context"
	"flag"
	"math/rand/v2"
	"reflect"
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
		p := newPairOfMatchers(t, parseQuery([]string{"e", "ei", "e", "ew"}[i%4], pattern))
		for range 10 {
			p.compare(t, randomText(r, automatonPieces, r.IntN(120)))
		}
		p.compare(t, strings.Repeat(randomText(r, automatonPieces, 400), 4)) // for several lanes
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
		q := Query{Text: randomPattern(r, 3), Regex: true, IgnoreCase: r.IntN(3) == 0, WholeWord: r.IntN(4) == 0}
		with, err := Compile(q)
		if err != nil {
			continue
		}
		without := compileOK(t, q)
		without.quick = nil
		compared++
		for range 5 {
			pairOfMatchers{with, without}.compare(t, randomText(r, automatonPieces, r.IntN(200)))
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

// pairOfMatchers is a query with the automaton and without.
type pairOfMatchers struct{ with, without *Matcher }

func newPairOfMatchers(t *testing.T, q Query) pairOfMatchers {
	t.Helper()
	with, err := Compile(q)
	if err != nil {
		t.Skip()
	}
	without := compileOK(t, q)
	without.quick = nil
	return pairOfMatchers{with, without}
}

// compare compares what they find in a text.
func (p pairOfMatchers) compare(t *testing.T, text string) {
	t.Helper()
	for _, o := range []LineOptions{{Force: true}, {Force: true, CountOnly: true}} {
		want, wantResult := grepText(t, p.without, text, o)
		got, result := grepText(t, p.with, text, o)
		if !reflect.DeepEqual(got, want) || result != wantResult {
			t.Fatalf("%+v in %q:\nautomaton %+v %v\nRE2       %+v %v", p.with.query, text, result, brief(got), wantResult, brief(want))
		}
	}
}

// TestAutomatonReadsEveryCharacter compares classes with RE2, for every character there is: each on
// a line of its own.
func TestAutomatonReadsEveryCharacter(t *testing.T) {
	var text bytes.Buffer
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r != '\n' && utf8.ValidRune(r) {
			text.WriteString("<" + string(r) + ">\n")
		}
	}
	for _, class := range []string{`\pL`, `\w`, `[\x{7f}-\x{801}]`, `[\x{fff}-\x{10005}]`, `(?i)[a-zα-ω]`, `(?i)ǆ`} {
		m := compileOK(t, Query{Text: "<" + class + ">", Regex: true})
		plain := compileOK(t, Query{Text: "<" + class + ">", Regex: true})
		plain.quick = nil
		want, got := countIn(t, plain, text.Bytes()), countIn(t, m, text.Bytes())
		if m.quick == nil || got != want || want == 0 {
			t.Errorf("%s: %d characters, RE2 finds %d", class, got, want)
		}
	}
}

func countIn(t *testing.T, m *Matcher, text []byte) int64 {
	t.Helper()
	result, err := m.Search(context.Background(), bytes.NewReader(text), int64(len(text)), LineOptions{CountOnly: true, Force: true}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result.Count
}

// TestAutomatonThatExplodes has so many states that the automaton gives up, without its memory
// growing beyond its bound.
func TestAutomatonThatExplodes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 2))
	text := randomText(r, []string{"a", "b", "ab", "ba", "bb"}, 200_000)
	text = strings.Join(strings.SplitAfter(text, "abab"), "\n")
	q := Query{Text: "(a|b)*a(a|b){14}c", Regex: true}
	newPairOfMatchers(t, q).compare(t, text)
	m := compileOK(t, q)
	m.needs = nil
	buf := new(Buffers)
	if _, err := m.Search(context.Background(), strings.NewReader(text), int64(len(text)), LineOptions{}, buf, nil); err != nil {
		t.Fatal(err)
	}
	if most := maxAutomaton + 1<<16; buf.automaton.size > most {
		t.Errorf("the states take %d bytes, more than %d", buf.automaton.size, most)
	}
	if !m.thrashes.Load() {
		t.Error("the automaton was not given up")
	}
}

// TestExplodingSearchIsTheSame compares package regexp, which searches where RE2 would have a state
// for each byte, with RE2.
func TestExplodingSearchIsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 4))
	text := randomText(r, []string{"a", "b"}, 40_000)
	for i := 700; i < len(text); i += 700 {
		text = text[:i] + "c\n" + text[i:]
	}
	p := newPairOfMatchers(t, Query{Text: "a(a|b){18}a(a|b){20,60}b(a|b){16}b.*c", Regex: true})
	p.compare(t, text)
	if !p.with.explodes.Load() || p.without.explodes.Load() {
		t.Error("both were searched by the same engine")
	}
	q := Query{Text: "a(a|b){18}a(a|b){20,60}bc\na?", Regex: true, Multiline: true}
	p = pairOfMatchers{compileOK(t, q), compileOK(t, q)}
	p.without.sample = nil
	agree(t, p.without, p.with, text)
	if !p.with.explodes.Load() || p.without.explodes.Load() {
		t.Error("both were searched by the same engine across lines")
	}
}

func FuzzAutomaton(f *testing.F) {
	startRE2() // on a busy machine it takes longer than one input may
	r := rand.New(rand.NewPCG(15, 3))
	for i, pattern := range automatonPatterns {
		f.Add(pattern, randomText(r, automatonPieces, 60), uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, flags uint8) {
		q := Query{Text: pattern, Regex: true, IgnoreCase: flags&1 != 0, WholeWord: flags&2 != 0}
		if len(pattern) > 200 {
			t.Skip()
		}
		newPairOfMatchers(t, q).compare(t, text)
	})
}
