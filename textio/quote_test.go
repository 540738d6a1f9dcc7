package textio

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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

func TestParts(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "abcde": {"abcde"}, "abcdef": {"abcde", "f"}, "abcdé": {"abcd", "é"},
		"ab\U0001F600\U0001F600": {"ab", "\U0001F600", "\U0001F600"}, "\x80\x80\x80\x80\x80\x80": {"\x80\x80\x80\x80\x80", "\x80"}} {
		if got := slices.Collect(Parts(text, 5)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
