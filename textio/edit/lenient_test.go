package edit

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// lenientCases are single edits of texts that don't have the expected text byte by byte. An empty
// tier means that nothing matches. They seed the fuzz targets.
var lenientCases = []struct {
	name, content, expected, replacement string
	want, tier                           string
}{
	// Trailing blanks.
	{"blanks at line ends of the file", "a  \nb\t\nc\n", "a\nb", "a\nB", "a  \nB\nc\n", TierTrailingBlanks},
	{"blanks at line ends of the request", "a\nb\nc\n", "a \nb  \n", "A\nb  \n", "A\nb\nc\n", TierTrailingBlanks},
	{"the last line's blanks go with the line", "a \nb \nc\n", "a\nb", "x", "x\nc\n", TierTrailingBlanks},
	{"blank line with blanks", "a\n    \nb\n", "a\n\nb\n", "a\n\nc\n", "a\n    \nc\n", TierTrailingBlanks},
	{"several carriage returns", "a\r\r\nb\r\n", "a\nb", "a\nc", "a\r\r\nc\r\n", TierTrailingBlanks},
	{"a line of the file that goes on", "a \nb c\n", "a\nb", "x", "", ""},
	{"a line of the file that begins before", "x = a \nb\n", "a\nb", "x", "", ""},
	{"line added in CRLF", "a \r\nb\r\n", "a\nb\n", "a\nx\ny\nb\n", "a \r\nx\r\ny\r\nb\r\n", TierTrailingBlanks},
	{"mixed line ends", "a \nb\r\nc\n", "a\nb\nc\n", "a\nB\nC\nD\n", "a \nB\r\nC\nD\n", TierTrailingBlanks},
	{"line deleted", "a \nb\nc \n", "a\nb\nc\n", "a\nc\n", "a \nc \n", TierTrailingBlanks},
	{"all deleted", "x\na \nb\ny\n", "a\nb\n", "", "x\ny\n", TierTrailingBlanks},
	{"a line end taken away", "a \nb\nc", "a\nb\n", "a\nB", "a \nBc", TierTrailingBlanks},
	{"a line end added", "a \nb\nc", "a\nb", "a\nb\n", "a \nb\n\nc", TierTrailingBlanks},
	{"no final line end", "a \nb", "a\nb", "a\nb\nc", "a \nb\nc", TierTrailingBlanks},
	{"a final line end that isn't there", "a \nb", "a\nb\n", "x\n", "", ""},
	{"byte order mark", "\xef\xbb\xbfa \nb\n", "a\nb", "A\nb", "\xef\xbb\xbfA\nb\n", TierTrailingBlanks},
	{"byte order mark asked for", "\xef\xbb\xbfa – b\n", "\ufeffa - ", "Z", "", ""},
	{"after the byte order mark", "\xef\xbb\xbfa – b\n", "a - ", "Z", "\xef\xbb\xbfZb\n", TierUnicode},
	{"invalid bytes in kept lines", "a \n\xff\xfe\nb\n", "a\n\xff\xfe\nb", "a\n\xff\xfe\nc", "a \n\xff\xfe\nc\n", TierTrailingBlanks},
	{"trailing blanks of the last line only", "a\nb  \n", "a\nb\n", "a\nb\nc\n", "a\nb  \nc\n", TierTrailingBlanks},

	// Indentation.
	{"tabs in the file, spaces asked", "if x:\n\tif y:\n\t\tz()\n", "    if y:\n        z()", "    if y:\n        w()\n        z()",
		"if x:\n\tif y:\n\t\tw()\n\t\tz()\n", TierIndentation},
	{"a deeper line than any asked", "f:\n\tx()\n", "    x()\n", "    if a:\n        x()\n", "f:\n\tif a:\n\t\tx()\n", TierIndentation},
	{"a shallower line than any asked", "\t\treturn 1\n\t}\n", "        return 1\n    }\n", "        return 2\n    }\n}\n",
		"\t\treturn 2\n\t}\n}\n", TierIndentation},
	{"spaces in the file, tabs asked", "f:\n  if x:\n    y()\n", "\tif x:\n\t\ty()\n", "\tif x:\n\t\ty()\n\t\t\tz()\n",
		"f:\n  if x:\n    y()\n      z()\n", TierIndentation},
	{"indentation omitted", "class A:\n    def f(self):\n        return 1\n", "def f(self):\n    return 1\n",
		"def f(self):\n    if x:\n        return 0\n    return 1\n",
		"class A:\n    def f(self):\n        if x:\n            return 0\n        return 1\n", TierIndentation},
	{"one line, indentation too much", "a\n  x = 1\nb\n", "      x = 1\n", "      x = 2\n", "a\n  x = 2\nb\n", TierIndentation},
	{"a uniform shift with new levels", "x:\n    y:\n        z = 1\n", "    z = 1 \n", "    if a:\n        z = 1\n",
		"x:\n    y:\n        if a:\n            z = 1\n", TierIndentation},
	{"four for two", "a:\n  b:\n    c = 1\n", "    b:\n        c = 1", "    b:\n        d:\n            c = 1",
		"a:\n  b:\n    d:\n      c = 1\n", TierIndentation},
	{"two for four", "a:\n    b:\n        c = 1\n", "  b:\n    c = 1", "  b:\n    c = 2", "a:\n    b:\n        c = 2\n", TierIndentation},
	{"tab file, margin asked", "a:\n\tb:\n\t\tc\n", "b:\n    c\n", "b:\n    c\n    d:\n        e\n", "a:\n\tb:\n\t\tc\n\t\td:\n\t\t\te\n",
		TierIndentation},
	{"aligned comment", "\t/*\n\t * a\n\t */\n\tx()\n", "    /*\n     * a\n     */\n    x()\n",
		"    /*\n     * a\n     * b\n     */\n    x()\n", "\t/*\n\t * a\n\t * b\n\t */\n\tx()\n", TierIndentation},
	{"blank lines have no indentation", "\ta\n\n\tb\n", "    a\n    \n    b\n", "    a\n\n    c\n", "\ta\n\n\tc\n", TierIndentation},
	{"trailing blanks as well", "\ta  \n\tb\n", "    a\n    b\n", "    a\n    c\n", "\ta  \n\tc\n", TierIndentation},
	{"CRLF as well", "\ta\r\n\tb\r\n", "    a\n    b\n", "    a\n    x\n    b\n", "\ta\r\n\tx\r\n\tb\r\n", TierIndentation},
	{"byte order mark and indentation", "\xef\xbb\xbf\ta\n\tb\n", "    a\n    b\n", "    a\n    c\n", "\xef\xbb\xbf\ta\n\tc\n",
		TierIndentation},
	{"makefile", "all:\n\tcc a.c\n\tld a.o\n", "    cc a.c\n    ld a.o\n", "    cc a.c\n    strip a.o\n    ld a.o\n",
		"all:\n\tcc a.c\n\tstrip a.o\n\tld a.o\n", TierIndentation},
	{"other nesting", "if x:\n\ty()\n\tz()\n", "if x:\n    y()\nz()\n", "q\n", "", ""},
	{"other nesting, one level for two", "a\n    b\n    c\n", "a \n    b\n        c\n", "q\n", "", ""},
	{"one indent for two", "\ta\n    b\n", "    a\n    b\n", "q\n", "", ""},
	{"steps that differ", "\ta\n\t\tb\n\t\t\t\tc\n", "    a\n        b\n            c\n", "q\n", "", ""},
	{"two readings of the new level", "x\n\ta\n", "        a\n", "        a\n            b\n", "", ""},
	{"two readings of one level, and a line at the margin", "f {\n\tif b {\n\t\tx\n\t}\n}\n", "        x\n", "        x\nL:\n", "", ""},
	{"two readings, but no new level", "x\n\ta\n", "        a\n", "        b\n        c\n", "x\n\tb\n\tc\n", TierIndentation},
	{"nowhere to move a line to", "a:\n  b\n", "        b\n", "        b\n    c\nd\n", "", ""},
	{"moved as far as there is room", "a:\n  b\n", "        b\n", "        b\n    c\n", "a:\n  b\nc\n", TierIndentation},
	{"blanks within a line", "a  =  1\n", "a = 1\n", "a = 2\n", "", ""},
	{"indentation of the margin into tabs", "\tfoo(a)\n\tbar\n", "foo(a)\nbar\n", "if x {\n    foo(a)\n}\n", "\tif x {\n\t\tfoo(a)\n\t}\n",
		TierIndentation},

	// Unicode.
	{"curly quotes", "say “hello” now\nx\n", "say \"hello\" now", "say \"hello\" then", "say “hello” then\nx\n", TierUnicode},
	{"curly quotes in kept lines", "a “b”\nx = 1\n", "a \"b\"\nx = 1", "a \"b\"\nx = 2", "a “b”\nx = 2\n", TierUnicode},
	{"quotes between two changes", "f(‘a’, “b”, ‘c’)\n", "f('a', \"b\", 'c')", "g('a', \"b\", 'd')", "g(‘a’, “b”, ‘d’)\n", TierUnicode},
	{"straight in the file", "it's\n", "it’s", "it’s not", "it's not\n", TierUnicode},
	{"no-break space", "10\u00a0km\n", "10 km", "20 km", "20\u00a0km\n", TierUnicode},
	{"ideographic space", "a\u3000b\n", "a b", "a c", "a\u3000c\n", TierUnicode},
	{"dashes", "1990–2000 — years\n", "1990-2000 - years", "1990-2001 - years", "1990–2001 — years\n", TierUnicode},
	{"minus", "a − b\n", "a - b", "a - c", "a − c\n", TierUnicode},
	{"ellipsis", "wait… what\n", "wait... what", "wait... who", "wait… who\n", TierUnicode},
	{"ellipsis asked", "wait... what\n", "wait… what", "wait… who", "wait... who\n", TierUnicode},
	{"within a line", "x = “a” # b\n", "\"a\"", "\"c\"", "x = “c” # b\n", TierUnicode},
	{"half an ellipsis", "wait…\n", "wait..", "x", "", ""},
	{"over a CRLF", "“a”\r\nb\r\n", "\"a\"\nb", "\"a\"\nx\nb", "“a”\r\nx\r\nb\r\n", TierUnicode},
	{"from a line break", "a\r\n“b”\r\n", "\n\"b\"", "\n\"c\"", "a\r\n“c”\r\n", TierUnicode},
	{"and other indentation", "\tsay “a”\n\tx\n", "    say \"a\"\n    x\n", "    say \"a\"\n    if y:\n        say \"b\"\n",
		"\tsay “a”\n\tif y:\n\t\tsay \"b\"\n", TierUnicode},
	{"a line wrapped keeps its quotes", "\tsay “a”\n", "    say \"a\" \n", "    if y:\n        say \"a\"\n", "\tif y:\n\t\tsay “a”\n",
		TierUnicode},
	{"and trailing blanks", "“a”  \nb\n", "\"a\"\nb\n", "\"a\"\nc\n", "“a”  \nc\n", TierUnicode},
	{"byte order mark and quotes", "\xef\xbb\xbf“a”\n", "\"a\"", "\"b\"", "\xef\xbb\xbf“b”\n", TierUnicode},
	{"windows-1252 quotes are bytes", "\x93a\x94\n", "\"a\"", "x", "", ""},
	{"no-break space as indentation", "\u00a0\u00a0a\nb\n", "  a\nb\n", "  a\n  c\n", "\u00a0\u00a0a\n  c\n", TierUnicode},
	{"patterns are text", "“$&” $1\n", "\"$&\" $1", "\"$&\" $2 $` \\1", "“$&” $2 $` \\1\n", TierUnicode},
	{"letters of another case", "Abc\n", "abc", "x", "", ""},
	{"letters with other accents", "cafe\n", "café", "x", "", ""},

	// Nothing to go by.
	{"blanks only", "a\n\t\nb\n", "    \n", "x\n", "", ""},
	{"line ends only", "a\nb\n", "\n\n\n", "x\n", "", ""},
	{"blanks beyond ASCII only", "a\u00a0b\n", "\u2003", "x", "", ""},
	{"a block that isn't there between lines that are", "start\na\nb\nend\n", "start\nx\ny\nend\n", "q\n", "", ""},
	{"no text", "", "a\n", "b\n", "", ""},
}

