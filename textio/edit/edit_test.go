package edit

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func oneEdit(expected, replacement string) []Edit {
	return []Edit{{Expected: []byte(expected), Replacement: []byte(replacement)}}
}

func editAll(expected, replacement string) []Edit {
	return []Edit{{Expected: []byte(expected), Replacement: []byte(replacement), All: true}}
}

func edits(pairs ...string) (list []Edit) {
	for p := range slices.Chunk(pairs, 2) {
		list = append(list, Edit{Expected: []byte(p[0]), Replacement: []byte(p[1])})
	}
	return list
}

// applied are edits that succeed. They seed the fuzz target as well.
var applied = []struct {
	name, content string
	edits         []Edit
	want          string
	results       []Result
}{
	{"part of a line", "hello world\n", oneEdit("hello world", "hello universe"), "hello universe\n",
		[]Result{did("exact", 1)}},
	{"with the line end", "hello world\n", oneEdit("hello world\n", "hello Rust\n"), "hello Rust\n",
		[]Result{did("exact", 1)}},
	{
		"two in order", "line1\nline2\nline3\n", edits("line1", "first line", "line3", "third line"),
		"first line\nline2\nthird line\n",
		[]Result{did("exact", 1), did("exact", 3)},
	},
	{
		"second on the outcome of the first", "a\nb\n", edits("a\n", "x\ny\n", "y\nb", "z"), "x\nz\n",
		[]Result{did("exact", 1), did("exact", 2)},
	},
	{
		"replacement is literal", "line1\nline2\n", oneEdit("line2", "price=$$; $& $1 $` $' \\1 \\n"),
		"line1\nprice=$$; $& $1 $` $' \\1 \\n\n", []Result{did("exact", 2)},
	},
	{"expected is literal", "a.c\nabc\n", oneEdit("a.c", "x"), "x\nabc\n", []Result{did("exact", 1)}},
	{"all", "foo\nfoo\nfoo\n", editAll("foo", "bar"), "bar\nbar\nbar\n", []Result{did("exact", 1, 2, 3)}},
	{"unique between others", "foo\nbaz\nfoo\n", oneEdit("baz", "bar"), "foo\nbar\nfoo\n", []Result{did("exact", 2)}},
	{"places don't overlap", "aaaa", editAll("aa", "b"), "bb", []Result{did("exact", 1, 1)}},
	{"nor do counted ones", "aaaaa", []Edit{{Expected: []byte("aa"), Replacement: []byte("b"), Count: 2}}, "bba",
		[]Result{did("exact", 1, 1)}},
	{"count", "x y x", []Edit{{Expected: []byte("x"), Replacement: []byte("z"), Count: 2}}, "z y z",
		[]Result{did("exact", 1, 1)}},
	{"deletion", "a\nb\nc\n", oneEdit("b\n", ""), "a\nc\n", []Result{did("exact", 2)}},
	{"whole file", "a\n", oneEdit("a\n", ""), "", []Result{did("exact", 1)}},
	{"blanks only", "a  b c\n", oneEdit("  ", "_"), "a_b c\n", []Result{did("exact", 1)}},
	{"no final newline", "a\nb", oneEdit("b", "c"), "a\nc", []Result{did("exact", 2)}},
	{"final blank lines", "a\n\n", oneEdit("a", "b"), "b\n\n", []Result{did("exact", 1)}},
	{"form feed", "a\f\nb\n", oneEdit("b", "c"), "a\f\nc\n", []Result{did("exact", 2)}},
	{"makefile tabs", "all:\n\tcc a.c\n\tcc b.c\n", oneEdit("cc b.c", "cc c.c"), "all:\n\tcc a.c\n\tcc c.c\n",
		[]Result{did("exact", 3)}},
	{"curly quotes stay", "say “hi”\nx = 1\n", oneEdit("x = 1", "x = 2"), "say “hi”\nx = 2\n",
		[]Result{did("exact", 2)}},
	{"invalid byte stays", "caf\xe9\nx=1\n", oneEdit("x=1", "x=2"), "caf\xe9\nx=2\n", []Result{did("exact", 2)}},
	{"BOM stays", "\xef\xbb\xbfhello\nworld\n", oneEdit("hello", "HELLO"), "\xef\xbb\xbfHELLO\nworld\n",
		[]Result{did("exact", 1)}},

	{"CRLF, one line", "line1\r\nline2\r\nline3\r\n", oneEdit("line2", "LINE2"), "line1\r\nLINE2\r\nline3\r\n",
		[]Result{did("exact", 2)}},
	{"CRLF, LF asked", "line1\r\nline2\r\nline3\r\n", oneEdit("line1\nline2", "A\nB"), "A\r\nB\r\nline3\r\n",
		[]Result{did("eol", 1)}},
	{"LF, CRLF asked", "a\nb\nc\n", oneEdit("a\r\nb\r\n", "x\r\ny\r\n"), "x\ny\nc\n", []Result{did("eol", 1)}},
	{"mixed, line by line", "a\r\nb\nc\r\nd\n", oneEdit("a\nb\r\nc\n", "1\n2\n3\n4\n"), "1\r\n2\n3\r\n4\r\nd\n",
		[]Result{did("eol", 1)}},
	{"added lines take the line's own ending", "a\r\nb\nc\r\n", oneEdit("b", "B1\nB2"), "a\r\nB1\nB2\nc\r\n",
		[]Result{did("exact", 2)}},
	{"added lines in CRLF", "a\r\nb\r\n", oneEdit("b", "B1\nB2"), "a\r\nB1\r\nB2\r\n", []Result{did("exact", 2)}},
	{"last line without ending takes the one before", "a\r\nb", oneEdit("b", "b\nc"), "a\r\nb\r\nc",
		[]Result{did("exact", 2)}},
	{"no ending anywhere is LF", "b", oneEdit("b", "b\nc"), "b\nc", []Result{did("exact", 1)}},
	{"replacement brings CRLF", "a\nb\n", oneEdit("b", "b\r\nc\nd"), "a\nb\r\nc\nd\n", []Result{did("exact", 2)}},
	{"each place has its own ending", "a;\r\na;\na;", editAll(";", ",\n"), "a,\r\n\r\na,\n\na,\n",
		[]Result{did("exact", 1, 2, 3)}},
	{"exact wins over eol", "a\nb\na\r\nb\n", editAll("a\nb", "x"), "x\na\r\nb\n", []Result{did("exact", 1)}},
	{"eol for all places", "a\r\nb\r\n-a\r\nb\n", editAll("a\nb\n", "x\n"), "x\r\n-x\r\n", []Result{did("eol", 1, 3)}},
	{"line break at the start takes its CR", "a\r\nb\r\n", oneEdit("\nb", ""), "a\r\n", []Result{did("exact", 1)}},
	{"line break at the start comes back whole", "a\r\nb\r\n", oneEdit("\nb", "\nc"), "a\r\nc\r\n",
		[]Result{did("exact", 1)}},
	{"eol match from a line break", "a\r\nb\r\nc", oneEdit("\nb\n", "\n"), "a\r\nc", []Result{did("eol", 1)}},
	{"line breaks alone", "a\r\n\r\nb\n", editAll("\n", "\n\n"), "a\r\n\r\n\r\n\r\nb\n\n",
		[]Result{did("exact", 1, 2, 3)}},
	{"lone CR is a byte", "a\rb\nc\n", oneEdit("a\rb", "a\rd"), "a\rd\nc\n", []Result{did("exact", 1)}},
}

