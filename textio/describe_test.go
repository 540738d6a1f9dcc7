package textio

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/textio/charset"
)

var describeTests = []struct {
	name, content, encoding string
	want                    Facts
}{
	{"empty", "", "utf-8", Facts{"utf-8", false, "none", false, 0, "none"}},
	{"one newline", "\n", "utf-8", Facts{"utf-8", false, "lf", true, 1, "none"}},
	{"lf", "a\nb\n", "utf-8", Facts{"utf-8", false, "lf", true, 2, "none"}},
	{"no final newline", "a\nb", "utf-8", Facts{"utf-8", false, "lf", false, 2, "none"}},
	{"crlf", "a\r\nb\r\n", "utf-8", Facts{"utf-8", false, "crlf", true, 2, "none"}},
	{"mixed", "a\r\nb\n", "utf-8", Facts{"utf-8", false, "mixed", true, 2, "none"}},
	{"cr", "a\rb\r", "utf-8", Facts{"utf-8", false, "cr", false, 1, "none"}},
	{"lone cr among lf", "a\rb\nc\n", "utf-8", Facts{"utf-8", false, "lf", true, 2, "none"}},
	{"bom", "\xef\xbb\xbfa\n", "utf-8", Facts{"utf-8", true, "lf", true, 1, "none"}},
	{"bom alone", "\xef\xbb\xbf", "utf-8", Facts{"utf-8", true, "none", false, 0, "none"}},
	{"latin1", "caf\xe9\n", "utf-8", Facts{"unknown-8bit", false, "lf", true, 1, "none"}},
	{"latin1 by name", "caf\xe9\n", "latin1", Facts{"windows-1252", false, "lf", true, 1, "none"}},
	{"utf-16le", "\xff\xfea\x00\r\x00\n\x00 \x00 \x00b\x00", "utf-16le", Facts{"utf-16le", true, "crlf", false, 2, "spaces:2"}},
	{"utf-16be with 0x0a in a character", "\x0a\x05\x00\x0a", "utf-16be", Facts{"utf-16be", false, "lf", true, 1, "none"}},
	{"utf-32be", "\x00\x00\xfe\xff\x00\x00\x00a\x00\x00\x00\n", "utf-32be", Facts{"utf-32be", true, "lf", true, 1, "none"}},
	{"tabs", "a\n\tb\n\t\tc\n", "utf-8", Facts{"utf-8", false, "lf", true, 3, "tab"}},
	{"spaces 4", "a\n    b\n        c\n    d\n", "utf-8", Facts{"utf-8", false, "lf", true, 4, "spaces:4"}},
	{"spaces 2", "a\n  b\n    c\n  d\n    e\n", "utf-8", Facts{"utf-8", false, "lf", true, 5, "spaces:2"}},
	{"mixed indent", "\ta\n  b\n", "utf-8", Facts{"utf-8", false, "lf", true, 2, "mixed"}},
	{"comment and tabs", "/*\n * x\n */\n\ta\n", "utf-8", Facts{"utf-8", false, "lf", true, 4, "tab"}},
	{"blank lines", "  \n\t\n   \r\n", "utf-8", Facts{"utf-8", false, "mixed", true, 3, "none"}},
	{"deep block", strings.Repeat(" ", 20) + "a\n", "utf-8", Facts{"utf-8", false, "lf", true, 1, "spaces:8"}},
	{"one stray line", strings.Repeat("\ta\n", 20) + "  b\n", "utf-8", Facts{"utf-8", false, "lf", true, 21, "tab"}},
	{"form feed", "a\fb\n", "utf-8", Facts{"utf-8", false, "lf", true, 1, "none"}},
}

func TestDescribe(t *testing.T) {
	for _, test := range describeTests {
		e := encoded(t, test.encoding)
		if got := Describe([]byte(test.content), e); got != test.want {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
	if got := Describe([]byte("a"), nil).Encoding; got != "utf-8" {
		t.Errorf("without an encoding: %q", got)
	}
}

func FuzzDescribe(f *testing.F) {
	for _, test := range describeTests {
		f.Add([]byte(test.content), test.encoding)
	}
	f.Fuzz(func(t *testing.T, b []byte, label string) {
		e, ok := charset.Lookup(label)
		if !ok {
			t.Skip()
		}
		facts := Describe(b, e)
		if e.Name() != "utf-8" {
			return
		}
		text := bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
		if facts.BOM != (len(text) < len(b)) || (facts.Encoding == "utf-8") != utf8.Valid(text) {
			t.Fatalf("%+v", facts)
		}
		if lines := int64(len(bytes.SplitAfter(text, []byte("\n")))); facts.FinalNewline || len(text) == 0 {
			if facts.Lines != lines-1 {
				t.Fatalf("%d lines, want %d", facts.Lines, lines-1)
			}
		} else if facts.Lines != lines {
			t.Fatalf("%d lines, want %d", facts.Lines, lines)
		}
	})
}

// encoded is the encoding of that name.
func encoded(t testing.TB, label string) *charset.Encoding {
	t.Helper()
	e, ok := charset.Lookup(label)
	if !ok {
		t.Fatalf("no encoding %q", label)
	}
	return e
}
