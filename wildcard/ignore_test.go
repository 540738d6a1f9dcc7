package wildcard

import (
	"strings"
	"testing"
)

func TestIgnored(t *testing.T) {
	tests := []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "a", true},
		{"?", "a", true},
		{"?", "/", false},
		{"?", "é", false},
		{"??", "é", true},
		{"*", "", true},
		{"*", "abc", true},
		{"*", "a/b", false},
		{"*/*", "a/b", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"*x/b", "axx/b", true},
		{"*x/b", "axx/c", false},
		{"a**b", "aXb", true},
		{"a**b", "a/b", false},
		{"**", "a/b/c", true},
		{"**/c", "c", true},
		{"**/c", "a/b/c", true},
		{"**/c", "abc", false},
		{"a/**", "a/b/c", true},
		{"a/**", "a", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "axb", false},
		{"a/**/b/**/c", "a/b/x/b/y/c", true},
		{"**/**/**", "a/b", true},
		{"a/***/b", "a/x/y/b", true},
		{`**\/b`, "a/b", true},
		{`**\/b`, "b", false},
		{`**\/b`, "/b", true},
		{`**\/b`, "//b", true},
		{`**\/b*/c`, "a/bx/y/b/c", true},
		{"**/a*b/c*d", "axb/cxx/ayb/czd", true},
		{"[ab]", "b", true},
		{"[!ab]", "b", false},
		{"[^ab]", "c", true},
		{"[!a]", "/", false},
		{"[/]", "/", false},
		{"[]a]", "]", true},
		{"[!]]", "]", false},
		{"[a-c]", "b", true},
		{"[c-a]", "b", false},
		{"[a-]", "-", true},
		{"[-a]", "-", true},
		{"[a-c-e]", "-", true},
		{"[a-c-e]", "d", false},
		{`[\]a]`, "]", true},
		{`[a\-c]`, "b", false},
		{`[a-\c]`, "b", true},
		{"[[:digit:]x]", "7", true},
		{"[[:digit:]x]", "x", true},
		{"[![:digit:]]", "7", false},
		{"[[:alpha]", ":", true},
		{"[\x80-\xff]", "\xc3", true},
		{"{a,b}", "a", false},
		{"{a,b}", "{a,b}", true},
		{`\*`, "*", true},
		{`\*`, "a", false},
	}
	for _, tt := range tests {
		w, ok := parse(tt.pattern, ignoreLines)
		if !ok {
			t.Errorf("%q does not compile", tt.pattern)
		} else if got := w.match(tt.text); got != tt.want {
			t.Errorf("%q matches %q: %v", tt.pattern, tt.text, got)
		}
	}
}

func TestIgnoredBroken(t *testing.T) {
	for _, p := range []string{"[", "[a", "[]", "[!", "[!]", `[\`, `[a\`, `\`, `a\`, "[a-", `[a-\`, "[[:bogus:]]", "[[:alpha:]", "[[::]]"} {
		if _, ok := parse(p, ignoreLines); ok {
			t.Errorf("%q compiles", p)
		}
	}
}

// slowIgnored is the language written as a definition: every wildcard tries every length.
func slowIgnored(w *wild, ops []wildOp, s string) bool {
	if len(ops) == 0 {
		return s == ""
	}
	for n := 0; n <= len(s); n++ {
		if slowTakes(w, ops[0], s[:n]) && slowIgnored(w, ops[1:], s[n:]) {
			return true
		}
	}
	return false
}

// slowTakes reports whether one op matches exactly s.
func slowTakes(w *wild, o wildOp, s string) bool {
	switch o.kind {
	case wildText:
		return s == o.text
	case wildSet:
		in := false
		for i := 0; i < len(o.set.ranges) && len(s) == 1; i += 2 {
			in = in || o.set.ranges[i] <= rune(s[0]) && rune(s[0]) <= o.set.ranges[i+1]
		}
		return len(s) == 1 && s != "/" && in != o.set.negated
	case wildStar:
		return !strings.Contains(s, "/")
	case wildDirs:
		return s == "" || strings.HasSuffix(s, "/")
	default:
		return true
	}
}

// FuzzIgnored compares match, which gives up early, with the definition.
func FuzzIgnored(f *testing.F) {
	f.Add("a/**/b*/?[!x]", "a/x/bc/yz")
	f.Add("**/a*b/**/c*d", "x/aab/y/z/ccd")
	f.Add(`*a*/**\/b**`, "xa/y/b")
	f.Add("*ab/*b*/**/b", "aab/ab/b")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		w, ok := parse(pattern, ignoreLines)
		if !ok || len(text) > 24 || len(w.ops) > 8 {
			return
		}
		if got, want := w.match(text), slowIgnored(w, w.ops, text); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, text, got, want)
		}
	})
}

// TestIgnoredBounded would not end with a matcher that tries every star anew.
func TestIgnoredBounded(t *testing.T) {
	name := strings.Repeat("a", 255)
	path := strings.Repeat(name+"/", 15) + name
	for _, p := range []string{
		strings.Repeat("a*", 200) + "b",
		strings.Repeat("*a", 200) + "b",
		strings.Repeat("**/", 1000) + "b",
		strings.Repeat("**/a*", 14) + "b",
		strings.Repeat("*/", 15) + "b",
		strings.Repeat(`**\/*a`, 14) + "b",
		"**/" + strings.Repeat("*a", 100) + "/" + strings.Repeat("*a", 100) + "b",
	} {
		w, ok := parse(p, ignoreLines)
		if !ok {
			t.Fatalf("%.20q… does not compile", p)
		}
		if w.match(path) || w.match(name) {
			t.Errorf("%.20q… matches", p)
		}
	}
}
