package commands

import (
	"bytes"
	"encoding/json"
	"errors"
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

// MarshalJSON is for general encoders: to them a list in parts is one list, too.
func (p parts[E]) MarshalJSON() ([]byte, error) {
	return json.Marshal(append([]E{}, slices.Concat(p...)...))
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
