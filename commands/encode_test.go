package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// appendJSON encodes one value.
func appendJSON(b []byte, v reflect.Value) []byte {
	out := bytes.NewBuffer(b)
	e := answer.Encoder{W: out}
	e.Value(v)
	e.Flush()
	return out.Bytes()
}

// failingWriter takes a number of writes and refuses the next.
type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestEncodeLongAnswers(t *testing.T) {
	names := make([]string, 50_000)
	for i := range names {
		names[i] = strings.Repeat("x", i%40)
	}
	a := answer.Answer{Success: true, Result: GrepResult{Files: names}, Message: "m"}
	var out bytes.Buffer
	if err := a.Encode(&out); err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(out.Bytes(), []byte("\n")); lines != 1 || out.Bytes()[out.Len()-1] != '\n' {
		t.Errorf("%d line ends, want one at the end", lines)
	}
	var back struct{ Result struct{ Files []string } }
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || !slices.Equal(back.Result.Files, names) {
		t.Errorf("the names didn't survive: %v", err)
	}
	if err := a.Encode(&failingWriter{left: 1}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's", err)
	}
}

// A listing is written as a list of what was added, however long.
func TestListing(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5000, 20_000} {
		var l answer.Listing[answer.ListedPath]
		want := []string{}
		for i := range n {
			path := strings.Repeat("x\n", i%40)
			l.Add(answer.ListedPath(path).AppendJSON(nil))
			want = append(want, path)
		}
		if i := slices.IndexFunc(l, func(p answer.Piece) bool { return len(p.Text) > answer.PieceSize }); i >= 0 {
			t.Errorf("%d paths: piece %d is longer than the rest", n, i)
		}
		got := appendJSON(nil, reflect.ValueOf(struct {
			Before int                               `json:"before"`
			Files  answer.Listing[answer.ListedPath] `json:"files"`
			After  int                               `json:"after"`
		}{1, l, 2}))
		var back struct {
			Before int
			Files  []string
			After  int
		}
		if err := json.Unmarshal(got, &back); err != nil || !slices.Equal(back.Files, want) || back.Before != 1 || back.After != 2 {
			t.Errorf("%d paths became %d: %v", n, len(back.Files), err)
		}
	}
}

// An entry writes itself as its tags say.
func TestLsEntryIsMarshal(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var e LsEntry
		fillRandom(r, reflect.ValueOf(&e).Elem())
		e.Type = []string{"file", "directory", "symlink", "other"}[r.IntN(4)]
		if got, want := string(e.AppendJSON(nil)), string(appendJSON(nil, reflect.ValueOf(e))); got != want {
			t.Fatalf("%s\nby its tags:\n%s", got, want)
		}
	}
}

// Text is quoted as a general encoder quotes it, and comes back the same.
func FuzzText(f *testing.F) {
	for c := range 256 {
		f.Add("abcdefgh" + string([]byte{byte(c)}) + "\n/ü\u2028\U0001f600")
	}
	f.Add("\xff\xfe\xed\xa0\x80 \xf0\x9f\x98")
	f.Fuzz(func(t *testing.T, text string) {
		got := textio.AppendQuoted([]byte("x"), text)[1:]
		if n := textio.EscapedLen(text); n != len(got)-len(`""`) {
			t.Fatalf("%s: %d bytes, it says", got, n)
		}
		valid := strings.ToValidUTF8(text, "\ufffd")
		if utf8.ValidString(text) {
			want, err := jsontext.AppendQuote(nil, text)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s, want %s, %v", got, want, err)
			}
		}
		if back := unquote(got); back != valid {
			t.Fatalf("%q came back as %q", valid, back)
		}
	})
}

// A JSON string of any form is read as a general decoder reads it.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`""`, `"a"`, `"a\nb\t\r\b\f\/\\\""`, `"\u00e9\ud83d\ude00\n"`, `"\ud83d"`, `"é\u0041"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		value := jsontext.Value(s)
		if !value.IsValid() || len(value) == 0 || value[0] != '"' || value[len(value)-1] != '"' {
			t.Skip()
		}
		want, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			t.Skip()
		}
		if got := unquote(value); got != string(want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
