package textio

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAppendQuoted(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", `""`},
		{"a b", `"a b"`},
		{`a"b\c/d`, `"a\"b\\c/d"`},
		{"a\nb\r\tc", `"a\nb\r\tc"`},
		{"\x00\x1b", `"\u0000\u001b"`},
		{"<a>&'", `"<a>&'"`},
		{"é世😀", `"é世😀"`},
		{"\ufffd", `"` + "\ufffd" + `"`},
		{"a\xffb", `"a` + "\ufffd" + `b"`},
		{"\xc3", `"` + "\ufffd" + `"`},
		{"\"\xff\"\n", `"\"` + "\ufffd" + `\"\n"`},
	} {
		if got := string(AppendQuoted(nil, tt.text)); got != tt.want {
			t.Errorf("%q is written as %s, want %s", tt.text, got, tt.want)
		}
	}
}

// plainLen finds the first byte that needs an escape, in text of any length, at any place.
func TestPlainLen(t *testing.T) {
	for n := range 20 {
		for at := range n {
			for c := range 256 {
				text := []byte(strings.Repeat("~", n))
				text[at] = byte(c)
				if at+2 < n {
					text[at+2] = '"'
				}
				want := n
				if i := bytes.IndexFunc(text, func(r rune) bool { return r < ' ' || r >= utf8.RuneSelf || r == '"' || r == '\\' }); i >= 0 {
					want = i
				}
				if got := plainLen(string(text)); got != want {
					t.Fatalf("%q: %d, want %d", text, got, want)
				}
			}
		}
	}
}

// Text is quoted as a general encoder quotes it, and comes back the same.
func FuzzQuoted(f *testing.F) {
	for c := range 256 {
		f.Add("abcdefgh" + string([]byte{byte(c)}) + "\n/ü\u2028\U0001f600")
	}
	f.Add("\xff\xfe\xed\xa0\x80 \xf0\x9f\x98")
	f.Fuzz(func(t *testing.T, text string) {
		got := AppendQuoted([]byte("x"), text)[1:]
		valid := strings.ToValidUTF8(text, "\ufffd")
		if utf8.ValidString(text) {
			want, err := jsontext.AppendQuote(nil, text)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s, want %s, %v", got, want, err)
			}
		}
		if back := Unquote(got); back != valid {
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
		if got := Unquote(value); got != string(want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
