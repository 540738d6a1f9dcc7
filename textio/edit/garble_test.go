package edit

import (
	"bytes"
	"testing"
)

func TestMends(t *testing.T) {
	for _, tt := range []struct{ text, reason, want string }{
		{"     6→func f() {\n     7→\treturn\n     8→}\n", GarbleLineNumbers, "func f() {\n\treturn\n}\n"},
		{"     9\ta\n    10\t\tb", GarbleLineNumbers, "a\n\tb"},
		{"1: a\n2: \n3:   b\n", GarbleLineNumbers, "a\n\n  b\n"},
		{"1:a\n2: b", GarbleLineNumbers, "a\n b"},
		{"7|\tx", GarbleLineNumbers, "\tx"},
		{"L7: x", GarbleLineNumbers, "x"},
		{"a.go:7:\tx\na.go-8-\ty", GarbleLineNumbers, ""},
		{"a.go:7:\tx\na.go:8:\ty", GarbleLineNumbers, "\tx\n\ty"},
		{"2→a\n1→b", GarbleLineNumbers, ""},
		{"1→a\nb", GarbleLineNumbers, ""},
		{" a\n-b\n+c\n", GarbleDiffMarks, "a\nb\n"},
		{"+c\n", GarbleDiffMarks, ""},
		{" a\n b\n", GarbleDiffMarks, ""},
		{"```go\na\nb\n```\n", GarbleFence, "a\nb"},
		{"```go\na", GarbleFence, ""},
		{"a &lt; b &amp;&amp; c", GarbleEntities, "a < b && c"},
		{"&amp;lt;", GarbleTwice, "&lt;"},
		{`a\n\tb`, GarbleEscapes, "a\n\tb"},
		{`say \"a\"`, GarbleEscapes, `say "a"`},
		{"a\n\tb\n", GarbleUnescaped, `a\n\tb\n`},
	} {
		got := ""
		for m := range mends([]byte(tt.text)) {
			if m.reason == tt.reason && got == "" {
				got = string(m.text)
			}
		}
		if got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.reason, tt.text, got, tt.want)
		}
	}
}

// Of a garbled text the miss names just the lines that have it once it is put right, and the first
// character that differs.
func TestGarbledPlace(t *testing.T) {
	const file = "package a\r\n\r\nfunc f() bool {\r\n\treturn a < b && c\r\n}\r\n"
	for _, tt := range []struct {
		expected, reason string
		start, end       int64
		difference       LineDifference
	}{
		{"\treturn a &lt; b &amp;&amp; c", GarbleEntities, 4, 4, LineDifference{4, 11, "→return a·&lt; b &amp;&amp; c", "→return a·< b && c"}},
		{"a &lt; b", GarbleEntities, 4, 4, LineDifference{4, 11, "a·&lt; b", "→return a·< b && c"}},
		{"     3→func f() bool {\n     4→\treturn a < b", GarbleLineNumbers, 3, 4,
			LineDifference{3, 1, "·····3→func f() bool {", "func f() bool {"}},
		{`func f() bool {\n\treturn a`, GarbleEscapes, 3, 4, LineDifference{3, 16, `func f() bool {\n\treturn a`, "func f() bool {␊"}},
		{`func f() bool {\r\n\treturn a`, GarbleEscapes, 3, 4, LineDifference{3, 16, `func f() bool {\r\n\treturn a`, "func f() bool {␊"}},
	} {
		miss := missOf(t, file, tt.expected, "!")
		want := ClosestMatch{StartLine: tt.start, EndLine: tt.end, Difference: tt.difference}
		got := miss.Closest[0]
		got.Text = ""
		if miss.Reason != tt.reason || got != want {
			t.Errorf("%q: %s %+v\nwant %s %+v", tt.expected, miss.Reason, got, tt.reason, want)
		}
	}
}

func TestGarbledNew(t *testing.T) {
	for _, tt := range []struct{ name, text, old, want string }{
		{"a.go", "1→a\n2→b\n", "", GarbleLineNumbers},
		{"a.go", "1→a\n", "", ""},
		{"a.yaml", "1: a\n2: b\n", "", ""},
		{"a.go", "-\ta\n+\tb\n", "", GarbleDiffMarks},
		{"a.go", "\t-a\n\t+b\n", "", ""},
		{"a.md", "- a\n+ b\n", "", ""},
		{"a.go", "```\na\n```", "", GarbleFence},
		{"a.md", "```\na\n```", "", ""},
		{"a.go", "if a &lt; b", "", GarbleEntities},
		{"a.go", "if a &lt; b", "x &lt; y", ""},
		{"a.go", `replace("<", "&lt;")`, "", ""},
		{"a.html", "a &lt; b", "", ""},
		{"Makefile", `all:\n\tgo build\n`, "", GarbleEscapes},
		{"a.go", `Print("a\nb\n")`, "", ""},
		{"a.go", "x\n</content>\n", "", GarbleTag},
		{"a.html", "x\n</code>\n", "", ""},
		{"a.go", "", "", ""},
		{"a.md", "func f() {\n12#KDT→\treturn\n}\n", "", GarbleLineNumbers},
		{"a.md", "func f() {\n12#KDT→\treturn\n}\n", "3#ZTX→x", ""},
		{"a.go", "a 12#KD→b\n1#kd→\n#KD→\n12#KD: c\n", "", ""},
	} {
		if got := GarbledNew(tt.name, []byte(tt.text), []byte(tt.old)); got != tt.want {
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
		for m := range mends(text) {
			if m.reason != GarbleUnescaped && m.reason != GarbleUnicode && len(m.text) > len(text) {
				t.Errorf("%s made %q of %q", m.reason, m.text, text)
			}
		}
		GarbledNew("a.go", text, nil)
		if !bytes.Equal(text, before) {
			t.Errorf("the text was changed")
		}
	})
}
