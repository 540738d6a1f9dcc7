package policy

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRules compares what rules say about a path with the documented rule, without quick tests, for
// any patterns, one a line. Where a pattern has other readings as well, it may only close more. The
// quick tests may be wrong only by asking for a closer look, and what tells whether a pattern may
// match in a folder only by saying yes.
func FuzzRules(f *testing.F) {
	for _, seed := range [...][2]string{
		{strings.Join(DefaultDeny(), "\n"), "a/.env.sample/.env"},
		{strings.Join(DefaultDenyWrite(), "\n"), "a/.git/hooks/x"},
		{"*.key\nd\n!d/pub/**", "d/pub/c/a.key"},
		{"d\n!d/{e,}", "d/a"}, {"secret*{,.bak}", "x/secret.bak"}, {"{a/[{]b,z}", "a/{b"}, {`a\*`, "x/a*"}, {"a***", "ab"},
		{"d\n!d/*\nd/e\n!d/e/f", "d/e/f/g"}, {"STRASSE\nCaf\u00e9", "straße/x"}, {"[!a]/**/k", "b/k"}, {"!a", "a"}, {"d/{e,}", "d"},
		{"*!key\nd\n./*", "\x14"}, {"\xff*", "\xff\xfe"}, {"d\n!d/", "d"}, {"**\n!src/", "src/a"}, {"d/**\n!d/{a/,b/}\n!d/c/", "d/c"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		if len(text) > 200 || len(name) > 100 || strings.Count(text, "{") > 6 || name != path.Clean(name) || !filepath.IsLocal(name) {
			return // longer ones take the plain rule too long
		}
		patterns := strings.Split(text, "\n")
		p, err := New(patterns, patterns)
		if err != nil {
			return
		}
		v := p.Check(name, false)
		if !utf8.ValidString(text) || !utf8.ValidString(name) {
			return // doublestar takes any two wrong bytes as the same, a comparison of texts doesn't
		}
		by := deniedPlainly(t, patterns, name, false)
		closesMore := !isASCII(text) || !isASCII(name) || strings.ContainsAny(text, "?[") // by other readings than the plain one
		switch {
		case closesMore && strings.Contains(text, "!"):
			return
		case closesMore && by < 0, closesMore && v.Blocks():
		case v.Blocks() != (by >= 0) || by >= 0 && v.Pattern != patterns[by]:
			t.Fatalf("%q: %q is denied by %q, by the plain rule by number %d", patterns, name, v.Pattern, by)
		}
		above := path.Dir(name)
		if of := p.CheckFolder(name, false); of.Blocks() && !v.Blocks() || !closesMore && of.Blocks() != (deniedPlainly(t, patterns, name, true) >= 0) {
			t.Fatalf("%q: the directory %q is denied by %q, a file by %q", patterns, name, of.Pattern, v.Pattern)
		}
		denied := v.Blocks() && !p.CheckFolder(above, false).Blocks()
		if denied && !p.MayDeny(name, false) {
			t.Errorf("%q: the quick test lets %q pass", patterns, name)
		}
	})
}
