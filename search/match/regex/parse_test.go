package regex

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

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
		written := rewrite(tree, true).String()
		got, err := newProgram(&Expr{query: Query{Engine: RE2}}, func() string { return written }).all([]byte(text), -1)
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

func TestMentionsCR(t *testing.T) {
	for pattern, want := range map[string]bool{
		`a\r`: true, "\r": true, `[^\r\n]`: false, `[a\r]`: true, `\\r`: false, `\Q\r\E`: false, `\x0D`: true, `\x{0d}`: true, `\015`: true, `\15`: true,
		`[]\r]`: true, `[^]\r]`: false, `[[:alpha:]\r]`: true, `\pL`: false, `\p{Greek}\r`: true, `[\]\r]`: true, `\[^\r`: true, `\s`: false,
		`.`: false, `a|\r`: true, `a(b|\r?)`: true, `[\f\r]`: true, `\f|\r`: true, `[\s\r]`: true, `\r|[^a]`: true, `[^\r][a-z][\f\r]`: true, `[a[^\r]`: true,
		`[\x0d]`: true, `[\t-\r]`: true, `[[\r]`: true, "\\Qa\rb": true,
	} {
		if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
			t.Fatal(err)
		}
		if got := mentionsCR(pattern); got != want {
			t.Errorf("%q: %v, want %v", pattern, got, want)
		}
	}
}

// FuzzPrograms holds that all programs of an expression compile if the expression does, for both
// engines.
func FuzzPrograms(f *testing.F) {
	if testing.Short() {
		f.Skip("skipped with -short")
	}
	startRE2()
	for _, pattern := range automatonPatterns {
		f.Add(pattern, true)
	}
	f.Fuzz(func(t *testing.T, pattern string, multiline bool) {
		e, err := Compile(Query{Text: pattern, Multiline: multiline})
		if err != nil || len(pattern) > 60 {
			return
		}
		for _, p := range []*program{e.lines, e.exact, e.later, e.wordStart, e.wordLater} {
			if _, err := p.plain(); err != nil {
				t.Fatalf("%q: parsed, but doesn't compile: %v", pattern, err)
			}
			if engine, err := p.fast(); err != nil || startRE2() && isPlain(engine) {
				t.Fatalf("%q: package regexp compiles it, RE2 does not: %v", pattern, err)
			}
		}
	})
}

func isPlain(e engine) bool {
	_, plain := e.(*regexp.Regexp)
	return plain
}