func lenientEdits(expected, replacement string) []Edit {
	return []Edit{{Expected: []byte(expected), Replacement: []byte(replacement), Lenient: true}}
}

func TestLenientEdits(t *testing.T) {
	for _, tt := range lenientCases {
		t.Run(tt.name, func(t *testing.T) {
			content := []byte(tt.content)
			out, results, err := applyAll(content, lenientEdits(tt.expected, tt.replacement))
			var miss *MatchNotFoundError
			if tt.tier == "" {
				if !errors.As(err, &miss) || miss.Lenient != "" {
					t.Errorf("got %q by %v, %v; want a miss", out, results, err)
				}
				return
			}
			if err != nil || string(out) != tt.want || results[0].Tier != tt.tier {
				t.Fatalf("got %q by %v, %v; want %q by %s", out, results, err, tt.want, tt.tier)
			}
			_, _, err = applyAll(content, oneEdit(tt.expected, tt.replacement))
			if !errors.As(err, &miss) || miss.Lenient != tt.tier {
				t.Errorf("an exact edit must miss, and name the tier: %#v", err)
			}
		})
	}
}

func TestLenientPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		edit          Edit
		want          error
		tier          string
	}{
		{"several", "\ta\n--\n\ta\n", lenientEdits("  a\n", "b\n")[0],
			&PlacesError{Count: 2, Lines: []int64{1, 3}, Snippets: []string{"\ta\n--", "--\n\ta"}, Match: TierIndentation}, ""},
		{"a stricter tier wins", "a \n--\n  a\n", lenientEdits("a  \n", "b\n")[0], nil, TierTrailingBlanks},
		{"exact wins, also in several places", "a\n--\na\n“a”\n", lenientEdits("a\n", "b\n")[0],
			&PlacesError{Count: 2, Lines: []int64{1, 3}, Snippets: []string{"a\n--", "--\na\n“a”"}}, ""},
		{"places that overlap", "a \na \na \n", lenientEdits("a\na\n", "b\n")[0],
			&PlacesError{Count: 2, Lines: []int64{1, 2}, Snippets: []string{"a \na ", "a \na \na "}, Match: TierTrailingBlanks}, ""},
		{"stretches that overlap", "“““\n", lenientEdits("\"\"", "x")[0],
			&PlacesError{Count: 2, Lines: []int64{1, 1}, Snippets: []string{"“““", "“““"}, Match: TierUnicode}, ""},
		{"all, in several places", "“a”\n--\n“a”\n", Edit{Expected: []byte("\"a\""), Replacement: []byte("b"), All: true, Lenient: true},
			&PlacesError{Count: 2, Lines: []int64{1, 3}, Snippets: []string{"“a”\n--", "--\n“a”"}, Match: TierUnicode}, ""},
		{"counted, in several places", "“a”\n--\n“a”\n", Edit{Expected: []byte("\"a\""), Replacement: []byte("b"), Count: 2, Lenient: true},
			&PlacesError{Count: 2, Lines: []int64{1, 3}, Snippets: []string{"“a”\n--", "--\n“a”"}, Match: TierUnicode}, ""},
		{"all, in one place", "“a”\n", Edit{Expected: []byte("\"a\""), Replacement: []byte("b"), All: true, Lenient: true}, nil, TierUnicode},
		{"one place, two counted on", "“a”\n", Edit{Expected: []byte("\"a\""), Replacement: []byte("b"), Count: 2, Lenient: true},
			&PlacesError{Count: 1, ExpectedCount: 2, Lines: []int64{1}}, ""},
		{"one of two places is nested alike", "\ta\n\t\tb\n--\n\ta\n\tb\n", lenientEdits("  a\n    b\n", "  c\n    b\n")[0], nil,
			TierIndentation},
		{"no change in effect", "say “a”\n", lenientEdits("say \"a\"", "say “a”")[0], &NoChangeError{0, DiffersInForm}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, results, err := applyAll([]byte(tt.content), []Edit{tt.edit})
			if (err != nil || tt.want != nil) && !reflect.DeepEqual(err, tt.want) {
				t.Fatalf("got %q, %#v; want %#v", out, err, tt.want)
			}
			if err == nil && results[0].Tier != tt.tier {
				t.Errorf("got %q by %q, want %q", out, results[0].Tier, tt.tier)
			}
		})
	}
}

