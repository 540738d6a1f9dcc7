package match

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestManyMultilineMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	text := strings.Repeat("ab a\n\nb\n", share(40_000))
	for _, q := range []Query{{Text: "a|c", Regex: true, Multiline: true}, {Text: "^", Regex: true, Multiline: true},
		{Text: "a\n", Multiline: true}, {Text: `a\n|b\n`, Regex: true, Multiline: true}} {
		_, res := grepText(t, compileOK(t, q), text, LineOptions{CountOnly: true})
		want := strings.Count(text, "ab a")
		switch q.Text {
		case "^":
			want = strings.Count(text, "\n")
		case `a\n|b\n`:
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
	one := strings.Repeat("ab", 200_000) + "\nab\n"
	got, _ := grepText(t, compileOK(t, Query{Text: "b|c", Regex: true, Multiline: true}), one, LineOptions{})
	if len(got) != 2 || got[1].Line != 2 || !got[0].MoreMatches {
		t.Errorf("one long line: %d matches", len(got))
	}
}

// TestMultilineEmpty has expressions that match the empty text, in a text that is long enough for
// probe: every line matches.
func TestMultilineEmpty(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	const lines = 16 << 10
	text := strings.Repeat("a\n", lines)
	for query, want := range map[string]int64{".*": 1, `\s*`: lines, "(foo)?": lines, "a|": lines, "x*$|^": lines, `\b|\B`: lines} {
		_, res := grepText(t, compileOK(t, Query{Text: query, Regex: true, Multiline: true}), text, LineOptions{CountOnly: true})
		if res.Count != want {
			t.Errorf("%q: %d lines, want %d", query, res.Count, want)
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

func TestMultilineContext(t *testing.T) {
	m := compileOK(t, Query{Text: "b\nc", Multiline: true})
	got, _ := grepText(t, m, "a\nb\nc\nd\ne\n", LineOptions{Before: 2, After: 2})
	want := []LineMatch{{Line: 2, EndLine: 3, Snippet: "b\nc", End: 3, Before: []string{"a"}, After: []string{"d", "e"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}
