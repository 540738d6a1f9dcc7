package nearest

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/textio/lines"
)

// answer is what is found for an expected text.
type answer struct {
	Closest []Match
	Reason  string
}

func closest(t testing.TB, content, expected string) answer {
	t.Helper()
	c := Comparison{Ctx: t.Context(), File: lines.Split([]byte(content)), Expected: lines.Split([]byte(expected))}
	found, reason, _ := c.Nearest()
	return answer{found, reason}
}

const python = "import os\n\n\ndef f(x):\n\tif x:\n\t\treturn 1\n\treturn 2\n\n\ndef g(y):\n\tif y:\n\t\treturn 3\n\treturn 4\n"

// numbered is a text of different lines.
func numbered(first, last int) (text string) {
	for n := first; n <= last; n++ {
		text += fmt.Sprintf("\tlet x%d be\n", n)
	}
	return text
}

// misses are edits that match nowhere, with the best region expected. They seed
// the fuzz target as well.
var misses = []struct {
	name, content, expected string
	lines                   [2]int64
	text                    string
	difference              Difference
	reason                  string
}{
	{
		"tabs asked as spaces", "def f():\n\tif x:\n\t\treturn 1\n", "    if x:\n        return 1\n",
		[2]int64{2, 3}, "\tif x:\n\t\treturn 1", Difference{2, 1, "····if x:", "→if x:"}, Indentation,
	},
	{
		"indentation of the second line", python, "\tif y:\n\t\t\treturn 3\n",
		[2]int64{11, 12}, "\tif y:\n\t\treturn 3", Difference{12, 3, "→→→return 3", "→→return 3"}, Indentation,
	},
	{
		"trailing blank in the file", "a := 1  \nb := 2\n", "a := 1\nb := 2\n",
		[2]int64{1, 2}, "a := 1  \nb := 2", Difference{1, 7, "a := 1", "a := 1··"}, TrailingBlanks,
	},
	{
		"trailing blank asked", "a := 1\nb := 2\n", "a := 1\t \nb := 2\n",
		[2]int64{1, 2}, "a := 1\nb := 2", Difference{1, 7, "a := 1→·", "a := 1"}, TrailingBlanks,
	},
	{
		"blanks inside", "x\nf( a,  b )\ny\n", "f( a, b )",
		[2]int64{2, 2}, "f( a,  b )", Difference{2, 7, "f( a,·b )", "f( a,··b )"}, Blanks,
	},
	{
		"blanks where there were none", "x\nif(a==b){\ny\n", "if (a == b) {",
		[2]int64{2, 2}, "if(a==b){", Difference{2, 3, "if·(a == b) {", "if(a==b){"}, Blanks,
	},
	{
		"blanks between other letters", "x\nmade not able to say\ny\n", "made no table to say",
		[2]int64{2, 2}, "made not able to say", Difference{2, 8, "made no·table to say", "made not able to say"}, Content,
	},
	{
		"a line end between other letters", "x\nmade not\nable to say\ny\n", "made no\ntable to say\n",
		[2]int64{2, 3}, "made not\nable to say", Difference{2, 8, "made no␊", "made not"}, Content,
	},
	{
		"line ends in other places", "x\nmade of more\nthan one\ny\n", "made of more than\none\n",
		[2]int64{2, 3}, "made of more\nthan one", Difference{2, 13, "made of more·than", "made of more"}, Blanks,
	},
	{
		"many lines in one", numbered(1, 40), strings.ReplaceAll(numbered(15, 29), "\n\t", " "),
		[2]int64{15, 29}, strings.TrimSuffix(numbered(15, 29), "\n"),
		Difference{15, 12, "→let x15 be·let x16 be let x17 be let x18 be let x19 be let x20 be let …", "→let x15 be"}, Blanks,
	},
	{
		"many lines in two, with nothing in between", numbered(1, 40),
		strings.ReplaceAll(numbered(15, 22), "\n\t", "") + strings.ReplaceAll(numbered(23, 30), "\n\t", ""),
		[2]int64{15, 30}, strings.TrimSuffix(numbered(15, 30), "\n"),
		Difference{15, 12, "→let x15 belet x16 belet x17 belet x18 belet x19 belet x20 belet x21 be…", "→let x15 be"}, Content,
	},
	{
		"curly quotes", "say “hi”\n", "say \"hi\"",
		[2]int64{1, 1}, "say “hi”", Difference{1, 5, "say·\"hi\"", "say·“hi”"}, Unicode,
	},
	{
		"no-break space", "10\u00a0km away\n", "10 km away",
		[2]int64{1, 1}, "10\u00a0km away", Difference{1, 3, "10·km away", "10⍽km away"}, Unicode,
	},
	{
		"dash", "pages 3–5 of\n", "pages 3-5",
		[2]int64{1, 1}, "pages 3–5 of", Difference{1, 8, "pages 3-5", "pages 3–5 of"}, Unicode,
	},
	{
		"case", "func readFile(name string) {\n", "func ReadFile(name string) {",
		[2]int64{1, 1}, "func readFile(name string) {", Difference{1, 6, "func·ReadFile(name string) {", "func·readFile(name string) {"},
		Case,
	},
	{
		"content", python, "def g(y):\n\tif y:\n\t\treturn 5\n",
		[2]int64{10, 12}, "def g(y):\n\tif y:\n\t\treturn 3", Difference{12, 10, "→→return·5", "→→return·3"}, Content,
	},
	{
		"part of a line", "x := compute(alpha, beta, gamma) // why\n", "compute(alpha, betta, gamma)",
		[2]int64{1, 1}, "x := compute(alpha, beta, gamma) // why",
		Difference{1, 24, "compute(alpha, betta, gamma)", "x := compute(alpha, beta, gamma) // why"}, Content,
	},
	{
		"from inside a line to inside another", "a = call(first,\n         second, third)\n", "call(first,\n    second,",
		[2]int64{1, 2}, "a = call(first,\n         second, third)",
		Difference{2, 5, "····second,", "·········second, third)"}, Indentation,
	},
	{
		"indentation asked inside a line", "x = call(first)\n", "    call(first)",
		[2]int64{1, 1}, "x = call(first)", Difference{1, 1, "····call(first)", "x = call(first)"}, Indentation,
	},
	{
		"line omitted", "one\ntwo is here\nthree\nfour is here\nfive\n", "two is here\nfour is here\nfive\n",
		[2]int64{2, 5}, "two is here\nthree\nfour is here\nfive", Difference{3, 1, "four is here", "three"}, Content,
	},
	{
		"line invented", "one\ntwo is here\nfour is here\n", "two is here\nthree\nfour is here\n",
		[2]int64{2, 3}, "two is here\nfour is here", Difference{3, 1, "three", "four is here"}, Content,
	},
	{
		"longer than the file", "line one\nline two\n", "line one\nline two\nline three\n",
		[2]int64{1, 2}, "line one\nline two", Difference{3, 1, "line three", ""}, Content,
	},
	{
		"blank line after the last", "a last line\n", "a last line\n\n",
		[2]int64{1, 1}, "a last line", Difference{2, 1, "␊", ""}, Blanks,
	},
	{
		"final newline", "first\nlast line", "last line\n",
		[2]int64{2, 2}, "last line", Difference{2, 10, "last line␊", "last line"}, Blanks,
	},
	{
		"lone CR", "alpha\rbeta\n", "alpha\nbeta\n",
		[2]int64{1, 1}, "alpha\rbeta", Difference{1, 6, "alpha", "alpha␍beta"}, Blanks,
	},
	{
		"two lines that are one in the file", "alpha beta\ngamma delta epsilon zeta\neta theta\n", "gamma delta\nepsilon zeta\n",
		[2]int64{2, 2}, "gamma delta epsilon zeta",
		Difference{2, 12, "gamma delta␊", "gamma delta·epsilon zeta"}, Blanks,
	},
	{
		"one line that is two in the file", "x\nint foo(int a,\n        int b)\n{\n", "int foo(int a, int b)",
		[2]int64{2, 3}, "int foo(int a,\n        int b)",
		Difference{2, 15, "int foo(int a,·int b)", "int foo(int a,"}, Blanks,
	},
	{
		"the end of one line and the next", "int z;\nreturn foo(int a,\n    int b);\n}\n", "foo(int a, int b);\n}\n",
		[2]int64{2, 4}, "return foo(int a,\n    int b);\n}",
		Difference{2, 18, "foo(int a,·int b);", "return foo(int a,"}, Blanks,
	},
	{
		"a line like the first before one that is both", "int z;\nint c;\rint d;\n", "int c;\nint d;",
		[2]int64{2, 2}, "int c;\rint d;", Difference{2, 7, "int c;", "int c;␍int d;"}, Blanks,
	},
	{
		"an escape that the file has as well", "int main() {\n\tprintf(\"%d\\n\", count);\n}\n", "printf(\"%u\\n\", count);",
		[2]int64{2, 2}, "\tprintf(\"%d\\n\", count);",
		Difference{2, 11, "printf(\"%u\\n\", count);", "→printf(\"%d\\n\", count);"}, Content,
	},
	{
		"zero width space", "ab\u200bcdef\n", "abcdef",
		[2]int64{1, 1}, "ab\u200bcdef", Difference{1, 3, "abcdef", "ab<U+200B>cdef"}, Content,
	},
	{
		"invalid UTF-8", "caf\xe9 au lait\n", "café au lait",
		[2]int64{1, 1}, "caf\ufffd au lait", Difference{1, 4, "café au lait", "caf<0xE9> au lait"}, Content,
	},
	{
		"continuation bytes alone", strings.Repeat("\xa2", 200) + "x\n", strings.Repeat("\xa2", 200) + "y",
		[2]int64{1, 1}, strings.Repeat("\ufffd", 200) + "x",
		Difference{1, 201, "…" + strings.Repeat("<0xA2>", 60) + "y", "…" + strings.Repeat("<0xA2>", 60) + "x"}, Content,
	},
	{
		"halves of a code point", "price é\n", "price è",
		[2]int64{1, 1}, "price é", Difference{1, 7, "price·è", "price·é"}, Content,
	},
	{
		"U+FFFD copied for an invalid byte", "caf\xe9 au lait\n", "caf\ufffd au lait",
		[2]int64{1, 1}, "caf\ufffd au lait", Difference{1, 4, "caf\ufffd au lait", "caf<0xE9> au lait"}, Content,
	},
	{
		"CRLF file", "alpha one\r\n\tbeta two\r\n", "alpha one\nbeta two\n",
		[2]int64{1, 2}, "alpha one\n\tbeta two", Difference{2, 1, "beta two", "→beta two"}, Indentation,
	},
	{
		"a line of the file looks like one of a diff", "-,ab\n", "-,ab\n ",
		[2]int64{1, 1}, "-,ab", Difference{2, 1, "·", ""}, TrailingBlanks,
	},
}

