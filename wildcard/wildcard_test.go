package wildcard

import (
	"errors"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

func TestExpand(t *testing.T) {
	for pattern, want := range map[string]string{
		"a": "a", "{a,b}": "a b", "x{a,b}y": "xay xby", "{a,{b,c}d}": "a bd cd", "{a,b}{c,d}": "ac ad bc bd", "a{,b}": "a ab", "a*{,b}": "a* a*b",
		`\{a,b}`: "", `\{a,b\}`: `\{a,b\}`, "[{]a,b": "[{]a,b", "{a,[,}]}x": "ax [,}]x", "{a}": "a", "{a/b,c}/d": "a/b/d c/d",
		"*{*,b}": "** *b", "x{*,**}*": "x** x***", `a\/b`: "a/b", `a\/**`: "a/**", `a\**`: `a\**`, `**\/a`: "**/a", `\\\/\a`: `\\/\a`,
		"[*][**]": "[*][**]", `[\]**]**`: `[\]**]**`,
		"a//b": "a/b", "a/./b": "a/b", "././a": "./a", ".//a": "./a", "//a": "/a", "a/": "a/", "a//": "a/", "a/.": "a/", "./": "./", ".": ".",
		"{./a,.//b}": "./a ./b", `a\/\/b`: "a/b", "./.env": "./.env", "a[/]/./b": "a[/]/b", "x./a./b": "x./a./b", `a/\./b`: "a/b",
	} {
		got, err := NewBudget().Expand(pattern)
		if want == "" {
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("%s: %q, %v", pattern, got, err)
			}
		} else if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %s", pattern, got, err, want)
		}
	}
}

func TestCheckEnds(t *testing.T) {
	for pattern, want := range map[string]error{"a": nil, "a b": nil, "a ": ErrBlank, " a": ErrBlank, "\u00a0a": ErrBlank, `a\ `: nil, `a\\ `: ErrBlank,
		`a\  `: ErrBlank, `\ a`: nil, "": nil, `"a"`: ErrQuotes, "'a/**'": ErrQuotes, `\"a"`: nil, `"a"b`: nil, `"`: nil, `["a","b"]`: ErrList, `[ab]`: nil,
		"Read(./.env)": ErrCall, "Edit(**)": ErrCall, "Copy(1)": nil, `Read\(1\)`: nil, "(auth)": nil, "Read(": nil} {
		if got := CheckEnds(pattern); got != want {
			t.Errorf("%q: %v", pattern, got)
		}
	}
}

