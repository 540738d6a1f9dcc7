package match

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/search/match/regex"
)

// grepText runs a query over a text and collects everything.
func grepText(t testing.TB, m *Matcher, text string, o LineOptions) ([]LineMatch, LineResult) {
	t.Helper()
	return grepFrom(t, m, strings.NewReader(text), o)
}

// textFile is a file in memory.
type textFile interface {
	io.ReaderAt
	Size() int64
}

// grepFrom is grepText for a file.
func grepFrom(t testing.TB, m *Matcher, file textFile, o LineOptions) ([]LineMatch, LineResult) {
	t.Helper()
	var got []LineMatch
	res, err := m.Search(context.Background(), file, file.Size(), o, nil, func(lm LineMatch) bool {
		got = append(got, lm)
		return true
	})
	if err != nil {
		text, _ := io.ReadAll(io.NewSectionReader(file, 0, file.Size()))
		t.Fatalf("search for %q in %q: %v", m.query.Text, cut(string(text)), err)
	}
	return got, res
}

func cut(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

func compileOK(t testing.TB, q Query) *Matcher {
	t.Helper()
	m, err := Compile(q)
	if err != nil {
		t.Fatalf("compile %+v: %v", q, err)
	}
	return m
}

// brief writes matches as "line:start-end,start-end snippet".
func brief(matches []LineMatch) string {
	var out []string
	for _, m := range matches {
		line := fmt.Sprint(m.Line)
		if m.EndLine != m.Line {
			line = fmt.Sprintf("%d..%d", m.Line, m.EndLine)
		}
		spans := m.Submatches
		if spans == nil {
			spans = [][2]int{{m.Start, m.End}}
		}
		var at []string
		for _, s := range spans {
			at = append(at, fmt.Sprintf("%d-%d", s[0], s[1]))
		}
		out = append(out, line+":"+strings.Join(at, ",")+" "+m.Snippet)
	}
	return strings.Join(out, "|")
}

func parseQuery(flags, text string) Query {
	has := func(f string) bool { return strings.Contains(flags, f) }
	return Query{Text: text, Regex: has("e"), IgnoreCase: has("i"), WholeWord: has("w"), Multiline: has("m")}
}

// searchCases: flags e(xpression), i(gnore case), w(hole word), m(ultiline).
var searchCases = []struct{ flags, query, text, want string }{
	// literals
	{"", "b", "a\nb\nab\n", "2:0-1 b|3:1-2 ab"},
	{"", "b", "a\nb", "2:0-1 b"},
	{"", "b", "", ""},
	{"", "b", "\n\n", ""},
	{"", "aa", "aaaaa\n", "1:0-2,2-4 aaaaa"},
	{"", "x", "\tx  \n", "1:1-2 \tx  "},
	{"", "é", "aé\n日é\n", "1:1-2 aé|2:1-2 日é"},
	{"", "a.c", "abc\na.c\n", "2:0-3 a.c"},
	{"", "\xff", "a\xffb\n", "1:1-2 a\ufffdb"},
	{"", "b", "\xfe\xfdb\n", "1:2-3 \ufffd\ufffdb"},
	{"", "b", "\xe6\x97b\n", "1:2-3 \ufffd\ufffdb"},
	{"", "b", "\xef\xbb\xbfb\n", "1:0-1 b"},
	{"", "\x9b", "ℛ\n\xe2\x9b\n", "1:0-1 ℛ|2:1-2 \ufffd\ufffd"},
	{"", "\xe2", "aℛℛ\n", "1:1-2,2-3 aℛℛ"},
	{"", "b", "a\x0cb\n", "1:2-3 a\x0cb"},
	// folding
	{"i", "abc", "ABC aBc\nab\n", "1:0-3,4-7 ABC aBc"},
	{"i", "k", "\u212a\nK\n", "1:0-1 \u212a|2:0-1 K"},
	{"i", "sk", "\u017f\u212a SK\n", "1:0-2,3-5 \u017f\u212a SK"},
	{"i", "straße", "STRAẞE straße STRASSE\n", "1:0-6,7-13 STRAẞE straße STRASSE"},
	{"i", "σ", "Σςσ\n", "1:0-1,1-2,2-3 Σςσ"},
	{"i", "123-_", "a123-_\n", "1:1-6 a123-_"},
	{"i", "\ufffd", "\xff\ufffd\n", "1:1-2 \ufffd\ufffd"},
	{"ei", "k", "\u212a\nK\n", "1:0-1 \u212a|2:0-1 K"},
	{"ei", "[k]+x", "\u212aKx\n", "1:0-3 \u212aKx"},
	// whole words
	{"w", "foo", "foobar foo\nfoobar\nfoo_\n", "1:7-10 foobar foo"},
	{"w", "foo", "éfoo\nfoo,foo\n", "2:0-3,4-7 foo,foo"},
	{"w", "-x", "a-x\n -x\n--x -xy -x\n", "2:1-3  -x|3:1-3,8-10 --x -xy -x"},
	{"w", "a a", "a a a\nba a a\n", "1:0-3 a a a|2:3-6 ba a a"},
	{"iw", "foo", "xFOO FoO\n", "1:5-8 xFOO FoO"},
	{"ew", "foo|foobar", "foobar\n", "1:0-6 foobar"},
	{"ew", "fo+", "foo foo foo\n", "1:0-3,4-7,8-11 foo foo foo"},
	{"ew", "f.", "éfx f1 ff\n", "1:4-6,7-9 éfx f1 ff"},
	{"ew", `\W`, "a -\n-\nab\n", "1:2-3 a -|2:0-1 -"},
	{"ew", `-+`, "--\nx--y\n", "1:0-2 --"},
	{"ew", `-*`, "--\na -", "1:0-2 --|2:2-3 a -"},
	{"emw", `-*`, "--\nx--y -", "1:0-2 --|2:2-2 x--y -|2:5-6 x--y -"},
	{"ew", "^a", "ab\na b\n", "2:0-1 a b"},
	{"ew", "a$", "ba\nb a\r\n", "2:2-3 b a"},
	{"w", "a", "\xffa\xff\n", "1:1-2 \ufffda\ufffd"},
	{"ew", "a|é", "\xffa\xff\n", "1:1-2 \ufffda\ufffd"},
	// expressions
	{"e", "a.c", "abc\na\nc\n", "1:0-3 abc"},
	{"e", `a\x1a`, "a\xff\na\x1a\n", "1:0-2 a\ufffd|2:0-2 a\x1a"},
	{"e", "(?s)a.c", "abc\na\nc\n", "1:0-3 abc"},
	{"e", `a[\s\S]c`, "abc\na\nc\n", "1:0-3 abc"},
	{"e", `a\s*c`, "a\nc\na c\n", "3:0-3 a c"},
	{"e", `a[^b]c`, "a\nc\naxc\n", "3:0-3 axc"},
	{"e", "^", "a\n\nb\n", "1:0-0 a|2:0-0 |3:0-0 b"},
	{"e", "$", "a\n\nb", "1:1-1 a|2:0-0 |3:1-1 b"},
	{"e", "x*", "a\n\n", "1:0-0,1-1 a|2:0-0 "},
	{"e", "x*", "axb\n", "1:0-0,1-2,3-3 axb"},
	{"e", "^$", "a\n\n\nb\n", "2:0-0 |3:0-0 "},
	{"e", "^a|b$", "ab\nba\n", "1:0-1,1-2 ab"},
	{"e", "foo|bar", "a bar foo\nfo\n", "1:2-5,6-9 a bar foo"},
	{"e", "(a)(b)?c", "ac abc\n", "1:0-2,3-6 ac abc"},
	{"e", `\bfoo\b`, "foo\nfood\n", "1:0-3 foo"},
	{"e", `\p{Greek}+`, "aαβ\n", "1:1-3 aαβ"},
	{"e", `\p{Letter}1`, "é1\n", "1:0-2 é1"},
	{"e", `\B`, "aéb\nabé\n", "2:1-1,3-3 abé"},
	{"e", `\Qa.b\E`, "axb a.b\n", "1:4-7 axb a.b"},
	{"e", `(?i)foo\.go`, "FOO.GO\n", "1:0-6 FOO.GO"},
	{"e", "[^\\n]+", "ab\n\n", "1:0-2 ab"},
	{"e", "a[^z]", "a\n", ""},
	// CRLF
	{"", "foo", "foo\r\nbar\r\n", "1:0-3 foo"},
	{"e", "foo$", "foo\r\nfoo\n", "1:0-3 foo|2:0-3 foo"},
	{"e", `\s$`, "a\r\na \r\n", "2:1-2 a "},
	{"e", "^$", "\r\na\r\n", "1:0-0 "},
	{"e", ".+", "ab\r\n", "1:0-2 ab"},
	{"e", `a[^\r\n]*$`, "ab\r\n", "1:0-2 ab"},
	{"e", "b$", "ab\r", ""},
	{"e", "o$", "fo\r\r\n", ""},
	{"e", `o\r$`, "fo\r\nfo\n", "1:1-2 fo"},
	{"", "o\r", "fo\r\nfo\n", "1:1-2 fo"},
	{"e", `\r`, "a\rb\r\n", "1:1-2,3-3 a\rb"},
	// invalid UTF-8
	{"e", "a.b", "a\xffb\n", "1:0-3 a\ufffdb"},
	{"e", `a\wb|a[0-9é]b`, "a\xffb\n", ""},
	{"e", "fo+", "\xff\n\xfe foo\n", "2:2-5 \ufffd foo"},
	{"e", "[0-9]+", "\xff1\xff22\n", "1:1-2,3-5 \ufffd1\ufffd22"},
	// multiline
	{"m", "a\nb", "xa\nb\na\r\nb\n", "1..2:1-4 xa\nb|3..4:0-3 a\nb"},
	{"m", "a\r\nb", "xa\nb\n", "1..2:1-4 xa\nb"},
	{"m", "a\n", "a\nb\n", "1:0-1 a"},
	{"m", "a", "aa\nb\na", "1:0-1 aa|1:1-2 aa|3:0-1 a"},
	{"em", "a.b", "a\nb\na\nb\n", "1..2:0-3 a\nb|3..4:0-3 a\nb"},
	{"em", "a.b", "a\r\nb\n", "1..2:0-3 a\nb"},
	{"em", "^b$", "a\nb\n", "2:0-1 b"},
	{"em", "^", "a\nb\n", "1:0-0 a|2:0-0 b"},
	{"em", "^", "", ""},
	{"em", `\B`, "aéb\n-é-\n", "2:0-0 -é-|2:1-1 -é-|2:2-2 -é-|2:3-3 -é-"},
	{"em", `\Aa`, "a\na\n", "1:0-1 a"},
	{"em", `a\s*\z`, "a\na\n", "2:0-1 a"},
	{"em", "func.*?end", "func\n x\nend\nfunc end\n", "1..3:0-11 func\n x\nend|4:0-8 func end"},
	{"em", "a\\nb", "xa\nb", "1..2:1-4 xa\nb"},
	{"emw", "a.b", "a\nb\nxa\nb\na\nb", "1..2:0-3 a\nb|5..6:0-3 a\nb"},
	{"emw", "x", "x x\nx\nxx\n", "1:0-1 x x|1:2-3 x x|2:0-1 x"},
	{"mw", "a\nb", "a\nbc\na\nb", "3..4:0-3 a\nb"},
	{"mi", "A\nB", "a\nb\n", "1..2:0-3 a\nb"},
	{"em", `a.b.?c?`, "a\nb\nc\n", "1..3:0-5 a\nb\nc"},
	{"em", `a.b|c.d`, "a\nb c\nd\n", "1..2:0-3 a\nb c|2..3:2-5 b c\nd"}, // the second begins where the first ends
	{"em", `a.b`, "\xffa\nb\n", "1..2:1-4 \ufffda\nb"},
}

func TestSearch(t *testing.T) {
	for _, c := range searchCases {
		m := compileOK(t, parseQuery(c.flags, c.query))
		got, res := grepText(t, m, c.text, LineOptions{})
		if brief(got) != c.want {
			t.Errorf("%q %q in %q:\n got %q\nwant %q", c.flags, c.query, c.text, brief(got), c.want)
		}
		if int(res.Count) != len(got) || res.Truncated || res.Binary {
			t.Errorf("%q %q in %q: result %+v for %d matches", c.flags, c.query, c.text, res, len(got))
		}
	}
}

func TestParallel(t *testing.T) {
	text := strings.Repeat("some foo1 text\nwithout\n", 5000)
	for _, q := range []Query{{Text: "foo1"}, {Text: `o+\d`, Regex: true}, {Text: "foo1", Regex: true, WholeWord: true},
		{Text: "o.", Regex: true, WholeWord: true, Multiline: true}} {
		m := compileOK(t, q)
		want, _ := grepText(t, m, text, LineOptions{MaxLines: 100})
		done := make(chan bool)
		for range 8 {
			go func() {
				got, _ := grepText(t, m, text, LineOptions{MaxLines: 100})
				done <- reflect.DeepEqual(got, want)
			}()
		}
		for range 8 {
			if !<-done {
				t.Errorf("%+v: workers disagree", q)
			}
		}
	}
}

func FuzzSearch(f *testing.F) {
	for _, c := range searchCases {
		f.Add(c.flags, c.query, []byte(c.text), uint8(3))
	}
	f.Fuzz(func(t *testing.T, flags, query string, text []byte, step uint8) {
		if len(query) > 200 || len(text) > 5000 {
			return
		}
		q := parseQuery(flags, query)
		q.Engine = regex.RE2
		m, err := Compile(q)
		if err != nil {
			return
		}
		q.Engine = regex.Go
		agree(t, m, compileOK(t, q), string(text))
		o := LineOptions{Before: 1, After: 1, Force: true}
		want, res := grepText(t, m, string(text), o)
		m.sizes.step = int(step) + 1
		if got, _ := grepText(t, m, string(text), o); !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d:\n got %+v\nwant %+v", m.sizes.step, got, want)
		}
		checkMatches(t, want, bytes.Count(text, []byte("\n"))+1)
		_, counted := grepText(t, m, string(text), LineOptions{CountOnly: true, Force: true})
		if counted.Count != res.Count || int(res.Count) != len(want) {
			t.Fatalf("counted %d, found %d", counted.Count, len(want))
		}
	})
}