func TestClosest(t *testing.T) {
	for _, tt := range misses {
		t.Run(tt.name, func(t *testing.T) {
			miss := closest(t, tt.content, tt.expected)
			if len(miss.Closest) == 0 {
				t.Fatal("no region")
			}
			want := Match{tt.lines[0], tt.lines[1], tt.text, false, tt.difference, 0, 0}
			if miss.Closest[0] != want || miss.Reason != tt.reason {
				t.Errorf("got  %+v %q\nwant %+v %q", miss.Closest[0], miss.Reason, want, tt.reason)
			}
		})
	}
}

func TestClosestNone(t *testing.T) {
	for _, tt := range [][2]string{
		{"", "something"},
		{"1\n2\n", strings.Repeat("nothing like it\n", 41)},
		{"some text\n", "completely ~different"},
		{"some text\n", "\t\t\n"},
		{"text\n", "q"},
	} {
		if miss := closest(t, tt[0], tt[1]); len(miss.Closest) > 0 || miss.Reason != "" {
			t.Errorf("%q in %q: got %+v", tt[1], tt[0], miss)
		}
	}
}

// TestClosestCutRegion: where only a part of a long line is compared, its ends are no line ends.
func TestClosestCutRegion(t *testing.T) {
	reach := 4*len("foo\n") + 32<<10
	for _, tt := range []struct{ name, content, expected string }{
		{"end", "fooX" + strings.Repeat("-", reach-4) + "foo" + "YYYY", "foo\n"},
		{"start", "YYYY" + "foo" + strings.Repeat("-", reach-3), "\nfoo"},
	} {
		if miss := closest(t, tt.content, tt.expected); miss.Reason != Content {
			t.Errorf("%s: the reason is %q", tt.name, miss.Reason)
		}
	}
}

