package grep

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/listing"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// randomMatch gives a match, often with a few of the rarer facts.
func randomMatch(r *rand.Rand) *Match {
	texts := [...]string{"a", "", "<script>&amp;</script>", "quote \" and \\",
		"line\nend\ttab", "\x00\x01\x1f\x7f", "é ü 世界 😀", "\u2028\ufeff",
		"caf\xe9", strings.Repeat("long ", 30)}
	text := func() string { return texts[r.IntN(len(texts))] }
	m := &Match{File: text(), Line: r.Int64() >> r.IntN(64), Snippet: text(), MatchStart: r.Int() >> r.IntN(64),
		MatchEnd: r.Int() >> r.IntN(64)}
	at := r.IntN(300)
	for i, add := range []func(){
		func() { m.PathBase64 = words.Base64("caf\xe9") }, func() { m.Anchor = "12#KDT" }, func() { m.EndLine = m.Line + 1 },
		func() { m.SnippetStart = &at }, func() { m.Submatches = [][2]int{{1, 2}, {3, at}} }, func() { m.SubmatchesTruncated = true },
		func() { m.Before = []string{text()} }, func() { m.After = []string{text(), text()} }, func() { m.ContextCut = true },
	} {
		if r.IntN(16) == i {
			add()
		}
	}
	return m
}

// What is counted for a match is what it takes, and nothing of it is lost.
func TestSizeOfMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	budget := &answer.Budget{Left: 1 << 40}
	for range 5000 {
		m := randomMatch(r)
		want, err := json.Marshal(m, jsontext.AllowInvalidUTF8(true))
		f := foundOf(m)
		if size := f.size(budget); err != nil || size != int64(len(want)+len(",")) || size != budget.Size(m) {
			t.Fatalf("%d bytes are counted for %s (%v)", size, want, err)
		}
		back := f.match()
		if again, err := json.Marshal(&back, jsontext.AllowInvalidUTF8(true)); err != nil || string(again) != string(want) {
			t.Fatalf("%s, want %s (%v)", again, want, err)
		}
	}
}

// Beside the text form a match has what it has otherwise, except what only programs want, and a
// file comes once.
func TestBriefMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 10))
	var list briefMatches
	for range 5000 {
		m := randomMatch(r)
		m.File += ".go"
		list.Matches = append(list.Matches, foundOf(m))
	}
	file, exact := "", ""
	for i := range list.Len() {
		var got Match
		text := list.AppendItem(nil, i)
		if err := json.Unmarshal(text, &got, jsontext.AllowInvalidUTF8(true)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got.File != "" {
			file, exact = got.File, got.PathBase64
		}
		got.File, got.PathBase64 = file, exact
		want := list.Matches[i].match()
		if want.MatchStart, want.MatchEnd, want.Submatches, want.SubmatchesTruncated = 0, 0, nil, false; i > 0 &&
			want.File == list.Matches[i-1].file {
			want.PathBase64 = exact // the same file has the same name
		}
		asText := func(m Match) string { return words.Shown(string(answer.AppendJSON(nil, &m))) }
		if asText(got) != asText(want) {
			t.Fatalf("%s, want %s", text, asText(want))
		}
	}
}

// The text of pages that are rare: of a search that ran out of time, and of lines that are cut.
func TestTextOfRarePages(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, tt := range []struct {
		match Match
		end   listing.PageEnd
		want  string
	}{
		{Match{File: "a", Line: 3, Snippet: "x"}, listing.PageEnd{Truncated: true, TruncatedBy: "timeout", NextCursor: "c1"},
			"[time ran out after 1 match; continue with cursor c1]\na\n3:x\n"},
		{Match{File: "a", Line: 1, Snippet: "x", Before: []string{}, After: []string{long}, ContextCut: true}, listing.PageEnd{},
			"a\n1:x\n2-" + long + "…\n[… is where a line is cut; read shows more of it]\n"},
	} {
		result := &Result{Matches: Matches{foundOf(&tt.match)}, FilesMatched: 1, PageEnd: tt.end}
		if got := answer.Succeeded(nil, result, nil).Text(); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
}
