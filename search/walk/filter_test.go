package walk

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/wildcard"

	"github.com/bmatcuk/doublestar/v4"
)

var filterTests = []struct {
	globs    string // separated by blanks
	match    string
	mismatch string
}{
	{"", "a a/b.go", ""},
	{"*.go", "a.go a/b.go a/b/c.go .go", "a.c a.go/x"},
	{"*.{c,h}", "a.c a/b.h", "a.cc a.go a.{c,h}"},
	{"*.{c,{h,hh}} {Make,Docker}file", "a.hh x/Makefile Dockerfile", "file a.c.x"},
	{"Makefile", "Makefile a/Makefile Makefile/x", "Makefile2 makefile"},
	{"test_*", "test_a a/test_b", "a/test_b/c atest_"},
	{"*", "a a/b a/b/c", ""},
	{"**", "a a/b a/b/c", ""},
	{"**/*", "a a/b a/b/c", ""},
	{"**/*.go", "a.go a/b/c.go", "a.c"},
	{"**/a/*.go", "a/b.go x/a/b.go", "b.go a/b/c.go"},
	{"/a", "a a/b", "x/a"},
	{"./a", "a a/b", "x/a"},
	{"/*.go", "a.go", "a/b.go"},
	{"./*.go", "a.go", "a/b.go"},
	{"src/*.go", "src/a.go", "src/a/b.go a/src/b.go a.go"},
	{"src/**/*.go", "src/a.go src/a/b.go", "a.go a/src/a.go"},
	{"src/*", "src/a", "src/a/b src"},
	{"src/**", "src/a src/a/b src", "srcs/a a/src/b a"},
	{"src/", "src/ src/a src/a/b x/src/a", "src srcs/a"},
	{"src", "src src/a x/src/a", "srcs/a"},
	{"src/lib", "src/lib src/lib/a", "x/src/lib src/lib2"},
	{"src/lib/", "src/lib/ src/lib/a", "src/lib x/src/lib/a"},
	{"**/gen/", "gen/ a/gen/ gen/a a/gen/b/c", "gen a/gen2/b"},
	{"{src,lib}/**", "src/a lib/a/b", "a src2/b"},
	{"{a/b,c}", "a/b c a/b/c", "x/c x/a/b"},
	{"{src/,lib/}", "src/a lib/ lib/a/b", "src x/lib/a"},
	{"!*.go", "a.c a/b", "a.go a/b.go a.go/b"},
	{"!node_modules", "a b/c", "node_modules node_modules/ node_modules/a x/node_modules/a/b"},
	{"!node_modules/", "a node_modules", "node_modules/ node_modules/a x/node_modules/a/b"},
	{"!src/*", "src x/src/a", "src/a src/a/b"},
	{"!src/**", "x/src/a srcs", "src src/a src/a/b"},
	{"!/a", "x/a", "a a/b"},
	{"*.go !*_test.go", "a.go a/b.go", "a_test.go a.c"},
	{"!*_test.go *.go", "a.go a_test.go", "a.c"},
	{"!*.go !vendor a_test.go", "a_test.go", "a.go b.c"},
	{"vendor/** !vendor/x/** vendor/x/keep", "vendor/a vendor/x/keep", "vendor/x/a a"},
	{`\!a`, "!a", "a"},
	{`a\*b`, "a*b x/a*b", "axb"},
	{`a\*b/c\[`, "a*b/c[", "axb/c["},
	{`a\/b*`, "a/bc", "a/c"},
	{`x\*`, "x*", "xy"},
	{"[ab].go", "a.go x/b.go", "c.go"},
	{"[!a].go", "b.go", "a.go"},
	{"a?c", "abc aéc", "ac abbc"},
	{"{a,[,}]}x", "ax ,x }x", "x [x"},
	{"é*", "é éa x/éb", "e"},
	{"a**b", "ab axb", "ac a/b"},
	{"a*{,b}", "a ab acb ac", "ba"},
	{"a***", "a ab", "ba"},
	{"a*/**", "a ab ab/c", "ba x/ab"},
	{"a/**/b", "a/b a/x/y/b", "a/bc b"},
}

func TestFilter(t *testing.T) {
	for _, tt := range filterTests {
		f, err := NewFilter(strings.Fields(tt.globs))
		if err != nil {
			t.Errorf("%s: %v", tt.globs, err)
			continue
		}
		check := func(paths string, want bool) {
			for _, p := range strings.Fields(paths) {
				if got := f.Match(p); got != want {
					t.Errorf("%q with %s: %v", p, tt.globs, got)
				}
				for dir := path.Dir(p); want && dir != "."; dir = path.Dir(dir) {
					if !f.Enter(dir) {
						t.Errorf("%s does not enter %q, where %q lies", tt.globs, dir, p)
					}
				}
			}
		}
		check(tt.match, true)
		check(tt.mismatch, false)
	}
	if f := (*Filter)(nil); !f.Match("a") || !f.Enter("a") {
		t.Error("no filter lets nothing through")
	}
}

