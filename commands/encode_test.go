package commands

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/grep"
	"fsbox/commands/request"
	"fsbox/textio"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// asJSON is a part of an answer as JSON.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return string(b)
}

// lineOf is an answer as a line of JSON.
func lineOf(a answer.Answer) string {
	var out strings.Builder
	_ = answer.NewOutput(&out, answer.FormatJSON, false, answer.Bound{}, nil).Answer(a) // a builder takes everything
	return out.String()
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
	a := answer.Answer{Success: true, Result: grep.Result{Files: names}, Message: "m"}
	line := lineOf(a)
	if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
		t.Errorf("%d line ends, want one at the end", strings.Count(line, "\n"))
	}
	var back struct{ Result grep.Result }
	err := json.Unmarshal([]byte(line), &back, json.MatchCaseInsensitiveNames(true))
	if err != nil || !slices.Equal(back.Result.Files, names) {
		t.Errorf("the names didn't survive: %v", err)
	}
	if err := answer.NewOutput(&failingWriter{left: 1}, answer.FormatJSON, false, answer.Bound{}, nil).Answer(a); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's", err)
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
		want, _ := jsontext.AppendQuote(nil, text) // the error is about bytes that aren't UTF-8
		if !bytes.Equal(got, want) {
			t.Fatalf("%s, want %s", got, want)
		}
		if valid := string([]rune(text)); request.Unquoted(got) != valid {
			t.Fatalf("%q came back as %q", valid, request.Unquoted(got))
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
		if got := request.Unquoted(value); got != string(want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