func TestExpandErrors(t *testing.T) {
	for pattern, want := range map[string]error{
		"[": ErrSyntax, "a[": ErrSyntax, "[]": ErrSyntax, "[!]": ErrSyntax, "{a": ErrSyntax, "a}": ErrSyntax, `a\`: ErrSyntax, `[\`: ErrSyntax,
		`[\]`:                        ErrSyntax,
		strings.Repeat("{a,b}", 20):  ErrBraces,
		strings.Repeat("a", 8<<10+1): ErrLong,
		strings.Repeat("{", 30_000) + strings.Repeat("}", 30_000):          ErrLong,
		strings.Repeat("{", 4000) + strings.Repeat("}", 4000):              ErrBraces, // sixteen megabytes on the way
		"{" + strings.Repeat("a,", 2000) + "}":                             nil,
		strings.Repeat("{a,b}", 13):                                        nil,
		strings.Repeat("{a,b}", 13) + "xxxx":                               ErrBraces, // 136 KiB
		"{" + strings.Repeat("a,", 2000) + "}" + strings.Repeat("b", 2000): ErrBraces, // four megabytes
		strings.Repeat("{a,b}", 9):                                         nil,
	} {
		if got, err := NewBudget().Expand(pattern); !errors.Is(err, want) || (err == nil) == (got == nil) {
			t.Errorf("%.40q: %d alternatives, error %v, want %v", pattern, len(got), err, want)
		}
	}
}

// What several patterns spell out is counted together.
func TestBudget(t *testing.T) {
	b := NewBudget()
	for i := range 11 {
		_, err := b.Expand("{" + strings.Repeat("a,", 999) + "}")
		if want := i == 10; errors.Is(err, ErrBraces) != want {
			t.Errorf("pattern %d: %v", i, err)
		}
	}
	for range 20_000 { // a pattern without braces costs nothing
		if _, err := b.Expand("*.go"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestComponents(t *testing.T) {
	for pattern, want := range map[string]string{
		"a": "a", "a/b": "a b", "a[/]b/c": "a[/]b c", `a[\]/]b/c`: `a[\]/]b c`, `a\[/b`: `a\[ b`, "**/*": "** *", "[]a]/b": "[]a] b",
	} {
		if got := Components(pattern); strings.Join(got, " ") != want {
			t.Errorf("%s: %q", pattern, got)
		}
	}
	if got := Components("/a//b/"); !slices.Equal(got, []string{"", "a", "", "b", ""}) {
		t.Errorf("empty ones: %q", got)
	}
}

func TestUnescape(t *testing.T) {
	for pattern, want := range map[string]string{"a": "a", `\*a\\`: `*a\`, `\é`: "é"} {
		if got := Unescape(pattern); got != want {
			t.Errorf("%s: %s", pattern, got)
		}
	}
}

// TestMatch holds Expand and CompilePath against the language written as a definition.
func TestMatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"a", "b", ".", "*", "*", "?", "**", "/", "/", "/**", "**/", "[ab]", "[!a]", `\*`, "{a,b}", "{,b}", "{b,}", "{a/b,*}",
		"{**/,}", "{*,**}", `\/`, "***", "é", "[!é]"}
	matched, checked := 0, 0
	for range 20000 {
		var pattern strings.Builder
		for range 1 + rnd.IntN(5) {
			pattern.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		alternatives, err := NewBudget().Expand(pattern.String())
		if err != nil {
			t.Fatalf("%s: %v", &pattern, err)
		}
		if slices.ContainsFunc(alternatives, func(p string) bool { return slices.Contains(Components(p), "") }) {
			continue // what these mean is for the callers to say
		}
		for range 10 {
			rel := randomPath(rnd)
			got := slices.ContainsFunc(alternatives, func(p string) bool { return matches(p, rel) })
			want := slices.ContainsFunc(alternatives, func(p string) bool { return slowMatch(Components(p), strings.Split(rel, "/")) })
			if checked++; want {
				matched++
			}
			if got != want {
				t.Fatalf("%s (%q) matches %q: %v, want %v", &pattern, alternatives, rel, got, want)
			}
		}
	}
	if matched < checked/50 {
		t.Errorf("%d of %d match: the patterns don't show it", matched, checked)
	}
}

func matches(pattern, rel string) bool {
	p := CompilePath(pattern)
	return p.Match(rel, path.Base(rel))
}

// matchPlainly asks doublestar. A "/**" at the end may match nothing, and several stars count as
// one unless they are a "**" component: doublestar doesn't match "ab" with "a*/**" or "a***".
func matchPlainly(pattern, rel string) bool {
	names := Components(pattern)
	for i, name := range names {
		if name != "**" {
			names[i] = manyStars.ReplaceAllString(name, "$1*")
		}
	}
	for pattern = strings.Join(names, "/"); ; {
		if doublestar.MatchUnvalidated(pattern, rel) {
			return true
		}
		front, ok := strings.CutSuffix(pattern, "/**")
		if !ok {
			return false
		}
		pattern = front
	}
}

var manyStars = regexp.MustCompile(`((?:^|[^\\*])(?:\\\\)*(?:\\\*)?)\*{2,}`)

func randomPath(rnd *rand.Rand) string {
	names := make([]string, 1+rnd.IntN(3))
	for i := range names {
		names[i] = []string{"a", "b", "ab", "aa", "*", ".", "ba.", "aab", "éb", "bé"}[rnd.IntN(10)]
	}
	return strings.Join(names, "/")
}

// slowMatch tries every length for every wildcard. "**" matches any number of names.
func slowMatch(pattern, names []string) bool {
	switch {
	case len(pattern) == 0:
		return len(names) == 0
	case pattern[0] == "**":
		return slowMatch(pattern[1:], names) || len(names) > 0 && slowMatch(pattern, names[1:])
	}
	return len(names) > 0 && slowName(pattern[0], names[0]) && slowMatch(pattern[1:], names[1:])
}

func slowName(pattern, name string) bool {
	if pattern == "" || pattern[0] != '*' && name == "" {
		return pattern == name
	}
	char, size := utf8.DecodeRuneInString(name)
	switch pattern[0] {
	case '*':
		return slowName(pattern[1:], name) || name != "" && slowName(pattern, name[size:])
	case '?':
		return slowName(pattern[1:], name[size:])
	case '[':
		end := strings.IndexByte(pattern, ']')
		class, negated := strings.CutPrefix(pattern[1:end], "!")
		return strings.ContainsRune(class, char) != negated && slowName(pattern[end+1:], name[size:])
	case '\\':
		pattern = pattern[1:]
	}
	return pattern[0] == name[0] && slowName(pattern[1:], name[1:])
}

// FuzzExpand: what is spelled out is valid, has no braces, and is spelled out already.
func FuzzExpand(f *testing.F) {
	for _, p := range []string{"a*{,b}", `{a,[,}]}\/**`, "{{a,b},c}***", `[\]{]{x,\}}`, "*{*,b}/**"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		alternatives, err := NewBudget().Expand(pattern)
		if err != nil {
			return
		}
		for _, p := range alternatives {
			again, err := NewBudget().Expand(p)
			if !doublestar.ValidatePattern(p) || err != nil || len(again) != 1 || again[0] != p {
				t.Errorf("%q gives %q, which gives %q, %v", pattern, p, again, err)
			}
			matches(p, "a/b")
			Unescape(p)
			if strings.Join(Components(p), "/") != p {
				t.Errorf("%q: %q", p, Components(p))
			}
		}
	})
}

// FuzzGlob holds every pattern without a class that could match a slash against doublestar.
func FuzzGlob(f *testing.F) {
	for _, p := range []string{"a*{,b}", `**/[a-c\-é]?/**`, "*é?/**/b*", "a/***/b", "\ufffd?*"} {
		f.Add(p, "aab/é-c/x/b\xff")
	}
	f.Fuzz(func(t *testing.T, pattern, rel string) {
		alternatives, err := NewBudget().Expand(pattern)
		if err != nil || !utf8.ValidString(pattern) || len(rel) > 100 || len(pattern) > 100 || rel == "" || path.Clean("/"+rel) != "/"+rel {
			return
		}
		for _, p := range alternatives {
			if slices.Contains(Components(p), "") || strings.ContainsAny(p, "[\ufffd") && strings.Contains(rel, "/") {
				continue
			}
			if got, want := matches(p, rel), matchPlainly(p, rel); got != want {
				t.Errorf("%q matches %q: %v, doublestar %v", p, rel, got, want)
			}
		}
	})
}
