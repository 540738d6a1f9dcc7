package policy

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"fsbox/wildcard"

	"golang.org/x/text/unicode/norm"
)

// TestReadings: what a pattern with signs closes it closes as it is written as well as folded; what
// it opens it opens only by both.
func TestReadings(t *testing.T) {
	for _, tt := range []struct{ patterns, denied, allowed string }{
		{"s/[A-z]x", "s/_x s/ax s/Bx s/^x", "s/1x"},
		{"s/[Z-a]x", "s/_x s/zx s/Ax", "s/mx"},
		{"s/[!A]x", "s/ax s/bx s/Bx", ""},
		{"S/?", "s/ß s/İ s/\u0958 s/ﬁ S/ß s/e\u0301 s/\u00e9", "s/ab"},
		{"s/[ß-ÿ]", "s/ß s/é s/É", "s/a"},
		{"s/[İ]", "s/İ", "s/a"},
		{"??.t", "a\u200b.t x/a\u200b.t ab.t", "abc.t"},
		{"se\u00adcrets/?", "secrets/ß Secr\u200bets/ß", "secrets/ab"},
		{"e*", "e\u0301 é" + "e\u0301" + " ex", "xe"},
		{"e?", "e\u0301 \u00e9", "x"},
		{"*\u0301", "e\u0301 é", "e"},
		{"s/\\\u00ad*x", "s/x s/ax s/\u00adax", "s/b"},
		{"s/\u00ad\\*", "s/* s/\u00ad*", "s/a"},
		{"k?ß", "\u212aßß kaß kass kßss KSSSS kßẞ kßs\u200bs k\u200bßß", "ka kss kasss"},
		{"s/?", "s/ss s/ß s/ﬁ s/fi s/ſſ s/ﬀi", "s/sa s/sss s/ab"},
		{"e*ß", "éss e\u0301ß EßSS", "es"},
		{"ß?", "ss\u200b ssé ssﬀ", "ss"},
		{"??", "éß e\u0301ss ssss 각ß \u1100\u1161\u11a8ss e\u0301", "sssss"},
		{"s/[ß-ÿ]x", "s/ssx s/ſsx s/e\u0301x s/E\u0301x", "s/ex"},
		{"s/[!a]", "s/ss s/\u1e9e s/b", "s/a s/bc"},
		{"{k?ß,x}/a", "kßss/a kßss/a/b", "kass/b"},
		{"k?ß/**", "kßss kßss/a", "kas/a"},
		{"**/k?ß", "a/kßss a/kßss/b", "a/kas"},
		{"secrets/** !secrets/*\u00ad*", "secrets/a secrets/a/b", "secrets/a\u00adb"},
		{"s !s/??", "s/ß s/a", "s/ab s/ab/c"},
		{"s !s/[A-z]x", "s/_x s/1x", "s/ax"},
		{"s !s/[a-z]x", "s/Ax", "s/ax"},
		{"s !s/*.TXT", "s/a", "s/a.txt s/é.Txt"},
		{"s !s/é*", "s/e", "s/éa s/e\u0301a s/É"},
		{"s !s/?", "s/e\u0301", "s/a"},
		{"s !s/*\u00ad*/x", "s/a/x", "s/\u00ad/x"},
	} {
		p := compiled(t, strings.Fields(tt.patterns), nil)
		for name := range strings.FieldsSeq(tt.denied) {
			if !denies(p, name) {
				t.Errorf("%+q allows %+q", tt.patterns, name)
			}
		}
		for name := range strings.FieldsSeq(tt.allowed) {
			if denies(p, name) {
				t.Errorf("%+q denies %+q", tt.patterns, name)
			}
		}
	}
	for pattern, names := range map[string]string{"s/?": "s/ß s/e\u0301 s/ab", "s/[A-z]": "s/_ s/1", "s/*\u00ad*": "s/a s/ab"} {
		exact, err := NewAllowance([]string{pattern})
		for name := range strings.FieldsSeq(names) {
			if err != nil || exact.Allows(name, false) {
				t.Errorf("%+q lets %+q through: %v", pattern, name, err)
			}
		}
	}
}

