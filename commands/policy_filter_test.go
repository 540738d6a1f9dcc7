package commands

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"fsbox/sandbox/policy"
	"fsbox/search/walk"
)

// TestDeniesWhatGlobsMatch holds the operator's patterns against the request's: a deny rule covers
// at least what glob, ls --pattern and grep --glob find with the same pattern, and all that lies
// below.
func TestDeniesWhatGlobsMatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	denied, checked := 0, 0
	for range sized(6000) {
		pattern := randomDenyPattern(rnd)
		rules, err := policy.New([]string{pattern}, nil)
		if err != nil {
			continue
		}
		filter, err := walk.NewFilter([]string{pattern})
		if err != nil && strings.Contains(pattern, `\/`) {
			continue // a backslash before a slash: only to the letter is it a name
		}
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		glob, err := walk.NewGlob(pattern, true)
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		for range 60 {
			name := randomDenyName(rnd)
			if checked++; rules.Check(name, false).Blocks() {
				denied++
			} else if filter.Match(name) || filter.Match(name+"/") || glob.Match(name, true) || rules.Check(path.Dir(name), false).Blocks() {
				t.Fatalf("%q doesn't deny %q", pattern, name)
			}
			if !rules.Check(path.Dir(name), false).Blocks() && rules.Check(name, false).Blocks() && !rules.MayDeny(name, false) {
				t.Fatalf("%q: the quick test of a walk lets %q pass", pattern, name)
			}
		}
	}
	if denied < checked/20 || denied > checked*19/20 {
		t.Errorf("%d of %d denied: the patterns don't show it", denied, checked)
	}
}

func randomDenyPattern(rnd *rand.Rand) string {
	pieces := []string{"a", "b", "ab", ".k", "*", "**", "***", "?", "[ab]", "[!a]", "[!a/]", "{a,b}", "{a/b,.k}", "{,b}", "{b,}", "{,.k}",
		"{**/,}", "{/**,}", "{a,{b,}}", `\a`, "/", "/", "/**", "**/", `\/`}
	var b strings.Builder
	for range 1 + rnd.IntN(4) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

func randomDenyName(rnd *rand.Rand) string {
	parts := make([]string, 1+rnd.IntN(4))
	for i := range parts {
		parts[i] = []string{"a", "b", "ab", ".k", "a.k", "c", "aa", "abb"}[rnd.IntN(8)]
	}
	return strings.Join(parts, "/")
}
