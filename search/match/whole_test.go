package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestManyMultilineMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	text := strings.Repeat("ab a\n\nb\n", share(40_000))
	for _, q := range []Query{{Text: "a|c", Regex: true, Multiline: true}, {Text: `\s*b|c`, Regex: true, Multiline: true}, {Text: "^", Regex: true, Multiline: true},
		{Text: "a\n", Multiline: true}, {Text: `a\n|b\n`, Regex: true, Multiline: true}} {
		_, res := grepText(t, compileOK(t, q), text, LineOptions{CountOnly: true})
		want := strings.Count(text, "ab a")
		switch q.Text {
		case "^":
			want = strings.Count(text, "\n")
		case `a\n|b\n`, "a|c", `\s*b|c`:
			want *= 2
		}
		if res.Count != int64(want) {
			t.Errorf("%+v: %d, want %d", q, res.Count, want)
		}
	}
	two, _ := grepText(t, compileOK(t, Query{Text: "..", Regex: true, Multiline: true}), "bb"+strings.Repeat("aa\n", 60_000), LineOptions{})
	for _, m := range two[1:] {
		if at := len("bb") + 3*int(m.Line-1) + m.Start; at%2 != 0 {
			t.Fatalf("two characters at a time: one match begins at %d", at)
		}
	}
	one := strings.Repeat("ab", 20_000) + "\nab\n"
	got, _ := grepText(t, compileOK(t, Query{Text: "b|c", Regex: true, Multiline: true}), one, LineOptions{})
	for i, m := range got[:20_000] {
		if m.Line != 1 || m.Nth != i || m.Start != 2*i+1 || m.SnippetStart > m.Start || m.SnippetStart+len(m.Snippet) < m.End || !m.SnippetCut {
			t.Fatalf("one long line, match %d: %+v", i, m)
		}
	}
	if len(got) != 20_001 || got[20_000].Line != 2 || got[20_000].SnippetCut {
		t.Errorf("one long line: %d matches", len(got))
	}
}

// TestMultilineEmpty has expressions that match the empty text, in a text that is long enough for
// probe: every place matches, except after the last line.
func TestMultilineEmpty(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	const lines = 16 << 10
	text := strings.Repeat("a\n", lines)
	for query, want := range map[string]int64{".*": 1, `\s*`: lines + 1, "(foo)?": 2 * lines, "a|": lines, "x*$|^": 2 * lines, `\b|\B`: 2 * lines} {
		_, res := grepText(t, compileOK(t, Query{Text: query, Regex: true, Multiline: true}), text, LineOptions{CountOnly: true})
		if res.Count != want {
			t.Errorf("%q: %d matches, want %d", query, res.Count, want)
		}
	}
}

func TestMultilineLimit(t *testing.T) {
	m := compileOK(t, Query{Text: "a\nb", Multiline: true})
	var large *TooLargeForMultilineError
	_, err := m.Search(context.Background(), strings.NewReader("a\nb\n"), 4, LineOptions{MaxMultiline: 3}, nil, nil)
	if !errors.As(err, &large) || large.Size != 4 || large.Limit != 3 {
		t.Errorf("got %v", err)
	}
	if got, _ := grepText(t, m, "a\nb\n", LineOptions{MaxMultiline: 4}); len(got) != 1 {
		t.Errorf("at the limit: %v", got)
	}
}

// TestMultilineInSteps has large files: only one that has something of each match is loaded whole.
func TestMultilineInSteps(t *testing.T) {
	filler := strings.Repeat("a line of some text\n", 100_000)
	for _, q := range []Query{{Text: `needle\s+\w+`, Regex: true, Multiline: true}, {Text: "needle\nb", Multiline: true}} {
		m := compileOK(t, q)
		for text, want := range map[string]int64{filler: 0, filler + "needle\nb": 100_001, "needle\nb\n" + filler: 1} {
			var buf Buffers
			var line int64
			_, err := m.Search(context.Background(), strings.NewReader(text), int64(len(text)), LineOptions{}, &buf, func(l LineMatch) bool {
				line = l.Line
				return true
			})
			whole := cap(buf.text) >= len(text)
			if err != nil || line != want || whole != (want > 0) {
				t.Errorf("%+v: line %d, want %d; whole %v, %v", q, line, want, whole, err)
			}
		}
	}
}

func TestMultilineContext(t *testing.T) {
	m := compileOK(t, Query{Text: "b\nc", Multiline: true})
	got, _ := grepText(t, m, "a\nb\nc\nd\ne\n", LineOptions{Before: 2, After: 2})
	want := []LineMatch{{Line: 2, EndLine: 3, Snippet: "b\nc", End: 3, Before: []string{"a"}, After: []string{"d", "e"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// TestMultilineAgainstRegexp compares each match with what package regexp finds in the whole text.
func TestMultilineAgainstRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 1))
	pieces := []string{"a", "b", "ab", " ", "\n", "\n", "\r\n", "é", "begin", "end", "-", strings.Repeat("x", 300)}
	queries := []string{`b\s+a`, `a\nb`, `a\s*b`, `end\nbegin|begin\nend`, `\s+`, `[ab]+\n?`, `a.b`, `a.*?b`, `é\s*é|b`, `^a`, `b$`, `^`, `x\s*`, `\n`, `a|b`}
	for range share(400) {
		text := randomText(r, pieces, 1+r.IntN(60))
		plain := strings.ReplaceAll(text, "\r\n", "\n")
		query := queries[r.IntN(len(queries))]
		m := compileOK(t, Query{Text: query, Regex: true, Multiline: true})
		got, res := grepText(t, m, text, LineOptions{})
		want := wholeReference(query, plain)
		if brief(got) != brief(want) || int(res.Count) != len(want) {
			t.Fatalf("%q in %q:\n got %s\nwant %s", query, text, brief(got), brief(want))
		}
		if len(want) == 0 {
			continue
		}
		some, res := grepText(t, m, text, LineOptions{MaxLines: r.IntN(len(want)) + 1})
		if res.Truncated != (len(some) < len(want)) || brief(some) != brief(want[:len(some)]) {
			t.Fatalf("%q in %q: %d of %d, %+v", query, text, len(some), len(want), res)
		}
	}
}

// wholeReference finds matches in a text with LF alone. It cuts no snippets but those of a line.
func wholeReference(query, text string) (matches []LineMatch) {
	for _, at := range regexp.MustCompile("(?ms)"+query).FindAllStringIndex(text, -1) {
		start, end := at[0], at[1]
		if start == len(text) && (start == 0 || text[start-1] == '\n') {
			continue
		}
		line := strings.LastIndex(text[:start], "\n") + 1
		last := max(start, end-1)
		stop := last + strings.IndexByte(text[last:]+"\n", '\n')
		points := [][2]int{{start - line, end - line}}
		m := newLineMatch(int64(strings.Count(text[:line], "\n"))+1, []byte(text[line:stop]), points, 0)
		m.EndLine += int64(strings.Count(text[line:stop], "\n"))
		matches = append(matches, m)
	}
	return matches
}