func TestClosestRegions(t *testing.T) {
	var file strings.Builder
	for i := range 200 {
		fmt.Fprintf(&file, "func f%d() error {\n\tif err := open(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n\n", i)
	}
	miss := closest(t, file.String(), "func f150() error {\n    if err := open(); err != nil {\n        return err\n    }\n")
	if len(miss.Closest) != 3 || miss.Closest[0].StartLine != 150*7+1 || miss.Closest[0].EndLine != 150*7+4 {
		t.Errorf("got %+v", miss.Closest)
	}
	if miss.Reason != Indentation {
		t.Errorf("reason %q", miss.Reason)
	}
}

// A region of common lines must not hide the one where the telling line is.
func TestClosestTellingLine(t *testing.T) {
	file := strings.Repeat("{\n}\n", 500) + "{\n\tconfigureTheServer(ctx, options, 30)\n}\n" + strings.Repeat("{\n}\n", 500)
	miss := closest(t, file, "{\n\tconfigureTheServer(ctx, opts, 30)\n}\n")
	if len(miss.Closest) == 0 || miss.Closest[0].StartLine != 1001 || miss.Closest[0].EndLine != 1003 {
		t.Errorf("got %+v", miss.Closest)
	}
}

func TestClosestTextIsCapped(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	var file, expected strings.Builder
	for i := range 300 {
		fmt.Fprintf(&file, "this is line %d of the file\n", i+1)
		if i == 250 {
			expected.WriteString("and this one isn't\n")
		} else {
			fmt.Fprintf(&expected, "this is line %d of the file\n", i+1)
		}
	}
	got := closest(t, file.String(), expected.String()).Closest[0]
	lines := strings.Split(got.Text, "\n")
	if !got.Truncated || got.StartLine != 1 || got.EndLine != 300 || got.Difference.Line != 251 || len(lines) != 42 {
		t.Fatalf("%+v", got)
	}
	if lines[0] != "… (lines 1-240 omitted)" || lines[11] != "this is line 251 of the file" || lines[41] != "… (lines 281-300 omitted)" {
		t.Errorf("%q", lines)
	}

	long := strings.Repeat("é", 3000) + "the needle is here" + strings.Repeat("ü", 3000)
	got = closest(t, long, "the needle was here").Closest[0]
	if n := utf8.RuneCountInString(got.Text); n != 1002 || !got.Truncated || !strings.Contains(got.Text, "the needle is here") {
		t.Errorf("%d code points: %q", n, got.Text)
	}
	if d := got.Difference; d.Column != 3012 || !strings.Contains(d.Found, "ééthe needle·is hereüü") ||
		utf8.RuneCountInString(d.Found) != 122 {
		t.Errorf("%+v", d)
	}

	got = closest(t, strings.Repeat("x"+long+"\n", 30), strings.Repeat("y"+long+"\n", 30)).Closest[0]
	if n := utf8.RuneCountInString(got.Text); n > 4100 || !got.Truncated {
		t.Errorf("%d code points", n)
	}
}

