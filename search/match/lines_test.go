package match

import (
	"context"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// reference searches line by line with the standard library: slow and plain. It
// is for queries without IgnoreCase on literals, whole words or invalid UTF-8.
func reference(q Query, text string, o LineOptions) []LineMatch {
	expr := q.Text
	if !q.Regex {
		expr = regexp.QuoteMeta(expr)
	}
	if q.IgnoreCase {
		expr = "(?i)(?:" + expr + ")"
	}
	re := regexp.MustCompile("(?m)" + expr)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	shown, cut := make([]string, len(lines)), make([]bool, len(lines))
	for i, line := range lines {
		if i < len(lines)-1 || strings.HasSuffix(text, "\n") {
			line = strings.TrimSuffix(line, "\r")
		}
		lines[i] = line
		shown[i] = string([]rune(line)[:min(200, utf8.RuneCountInString(line))])
		cut[i] = shown[i] != line
	}
	var out []LineMatch
	for i, line := range lines {
		if o.MaxLines > 0 && len(out) == o.MaxLines {
			break
		}
		if m, ok := referenceLine(re, line); ok {
			m.Line, m.EndLine = int64(i+1), int64(i+1)
			m.Before = nonEmpty(shown[max(0, i-o.Before):i])
			m.After = nonEmpty(shown[i+1 : min(len(lines), i+1+o.After)])
			m.ContextCut = slices.Contains(cut[max(0, i-o.Before):i], true) || slices.Contains(cut[i+1:min(len(lines), i+1+o.After)], true)
			out = append(out, m)
		}
	}
	return out
}

func nonEmpty(s []string) []string {
	if len(s) == 0 {
		return nil
	}
	return s
}

func referenceLine(re *regexp.Regexp, line string) (LineMatch, bool) {
	var spans [][2]int
	for _, s := range re.FindAllStringIndex(line, -1) {
		spans = append(spans, [2]int{utf8.RuneCountInString(line[:s[0]]), utf8.RuneCountInString(line[:s[1]])})
	}
	if len(spans) == 0 {
		return LineMatch{}, false
	}
	m := LineMatch{Start: spans[0][0], End: spans[0][1]}
	runes := []rune(line)
	m.Snippet = line
	if m.SnippetCut = len(runes) > 200; m.SnippetCut {
		width := min(200, m.End-m.Start)
		front := (200 - width + 1) / 2
		m.SnippetStart = max(0, min(m.Start-front, len(runes)-200))
		m.SnippetStart = min(m.SnippetStart, m.Start)
		m.Snippet = string(runes[m.SnippetStart : m.SnippetStart+200])
	}
	var shown [][2]int
	for _, s := range spans {
		if !m.SnippetCut || s[0] < m.SnippetStart+200 {
			shown = append(shown, s)
		}
	}
	if m.MoreMatches = max(len(shown), 1) < len(spans); len(shown) > 1 {
		m.Submatches = shown
	}
	return m, true
}

func randomText(r *rand.Rand, pieces []string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

var textPieces = []string{"a", "b", "foo", "bar", " ", "-", "_", "é", "日", "\n", "\n", "\r\n", "K", "\u212a", "ſ", "Foo", "1", "\t", "\r",
	strings.Repeat("long ", 60)}

var properties = []Query{
	{Text: "foo|bar|日1", Regex: true}, {Text: "(foo|ba[rz])(é| )", Regex: true}, {Text: "foo|bar|sfoo|日k", Regex: true, IgnoreCase: true},
	{Text: "(Foo|K)(b|É)?a", Regex: true, IgnoreCase: true}, {Text: "foo|bar|long l", Regex: true},
	{Text: "foo"}, {Text: "a"}, {Text: "é"}, {Text: "foobar"}, {Text: "zzz"}, {Text: "- "},
	{Text: "foo", IgnoreCase: true}, {Text: "k", IgnoreCase: true}, {Text: "sfoo", IgnoreCase: true}, {Text: "É", IgnoreCase: true},
	{Text: "fo+", Regex: true}, {Text: "foo|bar", Regex: true}, {Text: "a.*b", Regex: true}, {Text: "^a", Regex: true},
	{Text: "a$", Regex: true}, {Text: "^$", Regex: true}, {Text: "x*", Regex: true}, {Text: `\s+$`, Regex: true},
	{Text: `[a-z]+\d`, Regex: true}, {Text: `\bfoo\b`, Regex: true}, {Text: `(?i)foo[^a]`, Regex: true}, {Text: ".", Regex: true},
	{Text: "(foo|bar)+1", Regex: true, IgnoreCase: true}, {Text: `[^\x00-\x7f]`, Regex: true}, {Text: "(?:a|b)?-", Regex: true},
}

// TestAgainstStandardLibrary also varies the block size: a match must not depend on it.
func TestAgainstStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	options := []LineOptions{{}, {Before: 2, After: 1}, {Before: 1, After: 3, MaxLines: 2}, {After: 50, Before: 50}}
	for _, q := range properties {
		m := compileOK(t, q)
		for i := range few(60) {
			text := randomText(r, textPieces, r.IntN(40))
			o := options[i%len(options)]
			want := reference(q, text, o)
			for _, step := range []int{1, 7, 64, blockStep} {
				m.sizes.step = step
				got, res := grepText(t, m, text, o)
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v, %+v, step %d in %q:\n got %+v\nwant %+v", q, o, step, text, got, want)
				}
				all := len(reference(q, text, LineOptions{}))
				if res.Count != int64(len(want)) || res.Truncated != (all > len(want)) {
					t.Fatalf("%+v in %q: %+v, but %d of %d lines", q, text, res, len(want), all)
				}
				_, counted := grepText(t, m, text, LineOptions{CountOnly: true})
				if counted.Count != int64(all) {
					t.Fatalf("%+v in %q: counted %d of %d", q, text, counted.Count, all)
				}
			}
		}
	}
}

