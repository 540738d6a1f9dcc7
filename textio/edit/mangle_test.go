package edit

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"fsbox/textio/nearest"
)

func TestMends(t *testing.T) {
	for _, tt := range []struct{ text, reason, want string }{
		{"     6→func f() {\n     7→\treturn\n     8→}\n", MangleLineNumbers, "func f() {\n\treturn\n}\n"},
		{"     9\ta\n    10\t\tb", MangleLineNumbers, "a\n\tb"},
		{"1: a\n2: \n3:   b\n", MangleLineNumbers, "a\n\n  b\n"},
		{"1:a\n2: b", MangleLineNumbers, "a\n b"},
		{"7|\tx", MangleLineNumbers, "\tx"},
		{"L7: x", MangleLineNumbers, "x"},
		{"a.go:7:\tx\na.go-8-\ty", MangleLineNumbers, ""},
		{"a.go:7:\tx\na.go:8:\ty", MangleLineNumbers, "\tx\n\ty"},
		{"2→a\n1→b", MangleLineNumbers, ""},
		{"1→a\nb", MangleLineNumbers, ""},
		{" a\n-b\n+c\n", MangleDiffMarks, "a\nb\n"},
		{"+c\n", MangleDiffMarks, ""},
		{" a\n b\n", MangleDiffMarks, ""},
		{"```go\na\nb\n```\n", MangleFence, "a\nb"},
		{"```go\na", MangleFence, ""},
		{"a &lt; b &amp;&amp; c", MangleEntities, "a < b && c"},
		{"&amp;lt;", MangleTwice, "&lt;"},
		{`a\n\tb`, MangleEscapes, "a\n\tb"},
		{`say \"a\"`, MangleEscapes, `say "a"`},
		{`a \u003c b \u0026\u0026 c \u003E \u0022d\u0022`, MangleEscapes, `a < b && c > "d"`},
		{"a\n\tb\n", MangleUnescaped, `a\n\tb\n`},
	} {
		got := ""
		for m := range fixes([]byte(tt.text)) {
			if m.reason == tt.reason && got == "" {
				got = string(m.text)
			}
		}
		if got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.reason, tt.text, got, tt.want)
		}
	}
}

// Of a mangled text the miss names just the lines that have it once it is put right, and the first
// character that differs.
func TestMangledPlace(t *testing.T) {
	const file = "package a\r\n\r\nfunc f() bool {\r\n\treturn a < b && c\r\n}\r\n"
	for _, tt := range []struct {
		expected, reason string
		start, end       int64
		difference       nearest.Difference
	}{
		{"\treturn a &lt; b &amp;&amp; c", MangleEntities, 4, 4, differs(4, 11, "→return a·&lt; b &amp;&amp; c", "→return a·< b && c")},
		{"a &lt; b", MangleEntities, 4, 4, differs(4, 11, "a·&lt; b", "→return a·< b && c")},
		{"     3→func f() bool {\n     4→\treturn a < b", MangleLineNumbers, 3, 4,
			differs(3, 1, "·····3→func f() bool {", "func f() bool {")},
		{`return a \u003c b \u0026\u0026 c`, MangleEscapes, 4, 4, differs(4, 11, `return a·\u003c b \u0026\u0026 c`, "→return a·< b && c")},
		{`func f() bool {\n\treturn a`, MangleEscapes, 3, 4, differs(3, 16, `func f() bool {\n\treturn a`, "func f() bool {␊")},
		{`func f() bool {\r\n\treturn a`, MangleEscapes, 3, 4, differs(3, 16, `func f() bool {\r\n\treturn a`, "func f() bool {␊")},
	} {
		miss := missOf(t, file, tt.expected, "!")
		want := nearest.Match{StartLine: tt.start, EndLine: tt.end, Difference: tt.difference}
		got := miss.Closest[0]
		got.Text = ""
		if miss.Reason != tt.reason || got != want {
			t.Errorf("%q: %s %+v\nwant %s %+v", tt.expected, miss.Reason, got, tt.reason, want)
		}
	}
}

// Of a mangled text that the file hasn't, the miss has what is most like the text once it is put
// right, also where that is long.
func TestMangledNearest(t *testing.T) {
	const count = 20_000
	between := func(first, last int) string {
		var text strings.Builder
		for n := first; n < last; n++ {
			fmt.Fprintf(&text, "let x%d be\n", n)
		}
		return text.String()
	}
	for _, tt := range []struct {
		name, content, expected, reason string
		start, end                      int64
	}{
		{"escapes", "int main() {\n\tcount(1);\n\treturn 0;\n}\n", `int main() {\n\tcount(2);\n\treturn 0;`, MangleEscapes, 1, 3},
		{"line numbers", between(count/2, 2*count), withNumbers(strings.Replace(between(count, 2*count), "9", "8", 1)), MangleLineNumbers,
			count/2 + 1, 3 * count / 2},
	} {
		miss := missOf(t, tt.content, tt.expected, "x\n")
		if miss.Reason != tt.reason || len(miss.Closest) == 0 || miss.Closest[0].StartLine != tt.start || miss.Closest[0].EndLine != tt.end {
			t.Errorf("%s: %q, %+v", tt.name, miss.Reason, miss.Closest)
		}
	}
}

func TestMangledNew(t *testing.T) {
	for _, tt := range []struct{ name, text, old, want string }{
		{"a.go", "1→a\n2→b\n", "", MangleLineNumbers},
		{"a.go", "1→a\n", "", ""},
		{"a.yaml", "1: a\n2: b\n", "", ""},
		{"a.go", "-\ta\n+\tb\n", "", MangleDiffMarks},
		{"a.go", "\t-a\n\t+b\n", "", ""},
		{"a.md", "- a\n+ b\n", "", ""},
		{"a.go", "```\na\n```", "", MangleFence},
		{"a.md", "```\na\n```", "", ""},
		{"a.go", "if a &lt; b", "", MangleEntities},
		{"a.go", "if a &lt; b", "x &lt; y", ""},
		{"a.go", `replace("<", "&lt;")`, "", ""},
		{"a.html", "a &lt; b", "", ""},
		{"Makefile", `all:\n\tgo build\n`, "", MangleEscapes},
		{"a.go", `Print("a\nb\n")`, "", ""},
		{"a.go", "x\n</content>\n", "", MangleTag},
		{"a.html", "x\n</code>\n", "", ""},
		{"a.go", "", "", ""},
		{"a.md", "func f() {\n12#KDT→\treturn\n}\n", "", MangleLineNumbers},
		{"a.md", "func f() {\n12#KDT→\treturn\n}\n", "3#ZTX→x", ""},
		{"a.go", "a 12#KD→b\n1#kd→\n#KD→\n12#KD: c\n", "", ""},
	} {
		if got := MangledNew(tt.name, []byte(tt.text), []byte(tt.old)); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func FuzzMends(f *testing.F) {
	for _, text := range []string{"1→a\n2→b", " a\n-b\n+c", "```\nx\n```", "&lt;", `\n\"`, "", "\n", "L", "1:", "a.go:1:"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		for m := range fixes(text) {
			if m.reason != MangleUnescaped && m.reason != MangleUnicode && len(m.text) > len(text) {
				t.Errorf("%s made %q of %q", m.reason, m.text, text)
			}
		}
		MangledNew("a.go", text, nil)
		if !bytes.Equal(text, before) {
			t.Errorf("the text was changed")
		}
	})
}
