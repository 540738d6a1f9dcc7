package wildcard

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		pattern string
		path    bool
		want    Pattern
	}{
		{"a.go", false, Pattern{Kind: Name, Text: "a.go"}},
		{`\*a`, false, Pattern{Kind: Name, Text: "*a"}},
		{"*.go", false, Pattern{Kind: Suffix, Text: ".go"}},
		{"*", false, Pattern{Kind: Suffix}},
		{"**", false, Pattern{Kind: Suffix}},
		{"test_*", false, Pattern{Kind: Prefix, Text: "test_"}},
		{"a*b", false, Pattern{Kind: NameWild}},
		{`*\a`, false, Pattern{Kind: NameWild}},
		{`a/\[b`, true, Pattern{Kind: Path, Text: "a/[b"}},
		{"*.go", true, Pattern{Kind: PathWild}},
		{`a/\b/**`, true, Pattern{Kind: Under, Text: "a/b"}},
		{"a/**/**", true, Pattern{Kind: Under, Text: "a"}},
		{`a/\a/b*/**`, true, Pattern{Kind: PathWild, Text: "a/"}},
	} {
		got := CompileName(tt.pattern)
		if tt.path {
			got = CompilePath(tt.pattern)
		}
		isWild := got.Kind == NameWild || got.Kind == PathWild
		if got.Kind != tt.want.Kind || got.Text != tt.want.Text || isWild != (got.wild != nil) {
			t.Errorf("%s: %+v, want %+v", tt.pattern, got, tt.want)
		}
	}
}

// TestPatternMatch holds every kind against doublestar, which knows only one.
func TestPatternMatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	pieces := []string{"a", "b", ".", "*", "*", "?", "**", "/", "/**", "**/", "a/", "[ab]", `\*`, `\a`}
	var kinds [PathWild + 1]int
	for range 20000 {
		var text strings.Builder
		for range 1 + rnd.IntN(4) {
			text.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		spelled, err := NewBudget().Expand(text.String())
		if err != nil {
			t.Fatal(err)
		}
		p := spelled[0]
		if slices.Contains(Components(p), "") {
			continue
		}
		rel := randomPath(rnd)
		compiled, of := CompilePath(p), rel
		if !strings.Contains(p, "/") && rnd.IntN(2) == 0 {
			compiled, of = CompileName(p), path.Base(rel)
		}
		kinds[compiled.Kind]++
		if got, want := compiled.Match(rel, path.Base(rel)), matchPlainly(p, of); got != want {
			t.Errorf("%s matches %q: %v, want %v", p, of, got, want)
		}
	}
	if slices.Contains(kinds[:], 0) {
		t.Errorf("kinds never seen: %v", kinds)
	}
}

// What Needs says holds for every name that an ignore pattern matches.
func TestNeeds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	pieces := []string{"a", "b", ".", "aab", "*", "*", "?", "**", "/", "/**", "**/", "[ab]", `\*`, `\/`}
	matched := 0
	for range 40000 {
		var text strings.Builder
		for range 1 + rnd.IntN(5) {
			text.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		p, ok := CompileIgnore(strings.TrimSuffix(text.String(), "/"))
		rel := randomPath(rnd)
		name := path.Base(rel)
		if !ok || !p.Match(rel, name) {
			continue
		}
		matched++
		needed, atStart, atEnd := p.Needs()
		if !strings.Contains(name, needed) || atStart && !strings.HasPrefix(name, needed) || atEnd && !strings.HasSuffix(name, needed) ||
			atStart && atEnd && name != needed {
			t.Errorf("%s matches %q, and needs %q, %v, %v", &text, rel, needed, atStart, atEnd)
		}
	}
	if matched < 1000 {
		t.Errorf("%d matches: the patterns don't show it", matched)
	}
}