func TestFilterEnter(t *testing.T) {
	for _, tt := range []struct{ globs, enter, pass string }{
		{"*.go", ". a a/b", ""},
		{"src/**/*.go", ". src src/a", "a srcs a/src"},
		{"src/lib/*.go", "src src/lib src/lib/x", "src/a lib"},
		{"/src docs/*", "src src/a docs", "a"},
		{"*/a", "x", ""},
		{"!node_modules", "a", "node_modules a/node_modules"},
		{"!node_modules keep", "node_modules", ""},
		{"*.go !vendor", "a", "vendor vendor/x"},
		{"src/* !src/gen", "src src/a", "src/gen a"},
	} {
		f, err := NewFilter(strings.Fields(tt.globs))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range strings.Fields(tt.enter) {
			if !f.Enter(dir) {
				t.Errorf("%s passes %q by", tt.globs, dir)
			}
		}
		for _, dir := range strings.Fields(tt.pass) {
			if f.Enter(dir) {
				t.Errorf("%s enters %q", tt.globs, dir)
			}
		}
	}
}

func TestFilterErrors(t *testing.T) {
	for glob, want := range map[string]error{
		"[": wildcard.ErrSyntax, "a[": wildcard.ErrSyntax, "[]": wildcard.ErrSyntax, "{a": wildcard.ErrSyntax, "a}": wildcard.ErrSyntax,
		`a\`: wildcard.ErrSyntax, "!{a": wildcard.ErrSyntax,
		"": errGlobEmpty, "!": errGlobEmpty, "/": errGlobEmpty, "{,}": errGlobEmpty,
		"../a": errGlobParent, "a/../b": errGlobParent, "{a,..}/b": errGlobParent,
		strings.Repeat("{a,b}", 20):                                        wildcard.ErrBraces,
		strings.Repeat("{", 30_000) + strings.Repeat("}", 30_000):          wildcard.ErrLong,
		"{" + strings.Repeat("a,", 2000) + "}":                             nil,
		"{" + strings.Repeat("a,", 900) + strings.Repeat("b", 4000) + "}x": nil,
	} {
		_, err := NewFilter([]string{"*.go", glob})
		var bad *GlobError
		if !errors.Is(err, want) || want != nil && (!errors.As(err, &bad) || bad.Pattern != glob) {
			t.Errorf("%.40q: error %.80v, want %v", glob, err, want)
		}
	}
}

// TestFilterBounded would not end if stars or braces were tried in every combination.
func TestFilterBounded(t *testing.T) {
	name := strings.Repeat("a", 255)
	rel := strings.Repeat(name+"/", 15) + name
	for _, g := range []string{
		strings.Repeat("*a", 100) + "b", strings.Repeat("**/*a", 14) + "b", strings.Repeat("{*,a}", 9) + "b",
		"**/" + strings.Repeat("?*", 100) + "/b", strings.Repeat("{**/,a}", 9) + "b",
	} {
		f, err := NewFilter([]string{g})
		if err != nil || f.Match(rel) || f.Match(name) {
			t.Errorf("%.30q…: error %v, or it matches", g, err)
		}
	}
}

// FuzzFilter holds the cheap kinds, the spelled-out braces and Enter against doublestar itself.
func FuzzFilter(f *testing.F) {
	for _, tt := range filterTests {
		for _, g := range strings.Fields(tt.globs) {
			for _, p := range strings.Fields(tt.match + " " + tt.mismatch) {
				f.Add(g, p)
			}
		}
	}
	f.Fuzz(func(t *testing.T, pattern, rel string) {
		filter, err := NewFilter([]string{pattern})
		if err != nil || len(pattern) > 40 || strings.HasPrefix(pattern, "!") ||
			!utf8.ValidString(pattern+rel) || rel == "." || !fs.ValidPath(rel) { // to doublestar invalid bytes are all alike
			return
		}
		got, direct, above := filter.Match(rel), starMatch(pattern, rel), false
		for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
			above = above || starMatch(pattern, dir)
			if got && !filter.Enter(dir) {
				t.Errorf("%q does not enter %q, where %q lies", pattern, dir, rel)
			}
		}
		// A glob for folders is not doublestar's, and doublestar misses "a" with "a*{,b}", "a***"
		// and "a*/**".
		folders := regexp.MustCompile(`/(\}|,|$)`).MatchString(pattern)
		missed := strings.Contains(pattern, "{") || regexp.MustCompile(`\*\*\*|[^/]\*\*`).MatchString(pattern)
		if direct && !got && !folders || got && !direct && !above && !folders && !missed {
			t.Errorf("%q lets %q through: %v, doublestar says %v, of a directory above %v", pattern, rel, got, direct, above)
		}
	})
}

// starMatch is what a glob that names no folders means: doublestar, of the name or of the path.
func starMatch(pattern, rel string) bool {
	if !strings.Contains(pattern, "/") {
		return doublestar.MatchUnvalidated(pattern, path.Base(rel))
	}
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "/"), "./")
	for more := true; more; pattern, more = strings.CutSuffix(pattern, "/**") {
		if doublestar.MatchUnvalidated(pattern, rel) {
			return true
		}
	}
	return false
}

// BenchmarkFilter matches one path against a usual filter.
func BenchmarkFilter(b *testing.B) {
	f, err := NewFilter([]string{"*.{go,c,h}", "!*_test.go", "!vendor/**"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f.Match("src/search/walker.go")
	}
}
