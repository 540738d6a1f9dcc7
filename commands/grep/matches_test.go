package grep

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// A match of a few facts is written as package json writes it.
func TestPlainMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	plain := 0
	for range 20000 {
		m := randomMatch(r)
		list := Matches{foundOf(m)}
		if list[0].whole == nil {
			plain++
		}
		if got, want := string(list.AppendItem(nil, 0)), string(answer.AppendJSON(nil, m)); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if plain < 100 {
		t.Errorf("%d of them", plain)
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
			want.Before, got.Before = nil, nil
		}
		if i+1 < list.Len() && want.File == list.Matches[i+1].file {
			want.After, got.After = nil, nil // see TestBriefContext
		}
		asText := func(m Match) string { return words.Shown(string(answer.AppendJSON(nil, &m))) }
		if asText(got) != asText(want) {
			t.Fatalf("%s, want %s", text, asText(want))
		}
	}
}

// Of a file's matches, with any lines around them, each line that any of them has goes out once, in
// its place, and no page takes more than was counted.
func TestBriefContext(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	text := func(n int) string { return fmt.Sprint("line ", n) }
	for range 500 {
		var list briefMatches
		const lines = 60
		want, counted := map[int]bool{}, int64(0)
		before, after := r.IntN(5), r.IntN(5)
		for n := 1; n <= lines; n += 1 + r.IntN(8) { // from the end of the last match, which may be in the same line
			m := Match{File: "a", Line: int64(n), Snippet: text(n)}
			end := n
			if r.IntN(6) == 0 {
				end = min(lines, n+r.IntN(4))
				m.EndLine, m.Snippet = int64(end), "several lines"
			}
			for i := max(1, n-before); i <= min(lines, end+after); i++ {
				want[i] = true
				if i < n {
					m.Before = append(m.Before, text(i))
				} else if i > end {
					m.After = append(m.After, text(i))
				}
			}
			item := foundOf(&m)
			counted += list.briefSize(&item)
			list.Matches = append(list.Matches, item)
			n = max(n, end-1)
		}
		last, end, size := 0, 0, int64(0)
		for i := range list.Len() {
			var got Match
			data := list.AppendItem(nil, i)
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			size += int64(len(data) + len(","))
			if n := int(got.Line); n <= last && n > end {
				t.Fatalf("line %d was given as context: %s", n, data)
			}
			first := int(got.Line) - len(got.Before)
			for j, line := range append(slices.Clone(got.Before), got.After...) {
				n := first + j
				if j >= len(got.Before) {
					n = int(got.end()) + 1 + j - len(got.Before)
				}
				if line != text(n) || !want[n] || n <= last && j < len(got.Before) {
					t.Fatalf("%q is given for line %d, after line %d: %s", line, n, last, data)
				}
				delete(want, n)
			}
			for n := got.Line; n <= got.end(); n++ {
				delete(want, int(n))
			}
			end = int(got.end())
			last = max(last, end+len(got.After))
		}
		if len(want) > 0 || size > counted {
			t.Fatalf("%d before and %d after: lines %v are missing; %d bytes of %d", before, after, want, size, counted)
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
