package match

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
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
	{"e", `a{1001}`, "{1001}", `invalid repeat count: "{1001}"`},
	{"e", `(.{1000}){1000}`, "{1000}", `invalid repeat count: "{1000}"`},
	{"e", `.{1000}{1000}`, "{1000}{1000}", `invalid nested repetition operator: "{1000}{1000}"`},
	{"e", `((a{100}){10}){10}`, "{10}", `invalid repeat count: "{10}"`},
	{"e", `a(?=b)`, "(?=b)", `look-around is not supported: "(?="`},
	{"e", `(?<!a)b`, "(?<!a)b", `look-around is not supported: "(?<!"`},
	{"e", `(a)\1`, `\1`, `back-references are not supported: "\\1"`},
	{"e", `(?P<n`, "(?P<n", `invalid named capture: "(?P<n"`},
	{"e", "é\xff", "\xff", "invalid UTF-8"},
	{"e", `[\pL]{1000}`, "", "the regular expression is too large: with its repeats spelled out it takes more than 250,000 instructions"},
	{"e", strings.Repeat("a?", 2000), "",
		"the regular expression is too large: so many parts in a row may be empty that there are more than 1,000,000 ways past them"},
	{"e", strings.Repeat("a?", 50000), "", "the regular expression is longer than 8,192 bytes"},
	{"e", strings.Repeat("(a*", 1100) + strings.Repeat(")*", 1100), "", "the expression nests too deeply"},
	{"e", `é\n`, `\n`, acrossLines},
	{"e", "é\n", "\n", acrossLines},
	{"e", `[\n]`, `\n`, acrossLines},
	{"e", `[^\n]\x0a`, `\x0a`, acrossLines},
	{"e", `a|\n`, `\n`, acrossLines},
	{"e", `\x{A}`, `\x{A}`, acrossLines},
	{"e", `\012`, `\012`, acrossLines},
	{"e", "\\Q\\n\nb\\E", "\nb", acrossLines},
	{"", "é\nb", "\nb", acrossLines},
	{"e", `é\Afoo`, `\A`, `\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`},
	{"e", `foo\z`, `\z`, `\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`},
	{"e", `é(?-m)^foo`, "(?-m)", `\A and \z are the bounds of the file; a search by line has ^ and $, or set multiline`},
	{"i", "é\xff", "\xff", "a search that ignores case needs valid UTF-8"},
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

// What must compile: the multiline counterparts, classes that merely hold a
// line end, what only Go's parser knows, deep and large patterns within the limits.
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

// What is written out for RE2 means what regexp/syntax made of it.
func TestRewrittenAgainstStandardLibrary(t *testing.T) {
	text := "foo Bar K\u212a\n\n-a_1 é É\nſSs \x1a\x7f αΣς\n日本 \U0001F600 x\n"
	for _, expr := range []string{
		`(?i)k`, `(?i)bar`, `(?i)[a-k]+`, `(?i:É)x?`, `(?s).`, `(?-s).+`, `(?U)a+`, `a+?`, `\pN`, `\PL`, `[^a-z]`, `[[:punct:]]`, `[[:^alpha:]]`,
		`\bx|\B1`, `^`, `$`, `^-`, `x$`, `(?i)σ`, `[\x{1F600}-\x{1F64F}]`, `\x7f`, `[\pL&&]`, `a|b|`, `(a|)`, `.{2,3}`, `(?:x{0})`, `[^\s]`,
		`\D+`, `(?m)^.`, `(?i)[^s]`, `\d|\w|\s`,
	} {
		re := regexp.MustCompile("(?m:" + expr + ")")
		tree, err := syntax.Parse(expr, syntax.Perl&^syntax.OneLine)
		if err != nil {
			t.Fatal(err)
		}
		p, err := new(Matcher).compile(rewrite(tree, true).String())
		if err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		got, err := p.all([]byte(text), -1)
		want := re.FindAllIndex([]byte(text), -1)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %v, want %v", expr, got, want)
			continue
		}
		for i := range got {
			if got[i][0] != want[i][0] || got[i][1] != want[i][1] {
				t.Errorf("%s: %v, want %v", expr, got, want)
				break
			}
		}
	}
}

func TestRequired(t *testing.T) {
	for expr, want := range map[string]string{
		"foo.*bar": "bar|foo", "foo|bar": "foo,bar", "(foo|bar)+x?": "foo,bar", "a*": "", "foo|a*": "", "foo|bar|foo": "foo,bar",
		"(?i)foo[0-9]": "FOO~",
		"[ab]+":        "", "(?:foo){2,}": "foo", "(?:foo){0,2}": "", "(?i:foo)|bar": "FOO,BAR~", `\x{D800}`: "", "a(b|c)d": "abd,acd",
		"x.y|zz":                "x,zz|y,zz",
		"get_user|get_page|put": "get_user,get_page,put", "a[b-d]x*[ef]g": "eg,fg", "x(a|)y.": "xay,xy", "(?i)ab(c|d)": "ABC,ABD~",
		"[a-z]quit": "quit", "(a|)[0-9]*": "", "(a|b){3}(cc|dd)": "cc,dd", "((x|y)a|z)b+": "xa,ya,z", "((x|y)a|z)bb": "xabb,yabb,zbb",
		`\b\x1a`: "", `foo\x1a`: "", `x[\x19-\x1b]y`: "x|y",
	} {
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if r := required(rewrite(tree, false)); r != nil {
			got = strings.Join(r.texts, ",")
			if r.fold {
				got += "~"
			}
		}
		ok := got == want
		for _, w := range strings.Split(want, "|") {
			ok = ok || got == w
		}
		if !ok {
			t.Errorf("%s: requires %q, want %q", expr, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	for pattern, want := range map[string]int{
		`a\r`: 1, "\r": 0, `[^\r\n]`: -1, `[a\r]`: 2, `\\r`: -1, `\Q\r\E`: -1, `\x0D`: 0, `\x{0d}`: 0, `\15`: -1, `\015`: 0,
		`[]\r]`: 2, `[^]\r]`: -1, `[[:alpha:]\r]`: 10, `\pr`: -1, `\p{Greek}\r`: 9, `[\]\r]`: 3, `\[^\r`: 3, `\`: -1, `[`: -1, `\x{`: -1,
		`\x`: -1,
	} {
		if got, found := mentions(pattern, '\r'); pattern != `\15` && (got != want || found != (want >= 0)) {
			t.Errorf("%q: %d, %v, want %d", pattern, got, found, want)
		}
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
		m, err := Compile(parseQuery(flags, query))
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
		case m.filter != nil && len(query) < 60:
			for _, p := range []func() (*program, error){m.exact, m.wordStart, m.wordAfter, m.rest} {
				if _, err := p(); err != nil {
					t.Fatalf("%q: filter compiles, but not all: %v", query, err)
				}
			}
		}
	})
}
