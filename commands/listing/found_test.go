package listing

import (
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// randomEntries gives entries of every kind.
func randomEntries(r *rand.Rand, n int) (all Entries) {
	names := [...]string{"a", "a.go", "<script>&amp;</script>",
		"quote \" and \\", "line\nend\ttab", "\x00\x01\x1f\x7f", "é ü 世界 😀", "\u2028\ufeff",
		"caf\xe9", "\xff\xfe", strings.Repeat("long ", 50)}
	name := func() string { return names[r.IntN(len(names))] }
	for range n {
		f := Found{Path: name(), Size: r.Int64() >> r.IntN(64), blocked: r.IntN(4) == 0,
			Modified: words.Seconds(time.UnixMicro(r.Int64() >> r.IntN(64))),
			Kind:     [...]fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeSocket}[r.IntN(4)]}
		for range r.IntN(3) {
			f.Path = name() + "/" + f.Path
		}
		if f.Kind == fs.ModeSymlink {
			f.Target = words.OrNull(name())
		}
		all = append(all, f)
	}
	return all
}

// An entry takes no more than is counted for it.
func TestSizeOfEntry(t *testing.T) {
	for _, f := range randomEntries(rand.New(rand.NewPCG(5, 6)), 5000) {
		if got, counted := f.appendJSON(nil), EntrySize(f); counted < int64(len(got)+len(",")) {
			t.Fatalf("%d bytes are counted for %s", counted, got)
		}
	}
}

// An entry is written as its tags declare.
func TestAppendEntry(t *testing.T) {
	for _, f := range randomEntries(rand.New(rand.NewPCG(5, 8)), 5000) {
		var want, got Entry
		e := f.entry()
		text, plain := f.appendJSON(nil), answer.AppendJSON(nil, &e)
		if err := json.Unmarshal(text, &got, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := json.Unmarshal(plain, &want, jsontext.AllowInvalidUTF8(true)); err != nil || got != want {
			t.Fatalf("%s, want %s: %v", text, plain, err)
		}
	}
}

// Beside the text form an entry has what it has otherwise, except what only programs want.
func TestBriefEntry(t *testing.T) {
	for _, f := range randomEntries(rand.New(rand.NewPCG(5, 7)), 5000) {
		want, got := f.entry(), Entry{}
		text := f.appendBrief(nil)
		if err := json.Unmarshal(text, &got, jsontext.AllowInvalidUTF8(true)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want.Name, want.Size, want.Modified = "", 0, 0
		if want.Type == "file" {
			want.Type = ""
		}
		want.Path, want.LinkTarget = words.Shown(want.Path), words.Shown(want.LinkTarget)
		if got.Path, got.LinkTarget = words.Shown(got.Path), words.Shown(got.LinkTarget); got != want {
			t.Fatalf("%s, want %+v", text, want)
		}
	}
}

// listed is a result with a list of entries.
type listed struct {
	words.PathName
	Entries Entries `json:"entries"`
	Count   int     `json:"count"`
	PageEnd
	Hidden  int64 `json:"hidden"`
	Ignored int64 `json:"ignored"`
	Unread
}

func (r *listed) LongList() answer.Items { return r.Entries }

func (r *listed) Summary() string { return "" }

// plainResult is a listed as its schema says.
type plainResult struct {
	words.PathName
	Entries []Entry `json:"entries"`
	Count   int     `json:"count"`
	PageEnd
	Hidden  int64 `json:"hidden"`
	Ignored int64 `json:"ignored"`
	Unread
}

// An answer with entries, few or many, is what an encoder makes of it.
func TestLongAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range [...]int{0, 1, 2, 300, 2000} {
		result := &listed{PathName: words.PathOf(`"entries":[]`), Entries: randomEntries(r, n), Count: n}
		a := answer.Succeeded(jsontext.Value(`{"entries":[]}`), result, nil)
		entries := []Entry{}
		for i := range result.Entries {
			entries = append(entries, result.Entries[i].entry())
		}
		plain := a
		plain.Result = plainResult{result.PathName, entries, n, result.PageEnd, 0, 0, result.Unread}
		want, err := json.Marshal(&plain, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		if err := a.Encode(&got, false); err != nil || got.String() != string(want) {
			t.Fatalf("of %d entries: %v\n%.300s\nwant\n%.300s", n, err, got.String(), want)
		}
	}
}