// A lenient edit of a list works on what the edits before it left.
func TestLenientList(t *testing.T) {
	list := append(lenientEdits("  a\n", "  b\n"), lenientEdits("  b  \n", "  c\n")...)
	out, results, err := applyAll([]byte("x\n\ta\n"), list)
	if err != nil || string(out) != "x\n\tc\n" || results[0].Tier != TierIndentation || results[1].Tier != TierIndentation {
		t.Errorf("got %q, %v, %v", out, results, err)
	}
}

// Repetitive texts cost no more than long ones: the search is linear, and
// indentation is compared up to a bound only.
func TestLenientLong(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	lines := 15_000
	if *sweep {
		lines = 100_000
	}
	same := strings.Repeat("\ta\n", lines)
	_, _, err := applyAll([]byte(same), lenientEdits(strings.Repeat("  a\n", lines/2), "b\n"))
	var several *PlacesError
	if !errors.As(err, &several) || several.Match != TierIndentation {
		t.Errorf("too repetitive a text: %v", err)
	}
	_, _, err = applyAll([]byte(same), lenientEdits("  a\n", "b\n"))
	if !errors.As(err, &several) || several.Count != MaxCounted+1 {
		t.Errorf("many places, of which no more are counted: %v", err)
	}
	content := []byte("b\n" + same)
	out, _, err := applyAll(content, lenientEdits("b \n"+strings.Repeat("\ta\n", lines), "c\n"+strings.Repeat("\ta\n", lines)))
	if err != nil || !bytes.Equal(out, []byte("c\n"+same)) {
		t.Errorf("a long block: %v", err)
	}
	quotes := strings.Repeat("“", lines)
	if _, _, err = applyAll([]byte(quotes), lenientEdits(strings.Repeat(`"`, lines/2), "x")); !errors.As(err, &several) {
		t.Errorf("a repetitive line: %v", err)
	}
}

func BenchmarkLenient(b *testing.B) {
	content := bytes.Repeat([]byte("\tsome line “with” indentation, of usual length\r\n"), 100_000)
	content = append(content, "\t\tlast “line”\n\tend\n"...)
	for _, bench := range []struct {
		name  string
		edits []Edit
	}{
		{"exact", oneEdit("last “line”\n", "x\n")},
		{TierTrailingBlanks, lenientEdits("\t\tlast “line” \n", "x\n")},
		{TierIndentation, lenientEdits("        last “line”\n    end\n", "        x\n    end\n")},
		{TierUnicode, lenientEdits("last \"line\"\n", "x\n")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, _, err := applyAll(content, bench.edits); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
