package edit

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"fsbox/textio/nearest"
)

func wholeWord(expected, replacement string, all bool) []Edit {
	return []Edit{{Expected: []byte(expected), Replacement: []byte(replacement), All: all, WholeWord: true}}
}

func TestWholeWord(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		edits         []Edit
		want          string // "" for a miss
		beside        int    // places that are left out in a miss
	}{
		{"one among longer ones", "prefix pre fixpre", wholeWord("pre", "post", false), "prefix post fixpre", 0},
		{"all", "id width id_ id.id (id)", wholeWord("id", "key", true), "key width id_ key.key (key)", 0},
		{"letters beyond ASCII are letters", "né n én", wholeWord("n", "m", true), "né m én", 0},
		{"so are marks", "n\u0301 n", wholeWord("n", "m", true), "n\u0301 m", 0},
		{"and digits", "n٣ n3 n", wholeWord("n", "m", true), "n٣ n3 m", 0},
		{"invalid bytes are none", "\xe9n\xe9", wholeWord("n", "m", false), "\xe9m\xe9", 0},
		{"what isn't a word", "f() ()", wholeWord("()", "[]", false), "f() []", 0},
		{"one that begins in a place omitted", "x- - -", wholeWord("- -", "+", true), "x- +", 0},
		{"places don't overlap", "- - - -", wholeWord("- -", "+", true), "+ +", 0},
		{"other line ends", "a\r\nb\r\n-a\r\nb2", wholeWord("a\nb", "c\nd", false), "c\r\nd\r\n-a\r\nb2", 0},
		{"before a line end", "a\r\nb\r\n.\r\nb", wholeWord("\nb", "", false), "a\r\nb\r\n.", 0},
		{"lenient", "x “a” y\n“a”s\n", []Edit{{Expected: []byte("\"a\""), Replacement: []byte("\"b\""), Lenient: true, WholeWord: true}},
			"x “b” y\n“a”s\n", 0},
		{"lenient lines", "  if a {\n  }\nb\n  if a {\n  }\n", []Edit{{Expected: []byte("if a {\n}\n"), Lenient: true, WholeWord: true}},
			"  if a {\n  }\nb\n", 0},
		{"nowhere as a word", "prefix fixpre\nspree", wholeWord("pre", "post", true), "", 3},
		{"nowhere", "prefix", wholeWord("post", "pre", true), "", 0},
		{"nowhere with other line ends", "a\r\nb2", wholeWord("a\nb", "c", true), "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, results, err := applyAll([]byte(tt.content), tt.edits)
			var miss *MatchNotFoundError
			switch {
			case tt.want == "" && !errors.As(err, &miss):
				t.Fatalf("got %q, %v", out, err)
			case tt.want == "":
				if miss.NextToWord != tt.beside || (miss.Reason == nearest.WholeWord) != (tt.beside > 0) || tt.beside > 0 && len(miss.Closest) != min(3,
					tt.beside) {
					t.Errorf("%+v", miss)
				}
			case err != nil || string(out) != tt.want:
				t.Errorf("got %q, %v; want %q", out, err, tt.want)
			case results[0].Longer.Count > 0:
				t.Errorf("%+v", results[0].Longer)
			}
		})
	}
}

// A miss shows the character of a word that is in the way.
func TestBesideWord(t *testing.T) {
	beside := func(start, end int64, text string, at nearest.Difference) nearest.Match {
		return nearest.Match{StartLine: start, EndLine: end, Text: text, Difference: at}
	}
	for _, tt := range []struct {
		content, expected string
		want              nearest.Match
	}{
		{"x\na prefix b\n", "pre", beside(2, 2, "a prefix b", differs(2, 6, "pre", "a prefix b"))},
		{"x\na prefix b\n", "fix", beside(2, 2, "a prefix b", differs(2, 5, "fix", "a prefix b"))},
		{"a\nb\n", "a\n", beside(1, 1, "a", differs(2, 1, "", "b"))},
		{"a\n.", "\n.", beside(1, 2, "a\n.", differs(1, 1, "", "a"))},
		{"éa\nb2", "a\nb", beside(1, 2, "éa\nb2", differs(2, 2, "b", "b2"))},
	} {
		_, _, err := applyAll([]byte(tt.content), wholeWord(tt.expected, "", false))
		var miss *MatchNotFoundError
		if !errors.As(err, &miss) || !reflect.DeepEqual(miss.Closest, []nearest.Match{tt.want}) {
			t.Errorf("%q in %q: %+v, want %+v", tt.expected, tt.content, err, tt.want)
			if miss != nil {
				t.Logf("%+v", miss.Closest)
			}
		}
	}
}

func TestLongerWords(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, tt := range []struct {
		name, content string
		edit          Edit
		want          LongerWords
	}{
		{"none", "id id.id", Edit{Expected: []byte("id"), All: true}, LongerWords{}},
		{"some", "id\nwidth height\nid2 width", Edit{Expected: []byte("id"), All: true}, LongerWords{3, []LongerWord{{"width", 2}, {"id2", 3}},
			false}},
		{"counted", "id width", Edit{Expected: []byte("id"), Count: 2}, LongerWords{1, []LongerWord{{"width", 1}}, false}},
		{"one place", "width", Edit{Expected: []byte("id")}, LongerWords{}},
		{"whole words", "id width", Edit{Expected: []byte("id"), All: true, WholeWord: true}, LongerWords{}},
		{"no words", "f() g()", Edit{Expected: []byte("()"), All: true}, LongerWords{}},
		{"a word and more", "f(x) ff(x2)", Edit{Expected: []byte("f(x"), All: true}, LongerWords{1, []LongerWord{{"ff(x2", 1}}, false}},
		{"many", "a1 a2 a3 a4 a5 a1 a6 a7", Edit{Expected: []byte("a"), All: true}, LongerWords{8, []LongerWord{{"a1", 1}, {"a2", 1}, {"a3", 1},
			{"a4", 1}, {"a5", 1}}, true}},
		{"long", long + "a" + long, Edit{Expected: []byte("a"), All: true},
			LongerWords{1, []LongerWord{{"…" + long[:80] + "a" + long[:78] + "…", 1}}, false}},
		{"lenient", "“a”s", Edit{Expected: []byte("\"a\""), All: true, Lenient: true}, LongerWords{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, results, err := applyAll([]byte(tt.content), []Edit{tt.edit})
			if err != nil || !reflect.DeepEqual(results[0].Longer, tt.want) {
				t.Errorf("%+v, %v; want %+v", results, err, tt.want)
			}
		})
	}
}