// did is the result of an edit, with the line of each place.
func did(tier string, lines ...int64) Result {
	return Result{Replacements: len(lines), Lines: lines, Tier: tier}
}

func TestApplyEdits(t *testing.T) {
	for _, tt := range applied {
		t.Run(tt.name, func(t *testing.T) {
			out, results, err := applyAll([]byte(tt.content), tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if string(out) != tt.want {
				t.Errorf("got %q, want %q", out, tt.want)
			}
			for i := range results {
				results[i].Longer = LongerWords{} // TestLongerWords looks at them
			}
			if !reflect.DeepEqual(results, tt.results) {
				t.Errorf("results %v, want %v", results, tt.results)
			}
		})
	}
}

func TestApplyEditsErrors(t *testing.T) {
	seven := []Edit{{Expected: []byte("x"), Replacement: []byte("y"), Count: 7}}
	for _, tt := range []struct {
		name, content string
		edits         []Edit
		want          error
	}{
		{"empty", "1\n2\n", oneEdit("", "ZZ"), &EmptyExpectedError{0}},
		{"second empty", "1\n2\n", edits("1", "3", "", ""), &EmptyExpectedError{1}},
		{"equal", "KEEP\n", oneEdit("KEEP", "KEEP"), &NoChangeError{Edit: 0}},
		{"equal in effect", "a\r\nb\r\n", oneEdit("a\nb", "a\r\nb"), &NoChangeError{0, DiffersInEnds}},
		{"no edits", "KEEP\n", nil, &NoChangeError{Edit: -1}},
		{"there and back", "KEEP\n", edits("KEEP", "K2", "K2", "KEEP"), &NoChangeError{Edit: -1}},
		{
			"several", "foo\nfoo\nfoo\n", oneEdit("foo", "bar"),
			&PlacesError{Count: 3, Lines: []int64{1, 2, 3}, Snippets: []string{"foo\nfoo", "foo\nfoo\nfoo", "foo\nfoo"}},
		},
		{"several, overlapping", "aaaa", oneEdit("aa", "b"),
			&PlacesError{Count: 3, CountApart: 2, Lines: []int64{1, 1, 1}, Snippets: []string{"aaaa", "aaaa", "aaaa"}}},
		{"two that overlap", "}\n}\n}\n", oneEdit("}\n}\n", "x"),
			&PlacesError{Count: 2, CountApart: 1, Lines: []int64{1, 2}, Snippets: []string{"}\n}", "}\n}\n}"}}},
		{"overlapping by eol", "}\r\n}\r\n}\r\n", oneEdit("}\n}\n", "x"),
			&PlacesError{Count: 2, CountApart: 1, Lines: []int64{1, 2}, Snippets: []string{"}\n}", "}\n}\n}"}}},
		{"count of one, overlapping", "aaa", []Edit{{Expected: []byte("aa"), Replacement: []byte("b"), Count: 1}},
			&PlacesError{Count: 2, CountApart: 1, ExpectedCount: 1, Lines: []int64{1, 1}}},
		{"count of all, overlapping", "aaa", []Edit{{Expected: []byte("aa"), Replacement: []byte("b"), Count: 2}},
			&PlacesError{Count: 2, CountApart: 1, ExpectedCount: 2, Lines: []int64{1, 1}}},
		{"several by eol", "a\r\nb\r\na\r\nb\r\n", oneEdit("a\nb", "c"),
			&PlacesError{Count: 2, Lines: []int64{1, 3}, Snippets: []string{"a\nb", "b\na\nb"}}},
		{"count", "x\nx\n", seven, &PlacesError{Count: 2, ExpectedCount: 7, Lines: []int64{1, 2}}},
		{"count, all set", "x\nx\n", []Edit{{Expected: []byte("x"), Replacement: []byte("y"), All: true, Count: 1}},
			&PlacesError{Count: 2, ExpectedCount: 1, Lines: []int64{1, 2}}},
		{"zero with count", "a\n", seven, &MatchNotFoundError{Edit: 0}},
		{"second misses", "KEEP\n", edits("KEEP", "K2", "nope", "x"), &MatchNotFoundError{Edit: 1}},
		{"empty file", "", oneEdit("x", "y"), &MatchNotFoundError{Edit: 0}},
		{"lone CR before CRLF", "a\r\r\nb\r\n", oneEdit("a\nb\n", "c\n"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := tt.content
			out, results, err := applyAll([]byte(tt.content), tt.edits)
			if out != nil || results != nil || before != tt.content {
				t.Error("a failure must leave nothing behind")
			}
			if tt.want == nil {
				var miss *MatchNotFoundError
				if !errors.As(err, &miss) {
					t.Fatalf("got %v, want a miss", err)
				}
				return
			}
			if !reflect.DeepEqual(err, tt.want) {
				t.Errorf("got %#v, want %#v", err, tt.want)
			}
			if err == nil || strings.Contains(err.Error(), "KEEP") {
				t.Errorf("message %v", err)
			}
		})
	}
}

func TestMultipleMatchesSample(t *testing.T) {
	long := strings.Repeat("é", 300) + "x" + strings.Repeat("ü", 300)
	_, _, err := applyAll([]byte(strings.Repeat(long+"\r\n", 12)), oneEdit("x", "y"))
	var several *PlacesError
	if !errors.As(err, &several) {
		t.Fatal(err)
	}
	if several.Count != 12 || len(several.Lines) != 10 || len(several.Snippets) != 10 || several.Lines[9] != 10 {
		t.Fatalf("%+v", several)
	}
	lines := strings.Split(several.Snippets[1], "\n")
	want := "…" + strings.Repeat("é", 100) + "x" + strings.Repeat("ü", 99) + "…"
	if len(lines) != 3 || lines[1] != want || lines[0] != strings.Repeat("é", 200)+"…" {
		t.Errorf("%q", lines)
	}
}

func TestEditLimits(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		limits        Limits
		edits         []Edit
		want          error
	}{
		{"within", "aaa", Limits{MaxAdded: 6, MaxSize: 6}, editAll("a", "bb"), nil},
		{"added", "aaa", Limits{MaxAdded: 5}, editAll("a", "bb"), &TooLargeError{0, 6, 5, true}},
		{"stops at the first place", "aaa", Limits{MaxAdded: 1}, editAll("a", "bb"), &TooLargeError{0, 2, 1, true}},
		{"added by all edits", "aaa", Limits{MaxAdded: 5}, append(editAll("a", "b"), editAll("b", "c")...), &TooLargeError{1, 6, 5, true}},
		{"size", "aaa", Limits{MaxSize: 5}, editAll("a", "bb"), &TooLargeError{0, 6, 5, false}},
		{"size with the tail", "abb", Limits{MaxSize: 3}, oneEdit("a", "cc"), &TooLargeError{0, 4, 3, false}},
		{"too large before, but shrinking", "aaa", Limits{MaxSize: 1}, oneEdit("aaa", "bb"), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Apply(t.Context(), []byte(tt.content), tt.edits, tt.limits)
			if (err != nil || tt.want != nil) && !reflect.DeepEqual(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), "limit") {
				t.Errorf("message %v", err)
			}
		})
	}
}

// applyAll is Apply without limits.
func applyAll(content []byte, edits []Edit) (out []byte, results []Result, err error) {
	return Apply(context.Background(), content, edits, Limits{})
}