// checkMatches checks what holds for any query and text.
func checkMatches(t *testing.T, matches []LineMatch, lines int) {
	t.Helper()
	last := int64(0)
	for _, m := range matches {
		runes := utf8.RuneCountInString(m.Snippet)
		switch {
		case m.Line < last, m.Line == last && m.Nth == 0, m.EndLine < m.Line, m.EndLine > int64(lines):
			t.Fatalf("line %d to %d after %d of %d", m.Line, m.EndLine, last, lines)
		case !utf8.ValidString(m.Snippet), runes > maxSnippet, m.EndLine == m.Line && strings.Contains(m.Snippet, "\n"):
			t.Fatalf("snippet %q", m.Snippet)
		case m.Start > m.End, m.Start < m.SnippetStart, m.Start > m.SnippetStart+runes:
			t.Fatalf("match %d-%d in a snippet of %d from %d", m.Start, m.End, runes, m.SnippetStart)
		case len(m.Submatches) == 1, len(m.Submatches) > 0 && m.Submatches[0] != [2]int{m.Start, m.End}:
			t.Fatalf("match %d-%d, submatches %v", m.Start, m.End, m.Submatches)
		case len(m.Submatches) > 0 && m.Submatches[len(m.Submatches)-1][0] > m.SnippetStart+runes:
			t.Fatalf("submatches %v, snippet from %d of %d", m.Submatches, m.SnippetStart, runes)
		}
		last = m.Line
	}
}

// TestLacks: a search that finds nothing in a file may say that the file has no match of another
// query either. That must be true, and it must be said often.
func TestLacks(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	pieces := slices.Concat(textPieces, []string{"\xff", "\ufffd", "zzz"})
	lacking := 0
	for _, c := range searchCases {
		other := compileOK(t, parseQuery(c.flags, c.query))
		absent := compileOK(t, Query{Text: "-absent-"})
		for i := range 30 {
			text := c.text
			if i > 0 {
				text = randomText(r, pieces, r.IntN(30))
			}
			m := *absent
			if i%3 == 0 {
				m.sizes = sizes{step: 64, piece: 256, overlap: 64} // several blocks
			}
			matches, _ := grepText(t, other, text, LineOptions{Force: true})
			_, result := grepText(t, &m, text, LineOptions{Force: true, Else: other})
			switch {
			case result.Lacks && len(matches) > 0:
				t.Fatalf("%+v in %q: found %v", other.query, text, brief(matches))
			case result.Lacks:
				lacking++
			}
		}
	}
	if lacking < 500 {
		t.Errorf("it is known of %d texts only", lacking)
	}
}