func TestSubmatchesAreBounded(t *testing.T) {
	text := strings.Repeat("ab", 5000) + "\n"
	for _, q := range []Query{{Text: "a"}, {Text: "a|c", Regex: true}} {
		for _, s := range []sizes{newSizes(maxPiece, 1<<10), {step: 64, piece: 4 << 10, overlap: 1 << 10}} {
			m := compileOK(t, q)
			m.sizes = s
			got, _ := grepText(t, m, text, LineOptions{})
			if len(got) != 1 || len(got[0].Submatches) != maxSnippet/2 || !got[0].MoreMatches {
				t.Errorf("%+v: %d submatches", q, len(got[0].Submatches))
			}
		}
	}
}

func TestOptions(t *testing.T) {
	m := compileOK(t, Query{Text: "a"})
	text := "a1\nb2\na3\na4\n"
	if _, res := grepText(t, m, text, LineOptions{FirstOnly: true}); res.Count != 1 {
		t.Errorf("first only: %+v", res)
	}
	if _, res := grepText(t, m, text, LineOptions{MaxLines: 3}); res.Count != 3 || res.Truncated {
		t.Errorf("exactly the limit: %+v", res)
	}
	if _, res := grepText(t, m, text, LineOptions{MaxLines: 2, CountOnly: true}); res.Count != 2 || !res.Truncated {
		t.Errorf("count to the limit: %+v", res)
	}
	calls := 0
	res, err := m.Search(context.Background(), strings.NewReader(text), int64(len(text)), LineOptions{After: 1}, nil,
		func(LineMatch) bool { calls++; return false })
	if calls != 1 || err != nil {
		t.Errorf("after yield said stop: %d calls, %+v, %v", calls, res, err)
	}
}

// Matches are listed if they begin in the snippet, and if they are several; whether there are
// others is told.
func TestSubmatches(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, tt := range []struct {
		query, line string
		want        [][2]int
		more        bool
	}{
		{"a", "a", nil, false},
		{"a", "aa", [][2]int{{0, 1}, {1, 2}}, false},
		{"a", "a" + x(200) + "a", nil, true},
		{"a", "a" + x(98) + "a" + x(200), [][2]int{{0, 1}, {99, 100}}, false},
		{"a", "a" + x(198) + "aa", [][2]int{{0, 1}, {199, 200}}, true},
		{"ab", "ab" + x(197) + "ab", [][2]int{{0, 2}, {199, 201}}, false},
		{"a", x(300) + "a" + x(90) + "a" + x(20) + "a", [][2]int{{300, 301}, {391, 392}}, true},
		{"y*", "ab", [][2]int{{0, 0}, {1, 1}, {2, 2}}, false},
		{"é", x(150) + "é" + x(98) + "éé", [][2]int{{150, 151}, {249, 250}}, true},
	} {
		got, _ := grepText(t, compileOK(t, Query{Text: tt.query, Regex: true}), tt.line+"\n", LineOptions{})
		if len(got) != 1 || !reflect.DeepEqual(got[0].Submatches, tt.want) || got[0].MoreMatches != tt.more {
			t.Errorf("%q in %s: %+v; want %v, %v", tt.query, cut(tt.line), got, tt.want, tt.more)
		}
	}
}