// oddPieces are patterns whose meaning folding changes, and oddLetters what is in names.
var (
	oddPieces = []string{"[A-z]", "[Z-a]", "[!A]", "[!a]", "[ß-ſ]", "?", "??", "*", "**", "/", "/", "/", "a", "b", "e", "S", "ß", "İ", "\u00ad", "\\\u200b", `\*`, "é", "e\u0301",
		"\u0301", "\u0958", "ﬁ", "[e\u0301]", "[é]", "K"}
	oddLetters = []string{"a", "b", "A", "_", "e", "s", "S", "ß", "İ", "\u00ad", "\u200b", "é", "e\u0301", "\u0301", "\u0958", "ﬁ", "k",
		"\u212a", "*", "/", "/", "ſ"}
)

func oddText(rnd *rand.Rand, pieces []string, most int) string {
	var b strings.Builder
	for range 1 + rnd.IntN(most) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

// TestReadingsModel compares rules for odd patterns with a plain match of the pattern as written
// and of the folded one.
func TestReadingsModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(19, 44))
	closed, opened, differ := 0, 0, 0
	rounds := 600
	switch {
	case *sweep:
		rounds = 20_000
	case testing.Short():
		rounds = 60
	}
	for range rounds {
		pattern := oddText(rnd, oddPieces, 5)
		closing, err := New([]string{pattern}, nil)
		opening, err2 := New([]string{"**", "!" + pattern}, nil)
		if err != nil || err2 != nil {
			continue
		}
		for range 40 {
			name := strings.Trim(path.Clean(oddText(rnd, oddLetters, 6)), "/")
			if name == "." || strings.Contains("/"+FoldName(name)+"/", "//") {
				continue
			}
			byFold, asWritten := coversPlainly(FoldName(bareIgnorable(pattern)), FoldName(name)), false
			for _, form := range []func(string) string{func(s string) string { return s }, norm.NFC.String, norm.NFD.String} {
				asWritten = asWritten || coversPlainly(form(pattern), form(name)) || coversPlainly(pattern, form(name))
			}
			if byFold != asWritten {
				differ++
			}
			if byFold || asWritten {
				closed++
				if !denies(closing, name) {
					t.Fatalf("%+q allows %+q: folded %v, as written %v", pattern, name, byFold, asWritten)
				}
				if !denies(closing, path.Dir(name)) && !coversPlainly(FoldName(pattern), FoldName(path.Dir(name))) && !closing.MayDeny(name, false) {
					t.Fatalf("%+q: the quick test lets %+q pass", pattern, name)
				}
			}
			if coversPlainly(pattern, name) && !strings.Contains(pattern, "[!") { // "[!a]" closes "A", and not "a"
				if other := respelled(rnd, name); !denies(closing, other) {
					t.Fatalf("%+q allows %+q, which is %+q in another spelling", pattern, other, name)
				}
			}
			if !denies(opening, name) {
				opened++
				if !byFold {
					t.Fatalf("!%+q opens %+q, which it doesn't match folded", pattern, name)
				}
			}
		}
	}
	if closed < rounds || opened < rounds/4 || differ < rounds/4 {
		t.Errorf("closed %d, opened %d, %d by one reading only: the patterns don't show it", closed, opened, differ)
	}
}

// respelled writes a path in another way that is the same to some file system.
func respelled(rnd *rand.Rand, name string) string {
	var b strings.Builder
	for _, c := range name {
		others := []string{string(c)}
		for _, same := range [...][]string{{"ß", "ss", "ẞ", "Ss", "sſ", "s\u200bs"}, {"é", "e\u0301", "É", "e\u00ad\u0301"}, {"ﬁ", "fi",
			"FI"}, {"k", "\u212a", "K"},
			{"s", "S", "ſ"}, {"İ", "I\u0307", "i\u0307"}, {"\u0958", "\u0915\u093c"}, {"a", "A", "\u2060a"}, {"e", "E"}, {"b", "B"}} {
			if slices.Contains(same, string(c)) {
				others = same
			}
		}
		b.WriteString(others[rnd.IntN(len(others))])
	}
	return b.String()
}

// coversPlainly reports whether a pattern matches a path or a folder above it.
func coversPlainly(pattern, name string) bool {
	rooted := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	all, err := wildcard.NewBudget().Expand(pattern)
	if err != nil {
		return false
	}
	for _, glob := range all {
		glob = fromRoot(glob, rooted)
		for above := name; above != "." && above != "/"; above = path.Dir(above) {
			if glob != "" && matchesWhole(glob, above) {
				return true
			}
		}
	}
	return false
}
