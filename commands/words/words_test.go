package words

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/textio"
)

func TestPlural(t *testing.T) {
	for _, tt := range []struct {
		n          int64
		noun, want string
	}{
		{0, "line", "0 lines"}, {1, "line", "1 line"}, {2, "line", "2 lines"}, {1, "entry", "1 entry"}, {2, "entry", "2 entries"},
		{1, "match", "1 match"}, {3, "match", "3 matches"}, {1000000, "byte", "1000000 bytes"}, {2, "other hard link", "2 other hard links"},
	} {
		if got := Plural(tt.n, tt.noun); got != tt.want {
			t.Errorf("%d %s: %q", tt.n, tt.noun, got)
		}
	}
}

// Joining a folder and what lies below it, and taking them apart again.
func TestUnderBelow(t *testing.T) {
	for _, tt := range []struct{ folder, rel, path string }{
		{".", ".", "."}, {".", "a", "a"}, {".", "a/b", "a/b"}, {"a", ".", "a"}, {"a", "b", "a/b"}, {"a/b", "c/d", "a/b/c/d"}, {"a", "a", "a/a"},
	} {
		if got := Under(tt.folder, tt.rel); got != tt.path {
			t.Errorf("under %q, %q: %q", tt.folder, tt.rel, got)
		}
		if got := Below(tt.folder, tt.path); got != tt.rel {
			t.Errorf("below %q, %q: %q", tt.folder, tt.path, got)
		}
	}
}

func TestBase64Name(t *testing.T) {
	for name, want := range map[string]string{"a/b": "", "é": "", "\ufffd": "", "a\xff": "Yf8=", "\xed\xa0\x80": "7aCA"} {
		if got := Base64(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// Paths are in order component by component, whatever bytes their names have.
func TestComparePaths(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	random := func() string {
		names := make([]string, 1+r.IntN(4))
		for i := range names {
			for range 1 + r.IntN(2) {
				names[i] += string([]string{"a", "b", "-", ".", "\x01", "\xff", "é"}[r.IntN(7)])
			}
		}
		return strings.Join(names, "/")
	}
	for range 20_000 {
		a, b := random(), random()
		if got, want := ComparePaths(a, b), slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")); got != want {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
		}
	}
}

func TestFirstRunes(t *testing.T) {
	for _, text := range []string{"", "abc", "äöü", "a\xffb", "日本語"} {
		for n := range 5 {
			got := textio.FirstRunes(text, n)
			if !strings.HasPrefix(text, got) || utf8.RuneCountInString(got) != min(n, utf8.RuneCountInString(text)) {
				t.Errorf("the first %d of %q: %q", n, text, got)
			}
		}
	}
}

// A name is quoted if it could be taken for another line of the text form, or a part of one, and
// only then.
func TestNameLooksOwn(t *testing.T) {
	for name, want := range map[string]string{
		"a.go": "a.go", "a b:7": "a b:7", "app/[id].tsx": "app/[id].tsx", "2024-01-15.md": "2024-01-15.md", "-x": "-x",
		"[id].tsx": `"[id].tsx"`, "12:x": `"12:x"`, "--": `"--"`, "[x": `"[x"`, "hint: x": `"hint: x"`, " ": `" "`, "a, b": `"a, b"`,
		"a (blocked)": `"a (blocked)"`, "a->b": "a->b",
		"[more than 3 files: go on]": `"[more than 3 files: go on]"`, "a -> b": `"a -> b"`, `"a"`: `"\"a\""`,
		"a (path_base64 eA==)": `"a (path_base64 eA==)"`, "a\nb": `"a\nb"`, "a\x1b[2J": `"a\u001b[2J"`, "a\u202eb": `"a\u202eb"`,
	} {
		if got := Name(name); got != want {
			t.Errorf("%q is shown as %s, want %s", name, got, want)
		}
	}
}

// TestMarksOfTheirOwn: a mark is drawn over what comes before it, so before it must be a character
// of the same text that takes one.
func TestMarksOfTheirOwn(t *testing.T) {
	const mark = "\u20d2"
	for text, want := range map[string]string{
		mark + "x": `\u{20d2}x`, "e" + mark: "e" + mark, "7" + mark: "7" + mark, "日" + mark: "日" + mark, "e" + mark + mark: "e" + mark + mark,
		" " + mark: ` \u{20d2}`, "-" + mark: `-\u{20d2}`, `"` + mark: `"\u{20d2}`, "\t" + mark: "\t" + `\u{20d2}`,
		"\x1b" + mark: `\x1b\u{20d2}`, "\u200b" + mark: `\u{200b}\u{20d2}`, "\n" + mark: `\n\u{20d2}`, "\xff" + mark: `\xff\u{20d2}`,
		`\n` + mark: `\n\u{20d2}`, `\x1b` + mark: `\x1b\u{20d2}`, `\u200b` + mark: `\u200b\u{20d2}`, `\U000e0101` + mark: `\U000e0101\u{20d2}`,
		`\ne` + mark: `\ne` + mark, `\x1bc` + mark: `\x1bc` + mark, mark + mark: `\u{20d2}\u{20d2}`,
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := VisibleName(mark + "x"); got != `"\u{20d2}x"` {
		t.Error(got)
	}
	for _, sign := range []string{"-", "+", " "} {
		if got := VisibleDiff(sign + mark + "x\n"); got != sign+`\u{20d2}x`+"\n" {
			t.Errorf("%q", got)
		}
	}
	if got := string(appendVisibleJSON(nil, `["`+mark+`\n`+mark+`e`+mark+`"]`)); got != `["\u20d2\n\u20d2e`+mark+`"]` {
		t.Errorf("%q", got)
	}
}

// whatever isUsual lets through needs no quotes by the rules that Name has for all names
func TestIsUsual(t *testing.T) {
	alphabet := []byte("a1-:\"[]#,> .\\~!\x00\x1f\x7f\xc3\xa9")
	var try func(name []byte)
	try = func(name []byte) {
		if s := string(name); isUsual(s) && (Base64(s) != "" || looksOwn(s) || !isPlain(s)) {
			t.Errorf("%q needs quotes", s)
		}
		if len(name) < 4 {
			for _, c := range alphabet {
				try(append(name[:len(name):len(name)], c))
			}
		}
	}
	try(nil)
	if !isUsual("src/main_test.go") {
		t.Error("a usual name isn't taken as one")
	}
}
