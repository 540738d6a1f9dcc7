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
)

// appendJSON encodes one value.
func appendJSON(b []byte, v reflect.Value) []byte {
	out := bytes.NewBuffer(b)
	e := encoder{w: out}
	e.value(v)
	e.flush()
	return out.Bytes()
}

// MarshalJSON is for general encoders.
func (l listing[E]) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	e := encoder{w: &out}
	l.encodeTo(&e)
	e.flush()
	return out.Bytes(), e.err
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
	a := answer{Success: true, Result: GrepResult{Files: names}, Message: "m"}
	var out bytes.Buffer
	if err := a.encode(&out); err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(out.Bytes(), []byte("\n")); lines != 1 || out.Bytes()[out.Len()-1] != '\n' {
		t.Errorf("%d line ends, want one at the end", lines)
	}
	var back struct{ Result struct{ Files []string } }
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || !slices.Equal(back.Result.Files, names) {
		t.Errorf("the names didn't survive: %v", err)
	}
	if err := a.encode(&failingWriter{left: 1}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's", err)
	}
}

// A listing is written as a list of what was added, however long.
func TestListing(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5000, 20_000} {
		var l listing[listedPath]
		want := []string{}
		for i := range n {
			path := strings.Repeat("x\n", i%40)
			l.add(listedPath(path).appendJSON(nil))
			want = append(want, path)
		}
		if i := slices.IndexFunc(l, func(p piece) bool { return len(p.text) > pieceSize }); i >= 0 {
			t.Errorf("%d paths: piece %d is longer than the rest", n, i)
		}
		got := appendJSON(nil, reflect.ValueOf(struct {
			Before int                 `json:"before"`
			Files  listing[listedPath] `json:"files"`
			After  int                 `json:"after"`
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
		if got, want := string(e.appendJSON(nil)), string(appendJSON(nil, reflect.ValueOf(e))); got != want {
			t.Fatalf("%s\nby its tags:\n%s", got, want)
		}
	}
}