func FuzzClosest(f *testing.F) {
	for _, tt := range misses {
		f.Add([]byte(tt.content), []byte(tt.expected))
	}
	f.Fuzz(func(t *testing.T, content, expected []byte) {
		if bytes.Contains(content, expected) {
			return // it is no miss
		}
		miss := closest(t, string(content), string(expected))
		lines := int64(lines.Split(content).Count())
		if len(miss.Closest) > 3 || (len(miss.Closest) == 0) != (miss.Reason == "") {
			t.Errorf("%d regions, reason %q", len(miss.Closest), miss.Reason)
		}
		for _, c := range miss.Closest {
			d := c.Difference
			if c.StartLine < 1 || c.EndLine < c.StartLine || c.EndLine > lines || d.Line < c.StartLine || d.Line > lines+1 || d.Column < 1 {
				t.Errorf("%+v of %d lines", c, lines)
			}
			if !utf8.ValidString(c.Text+d.Expected+d.Found) || utf8.RuneCountInString(c.Text) > 4200 {
				t.Errorf("text %q", c.Text)
			}
			marked := bytes.ContainsAny(content, "→·␍␊⍽…<") || bytes.ContainsAny(expected, "→·␍␊⍽…<")
			if d.Expected == d.Found && !marked {
				t.Errorf("no difference: %+v", d)
			}
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	var file, indented, unlike bytes.Buffer
	for i := 0; file.Len() < 10<<20; i++ {
		fmt.Fprintf(&file, "\tresult[%d] = transform(input[%d], options)\n", i, i*7%1000)
	}
	for i := range 1000 {
		fmt.Fprintf(&indented, "    result[%d] = transform(input[%d], options)\n", i+100_000, (i+100_000)*7%1000)
		fmt.Fprintf(&unlike, "    outcome{%d} = convert(entry{%d}, options)\n", i, i)
	}
	same := bytes.Repeat([]byte("}\n"), 5<<20)
	single := bytes.ReplaceAll(file.Bytes(), lines.LF, []byte(";"))
	for _, bench := range []struct {
		name              string
		content, expected []byte
	}{
		{"indented", file.Bytes(), indented.Bytes()},
		{"unlike", file.Bytes(), unlike.Bytes()},
		{"one line", single, []byte("result[100000] = transform(input[1], opts)")},
		{"many lines in one", single, indented.Bytes()},
		{"same lines", same, append(bytes.Repeat([]byte(" }\n"), 999), "{\n"...)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				closest(b, string(bench.content), string(bench.expected))
			}
		})
	}
}

// TestClosestOfLongText is about texts of which only the beginning is searched for: all of their
// lines count for the difference, for how they differ, and for the region.
func TestClosestOfLongText(t *testing.T) {
	const count = 10 * soughtLines
	between := func(first, last int) string {
		var text strings.Builder
		for n := first; n < last; n++ {
			fmt.Fprintf(&text, "let x%d be\n", n)
		}
		return text.String()
	}
	content, same := between(5*soughtLines, 20*soughtLines), between(6*soughtLines, 6*soughtLines+count)
	for _, tt := range []struct {
		name, expected, reason string
		line                   int64
	}{
		{"one line in the middle", strings.Replace(same, fmt.Sprintf("let x%d be", 6*soughtLines+count/2), "another", 1), Content,
			soughtLines + count/2 + 1},
		{"capitals", strings.ToUpper(same), Case, soughtLines + 1},
		{"indentation", strings.ReplaceAll(same, "let", "\tlet"), Indentation, soughtLines + 1},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		miss := closest(t, content, tt.expected)
		runtime.ReadMemStats(&after)
		if miss.Reason != tt.reason || len(miss.Closest) == 0 || miss.Closest[0].StartLine != soughtLines+1 {
			t.Errorf("%s: %q, %+v", tt.name, miss.Reason, miss.Closest)
			continue
		}
		if at := miss.Closest[0]; at.Difference.Line != tt.line || at.EndLine < soughtLines+count {
			t.Errorf("%s: lines %d to %d, first difference in %d, want %d", tt.name, at.StartLine, at.EndLine, at.Difference.Line, tt.line)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 24 {
			t.Errorf("%s: took %d MiB", tt.name, took)
		}
	}
}
