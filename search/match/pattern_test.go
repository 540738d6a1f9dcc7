package match

import (
	"errors"
	"strings"
	"testing"

	"fsbox/search/match/regex"
)

// patternErrors: the piece of the query that the position points at; "" for position -1.
var patternErrors = []struct{ flags, query, at, message string }{
	{"e", `a(b`, "(b", "missing closing )"},
	{"e", `(a)(b`, "(b", "missing closing )"},
	{"e", `[(]\((é`, "(é", "missing closing )"},
	{"e", `é)(`, ")(", "unexpected )"},
	{"e", `a)`, ")", "unexpected )"},
	{"e", `é[a`, "[a", `missing closing ]: "[a"`},
	{"e", `*a`, "*a", `missing argument to repetition operator: "*"`},
	{"e", `\*é**`, "**", `invalid nested repetition operator: "**"`},
	{"e", `\\Z\Z`, `\Z`, `invalid escape sequence: "\\Z"`},
	{"e", `\C`, `\C`, `invalid escape sequence: "\\C"`},
	{"e", `a\`, `\`, "trailing backslash at end of expression"},
	{"e", `é[b-a]`, "b-a", `invalid character class range: "b-a"`},
	{"e", `[[:foo:]]`, "[:foo:]", `invalid character class range: "[:foo:]"`},
	{"e", `\p{Klingon}`, `\p{Klingon}`, `invalid character class range: "\\p{Klingon}"`},
	{"e", `a{1001}`, "", `invalid repeat count: "{1001}"`},
	{"e", `(.{1000}){1000}`, "", `invalid repeat count: "{1000}"`},
	{"e", `.{1000}{1000}`, "{1000}{1000}", `invalid nested repetition operator: "{1000}{1000}"`},
	{"e", `((a{100}){10}){10}`, "", `invalid repeat count: "{10}"`},
	{"e", `a(?=b)`, "(?=b)", `look-around is not supported: "(?="`},
	{"e", `(?<!a)b`, "(?<!a)b", `look-around is not supported: "(?<!"`},
	{"e", `(a)\1`, `\1`, `back-references are not supported: "\\1"`},
	{"e", `(?P<n`, "(?P<n", `invalid named capture: "(?P<n"`},
	{"e", "é\xff", "", "invalid UTF-8"},
	{"e", `[\pL]{1000}`, "", "the regular expression is too large: with its repeats spelled out it takes more than 250,000 instructions"},
	{"e", strings.Repeat("a?", 2000), "",
		"the regular expression is too large: so many parts in a row may be empty that there are more than 1,000,000 ways past them"},
	{"e", strings.Repeat("a?", 50000), "", "the regular expression is longer than 8,192 bytes"},
	{"e", strings.Repeat("(a*", 1100) + strings.Repeat(")*", 1100), "", "the expression nests too deeply"},
	{"e", `é\n`, `\n`, regex.AcrossLines},
	{"e", "é\n", "\n", regex.AcrossLines},
	{"e", `[\n]`, "", regex.AcrossLines},
	{"e", `[^\n]\x0a`, `\x0a`, regex.AcrossLines},
	{"e", `a|\n`, `\n`, regex.AcrossLines},
	{"e", `\x{A}`, `\x{A}`, regex.AcrossLines},
	{"e", `\012`, `\012`, regex.AcrossLines},
	{"e", "\\Q\\n\nb\\E", "\nb", regex.AcrossLines},
	{"", "é\nb", "", regex.AcrossLines},
	{"e", `é\Afoo`, "", `\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`},
	{"e", `foo\z`, "", `\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`},
	{"e", `é(?-m)^foo`, "", `\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`},
	{"i", "é\xff", "", "a search that ignores case needs valid UTF-8"},
	{"", "", "", "the query is empty"},
}

func TestPatternErrors(t *testing.T) {
	for _, c := range patternErrors {
		_, err := Compile(parseQuery(c.flags, c.query))
		var bad *PatternError
		if !errors.As(err, &bad) {
			t.Errorf("%q: no pattern error, but %v", c.query, err)
			continue
		}
		if !strings.HasPrefix(bad.Message, c.message) {
			t.Errorf("%q: message %q, want %q", c.query, bad.Message, c.message)
		}
		switch runes := []rune(c.query); {
		case c.at == "":
			if bad.Position != -1 {
				t.Errorf("%q: position %d, want -1", c.query, bad.Position)
			}
		case bad.Position < 0 || bad.Position > len(runes):
			t.Errorf("%q: position %d", c.query, bad.Position)
		case !strings.HasPrefix(string(runes[bad.Position:]), strings.ToValidUTF8(c.at, "\ufffd")):
			t.Errorf("%q: position %d is %q, want %q", c.query, bad.Position, string(runes[bad.Position:]), c.at)
		}
	}
}

// What must compile: line ends in a multiline search, which a search by line refuses; classes that
// merely hold a line end; what only Go's parser knows; deep and large patterns within the limits.
func TestPatternsAccepted(t *testing.T) {
	for _, c := range []struct{ flags, query string }{
		{"e", `[^\n]`}, {"e", `[ \n\t]`}, {"e", `\s`}, {"e", `[^\n]*a`}, {"e", `\\n`}, {"e", `\Qa\nb\E`},
		{"em", `a\n`}, {"em", `\Aa\z`}, {"em", "a\nb"}, {"m", "a\nb"},
		{"e", `\p{Letter}`}, {"e", `(?<n>a)`}, {"e", `\x{D800}`}, {"e", `\x{D800}+a`}, {"e", `a{1000}`}, {"e", `(?i)[k-s]\pL`},
		{"e", strings.Repeat("(a*", 300) + strings.Repeat(")*", 300)}, {"e", strings.Repeat("(?:a|b*", 240) + strings.Repeat(")*", 240)},
		{"e", `a||b`}, {"e", `()`}, {"e", `(|a)*`}, {"e", `(?:)`}, {"ew", `()`}, {"e", `[^\x00-\x{10FFFF}]`},
		{"e", `(?:aa|bb)[^\x00-\x{10FFFF}]`}, {"e", `\pL{50}`}, {"", "("},
	} {
		m, err := Compile(parseQuery(c.flags, c.query))
		if err != nil {
			t.Errorf("%q %q: %v", c.flags, cut(c.query), err)
			continue
		}
		grepText(t, m, "a\nb\n\\n\n", LineOptions{})
	}
}

func FuzzCompile(f *testing.F) {
	for _, c := range patternErrors {
		f.Add(c.flags, c.query)
	}
	for _, c := range searchCases {
		f.Add(c.flags, c.query)
	}
	f.Fuzz(func(t *testing.T, flags, query string) {
		if len(query) > 500 {
			return
		}
		_, err := Compile(parseQuery(flags, query))
		var bad *PatternError
		switch {
		case errors.As(err, &bad):
			if bad.Position < -1 || bad.Position > len([]rune(query)) || bad.Message == "" {
				t.Fatalf("%q: %+v", query, bad)
			}
			if strings.Contains(bad.Message, "too large") && bad.Position == -1 && len(query) < 40 && !strings.ContainsAny(query, "{+*") {
				t.Fatalf("%q is small, but: %v", query, err)
			}
		case err != nil:
			t.Fatal(err)
		}
	})
}
