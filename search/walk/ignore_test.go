package walk

import (
	"fmt"
	"path"
	"strings"
	"testing"
)

// ignoreTest lists paths below the folder of an ignore file; a slash at the end marks a folder.
type ignoreTest struct {
	name, rules      string
	ignored, visible []string // visible: not decided, or decided against
}

var ignoreTests = []ignoreTest{
	{"name anywhere", "a", []string{"a", "a/", "b/a", "b/c/a/"}, []string{"ab", "a/b", "A"}},
	{"directory only", "a/", []string{"a/", "b/a/"}, []string{"a", "b/a"}},
	{"slash in front anchors", "/a", []string{"a", "a/"}, []string{"b/a"}},
	{"slash within anchors", "a/b", []string{"a/b", "a/b/"}, []string{"x/a/b", "a/b/c"}},
	{"anchored directory", "/a/b/", []string{"a/b/"}, []string{"a/b", "x/a/b/"}},
	{"suffix", "*.o", []string{"a.o", ".o", "x/a.o", "a.o/"}, []string{"a.oo", "o"}},
	{"prefix", "core*", []string{"core", "core.1", "x/corex"}, []string{"score"}},
	{"suffix, anchored", "/*.o", []string{"a.o"}, []string{"x/a.o"}},
	{"star stays in its component", "a/*/c", []string{"a/b/c"}, []string{"a/b/b/c", "a/c"}},
	{"everything in", "a/**", []string{"a/b", "a/b/c"}, []string{"a", "a/", "b/a/c"}},
	{"anywhere", "**/a", []string{"a", "b/a", "b/c/a"}, []string{"ba"}},
	{"anywhere, with directory", "**/a/b", []string{"a/b", "c/a/b"}, []string{"ca/b"}},
	{"between", "a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"a/xb", "x/a/b"}},
	{"double star in a name is one star", "a**b", []string{"ab", "axb", "x/axb"}, []string{"axc"}},
	{"prefix first, then a whole double star", "f**/x", []string{"f/x", "fa/x", "fa/b/x", "f/b/x", "fx"}, []string{"fay", "g/f/x"}},
	{"double star after a prefix", "/f**", []string{"f", "fa", "fa/b"}, []string{"a/f"}},
	{"negation, last wins", "*.o\n!a.o", []string{"b.o"}, []string{"a.o", "x/a.o"}},
	{"negation undone", "*.o\n!a.o\n*.o", []string{"a.o"}, nil},
	{"all but", "/*\n!/src", []string{"a", "b/"}, []string{"src", "src/", "src/a"}},
	{"all but directory", "/*\n!/src/", []string{"a", "src"}, []string{"src/"}},
	{"directory contents but one", "a/*\n!a/b", []string{"a/c"}, []string{"a/b"}},
	{"comment", "# a\n#a\n\\#b", []string{"#b"}, []string{"a", "#a", "# a"}},
	{"escaped mark", `\!a`, []string{"!a"}, []string{"a"}},
	{"two marks", "*a\n!!a", []string{"a", "b/a"}, []string{"!a"}},
	{"trailing blanks", "a  \nb\\ \nc\t\nd \\ \ne\\  ", []string{"a", "b ", "c\t", "d  ", "e "}, []string{"a ", "b", "c", "d", "e"}},
	{"leading blank counts", " a", []string{" a"}, []string{"a"}},
	{"inner blank counts", "a b", []string{"a b"}, []string{"a", "b"}},
	{"carriage return", "a\r\nb \r\n/c/\r\nd\r", []string{"a", "b", "c/", "d"}, []string{"a\r", "b ", "c"}},
	{"only one carriage return", "a\r\r\n", []string{"a\r"}, []string{"a"}},
	{"byte order mark", "\xef\xbb\xbfa\n\xef\xbb\xbfb", []string{"a", "\xef\xbb\xbfb"}, []string{"b"}},
	{"no final newline", "x\na", []string{"a"}, nil},
	{"NUL ends a line", "a\x00b\nc", []string{"a", "c"}, []string{"ab"}},
	{"blank lines and bare marks", "\n \n!\n/\n//\n!/\n\t", []string{"\t"}, []string{"a", "a/", " "}},
	{"double slash never matches", "a//b\nb//", nil, []string{"a/b", "b/", "b"}},
	{"class", "[ab].o", []string{"a.o", "b.o"}, []string{"c.o", "[ab].o"}},
	{"negated class", "[!a].o\n[^b].x", []string{"b.o", "a.x"}, []string{"a.o", "b.x"}},
	{"bracket in a class", "[]x]\n[!]]y", []string{"]", "x", "ay"}, []string{"]y"}},
	{"class never matches a slash", "a[/]b\nc[!x]d", []string{"cyd"}, []string{"a/b", "c/d"}},
	{"named class", "a[[:digit:]]", []string{"a1"}, []string{"ax", "a:"}},
	{"broken patterns match nothing", "[\na[\n[a\nb\\\n[[:nope:]]", nil, []string{"[", "a[", "[a", "b", `b\`, "n"}},
	{"backslash", `\a` + "\n" + `\*b` + "\n" + `c\/d`, []string{"a", "*b", "c/d"}, []string{`\a`, "xb"}},
	{"braces are literal", "*.{a,b}", []string{"x.{a,b}"}, []string{"x.a"}},
	{"bytes, not runes", "?.u\n??.v", []string{"e.u", "é.v"}, []string{"é.u"}},
	{"invalid UTF-8", "\xff*", []string{"\xff", "\xffa"}, []string{"\xfe"}},
	{"no case folding", "README", []string{"README"}, []string{"readme"}},
	{"dot files are names", "*", []string{".a", "a"}, nil},
}

// decide tells whether a rule matches a path, and if so whether it ignores it.
func (r *Rules) decide(rel, name string, dir bool) (ignored, decided bool) {
	n := newIgnoredName(name, dir)
	u := r.match(rel, &n)
	return u != nil && !u.negate, u != nil
}

func TestIgnoreRules(t *testing.T) {
	for _, tt := range ignoreTests {
		t.Run(tt.name, func(t *testing.T) {
			rules := ParseIgnore([]byte(tt.rules))
			check := func(p string, want bool) {
				rel, dir := strings.CutSuffix(p, "/")
				ignored, decided := rules.decide(rel, path.Base(rel), dir)
				if got := ignored && decided; got != want {
					t.Errorf("%q with %q: ignored %v, want %v", p, tt.rules, got, want)
				}
			}
			for _, p := range tt.ignored {
				check(p, true)
			}
			for _, p := range tt.visible {
				check(p, false)
			}
		})
	}
}

func TestIgnoreDecided(t *testing.T) {
	rules := ParseIgnore([]byte("*.o\n!a.o\n"))
	for _, tt := range []struct {
		rel              string
		ignored, decided bool
	}{{"b.o", true, true}, {"a.o", false, true}, {"a.c", false, false}} {
		if ignored, decided := rules.decide(tt.rel, tt.rel, false); ignored != tt.ignored || decided != tt.decided {
			t.Errorf("%q: ignored %v, decided %v", tt.rel, ignored, decided)
		}
	}
}

// FuzzIgnore looks for panics and for rules that depend on anything but the
// text: a file of two halves must ignore the same as its halves one after the other.
func FuzzIgnore(f *testing.F) {
	for _, tt := range ignoreTests {
		for _, p := range tt.ignored {
			f.Add([]byte(tt.rules), strings.TrimSuffix(p, "/"), strings.HasSuffix(p, "/"))
		}
	}
	f.Fuzz(func(t *testing.T, content []byte, rel string, dir bool) {
		name := path.Base(rel)
		ignored, decided := ParseIgnore(content).decide(rel, name, dir)
		if ignored && !decided {
			t.Error("ignored but not decided")
		}
		twice := fmt.Appendf(nil, "%s\n%s", content, strings.TrimPrefix(string(content), "\xef\xbb\xbf"))
		if i, d := ParseIgnore(twice).decide(rel, name, dir); i != ignored || d != decided {
			t.Errorf("the same rules twice: %v %v, once: %v %v", i, d, ignored, decided)
		}
		undone := append(twice, "\n!*\n"...)
		if i, d := ParseIgnore(undone).decide(rel, name, dir); i || !d {
			t.Errorf("a last rule !* does not decide: %v %v", i, d)
		}
	})
}

// TestMatchAllocates: a match costs no memory.
func TestMatchAllocates(t *testing.T) {
	rules := ParseIgnore([]byte("*.o\na*b?[x-z]\n/b/**/c\n!d/e*\nf\n"))
	if n := testing.AllocsPerRun(100, func() { rules.decide("b/x/y/z", "z", true) }); n != 0 {
		t.Errorf("%v allocations a match", n)
	}
}

// BenchmarkMatch matches one path against twenty usual rules.
func BenchmarkMatch(b *testing.B) {
	rules := ParseIgnore([]byte("node_modules/\n*.log\n*.tmp\n/dist\n/build/\n.env\n.DS_Store\ncoverage/\n*.swp\n*~\n" +
		"*.py[cod]\n__pycache__/\n.venv\n/target\n**/*.rs.bk\nvendor/bundle\n!keep.log\n*.o\n*.a\ndocs/**/*.html\n"))
	for b.Loop() {
		rules.decide("src/search/walker.go", "walker.go", false)
	}
}
