package wildcard

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// signNames are names that people give to files and folders, and what their signs match.
var signNames = []string{"[id]", "[...s]", "{slug}", "{a,b}", "[ab]", "[!a]", "[[x]]", `a\b`, `\[id\]`, "i", "d", "s", ".", "a", "b", "ab", "slug", "x",
	"*", "?", "(auth)", "@m", "[a-c].ts", "b.ts", "{{c.x}}", "c.x", "-", "!"}

// TestReadings: a pattern that closes matches what its signs match as well as the path that it
// names to the letter, each name in either way; one that opens no more than these two. A path
// without signs is matched by the signs alone.
func TestReadings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(37, 1))
	one := func() string { return signNames[rnd.IntN(len(signNames))] }
	byLetter := 0
	for range 3000 {
		names := []string{one(), one(), one()}[:1+rnd.IntN(3)]
		if slices.Contains(names, ".") {
			continue // a component that patterns lose
		}
		pattern := strings.Join(names, "/")
		all, err := NewBudget().Expand(pattern)
		if err != nil {
			continue
		}
		if rnd.IntN(3) == 0 {
			pattern += "/**"
			all, _ = NewBudget().Expand(pattern)
		}
		closing, err := NewBudget().ExpandClosing(pattern)
		exact, err2 := NewBudget().ExpandExact(pattern)
		if err != nil || err2 != nil {
			t.Fatal(pattern, err, err2)
		}
		for range 20 {
			path := mixed(rnd, names, one)
			glob := anyMatches(all, path)
			letter := isLetter(pattern, path)
			if letter && !glob {
				byLetter++
			}
			if got := anyMatches(exact, path); got != (glob || letter) {
				t.Fatalf("%q opens %q: %v, as a glob %v, to the letter %v (%q)", pattern, path, got, glob, letter, exact)
			}
			got := anyMatches(closing, path)
			if (glob || letter) && !got || got && !glob && !strings.ContainsAny(path, `[{\`) {
				t.Fatalf("%q closes %q: %v, as a glob %v, to the letter %v (%q)", pattern, path, got, glob, letter, closing)
			}
		}
	}
	if byLetter < 500 {
		t.Errorf("%d paths are named to the letter: the patterns don't show it", byLetter)
	}
}

// mixed gives a path that has some of the names of a pattern.
func mixed(rnd *rand.Rand, names []string, one func() string) string {
	path := slices.Clone(names)
	for i := range path {
		if rnd.IntN(3) == 0 {
			path[i] = one()
		}
	}
	return strings.Join(path, "/")
}

// TestManyGroups: a pattern with more groups than are read both ways each.
func TestManyGroups(t *testing.T) {
	const front = "x/[a]/[b]/{c}/[d]/{e}/[f]/[h]/"
	for _, last := range []string{"{s,t}", "[rs]", "s", `\s`} {
		all, err := NewBudget().ExpandClosing(front + last)
		if err != nil || !anyMatches(all, front+"s") || !anyMatches(all, "x/a/b/c/d/e/f/h/s") || anyMatches(all, front+"u") {
			t.Errorf("%s: %q, %v", last, all, err)
		}
	}
}

func isLetter(pattern, path string) bool {
	folder, deep := strings.CutSuffix(pattern, "/**")
	return path == folder || deep && strings.HasPrefix(path, folder+"/")
}

func anyMatches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

// TestReadingsOfEach: "app/[id]/[ab].txt" closes a file in the folder "[id]" whose own name has a
// class.
func TestReadingsOfEach(t *testing.T) {
	for _, c := range []struct{ pattern, closes, not string }{
		{"app/[id]/[ab].txt", "app/[id]/a.txt", "app/[id]/c.txt"},
		{"app/[id]/{a,b}.txt", "app/[id]/b.txt", "app/id/b.txt"},
		{"{{name}}/[ab].[jt]s", "{{name}}/a.[jt]s", "name/c.js"},
		{"[a]/[b]/[c]/[d]/[e]/[f]/[g]/*.ts", "[a]/[b]/[c]/[d]/[e]/[f]/[g]/x.ts", "[a]/x.ts"},
		{"[a]/[b]/[c]/[d]/[e]/[f]/[g]/{x,y}", "[a]/[b]/[c]/[d]/[e]/[f]/[g]/y", "[a]/x"},
		{"**/[id]/*", "x/[id]/y", "x/z/y"},
		{strings.Repeat("{a,b}", 13), "a", strings.Repeat("c", 13)},
	} {
		all, err := NewBudget().ExpandClosing(c.pattern)
		if c.closes == "a" {
			c.closes = strings.Repeat("b", 13)
		}
		if err != nil || !anyMatches(all, c.closes) || anyMatches(all, c.not) {
			t.Errorf("%q: %v; closes %q %v, %q %v", c.pattern, err, c.closes, anyMatches(all, c.closes), c.not, anyMatches(all, c.not))
		}
	}
}

func TestCutExclusion(t *testing.T) {
	for pattern, want := range map[string]string{"!a": "a", "a": "a", `!\!a`: `\!a`, `!\ a`: `\ a`, "! a": "-", " !a": "-", "!!a": "-", "! ": "-",
		"!\ta": "-", "\u00a0!a": "-", " a": " a", "": "", "!": "", "! !a": "-"} {
		glob, excludes, err := CutExclusion(pattern)
		if errors.Is(err, ErrExclusion) != (want == "-") || err == nil && (glob != want || excludes != strings.HasPrefix(pattern, "!")) {
			t.Errorf("%q: %q %v %v, want %q", pattern, glob, excludes, err, want)
		}
	}
}
