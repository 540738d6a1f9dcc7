package textio

import (
	"bytes"
	"errors"
	"testing"

	"fsbox/textio/charset"
)

// What Open gives, Close undoes, byte by byte.
func TestFormOpenClose(t *testing.T) {
	for _, tt := range []struct{ name, content, text string }{
		{"utf-8", "é\n", "é\n"},
		{"utf-8 with a mark, which is part of the text", "\xef\xbb\xbfa", "\xef\xbb\xbfa"},
		{"not utf-8", "caf\xe9", "caf\xe9"},
		{"utf-16le", "\xff\xfea\x00", "a"},
		{"a lone surrogate", "\xfe\xff\xd8\x00", "\xed\xa0\x80"},
	} {
		form := FormOf(charset.Sniff([]byte(tt.content)), nil)
		text, ok := form.Open([]byte(tt.content))
		if !ok || string(text) != tt.text {
			t.Errorf("%s: %q, %v", tt.name, text, ok)
		}
		if back, err := form.Close(text); err != nil || string(back) != tt.content {
			t.Errorf("%s: back as %q, %v", tt.name, back, err)
		}
	}
	if _, ok := FormOf(charset.Sniff([]byte("\xff\xfea")), nil).Open([]byte("\xff\xfea")); ok {
		t.Error("half a unit was opened")
	}
}

func TestCompose(t *testing.T) {
	utf16, _ := charset.Lookup("utf-16le")
	latin, _ := charset.Lookup("latin1")
	for _, tt := range []struct {
		name, asked, old string
		want             Want
		content          string
		encoding, eol    string
	}{
		{"new", "a\n", "", Want{EOL: "auto"}, "a\n", "utf-8", "lf"},
		{"line ends of the old text", "a\n", "b\r\n", Want{EOL: "auto"}, "a\r\n", "utf-8", "crlf"},
		{"line ends asked for", "a\n", "b\n", Want{EOL: "crlf"}, "a\r\n", "utf-8", "crlf"},
		{"encoding of the old text", "a\n", "\xff\xfeb\x00", Want{EOL: "auto"}, "\xff\xfea\x00\n\x00", "utf-16le", "lf"},
		{"encoding asked for", "é", "", Want{Encoding: latin, EOL: "auto"}, "\xe9", "windows-1252", "none"},
		{"a wide one gets its mark", "a", "", Want{Encoding: utf16, EOL: "auto"}, "\xff\xfea\x00", "utf-16le", "none"},
		{"bytes, as they are", "\ufeffa\n", "\xff\xfeb\x00\n\x00\r\x00", Want{EOL: "auto", Bytes: true}, "\ufeffa\n", "utf-8", "lf"},
		{"no text, as it is", "caf\xe9\r\n", "b\n", Want{EOL: "auto"}, "caf\xe9\r\n", "unknown-8bit", "crlf"},
		{"no text, line ends asked for", "caf\xe9\r\n", "b\n", Want{EOL: "lf"}, "caf\xe9\n", "unknown-8bit", "lf"},
		{"binary", "\x00\n", "b\n", Want{EOL: "auto"}, "\x00\n", "binary", "none"},
		{"instead of binary", "a\n", "\x00\r\n", Want{EOL: "auto"}, "a\n", "utf-8", "lf"},
	} {
		c, err := Compose([]byte(tt.asked), []byte(tt.old), tt.want)
		if err != nil || string(c.Content) != tt.content || c.Encoding != tt.encoding || c.EOL != tt.eol {
			t.Errorf("%s: %q in %s with %s, %v", tt.name, c.Content, c.Encoding, c.EOL, err)
		}
	}
	var invalid *InvalidTextError
	if _, err := Compose([]byte("\xff\xfea"), nil, Want{EOL: "lf"}); !errors.As(err, &invalid) || invalid.Encoding != "utf-16le" {
		t.Errorf("half a unit: %v", err)
	}
	var lacks *charset.UnencodableError
	if _, err := Compose([]byte("漢"), nil, Want{Encoding: latin, EOL: "auto"}); !errors.As(err, &lacks) || lacks.Encoding != "windows-1252" {
		t.Errorf("a character that the encoding lacks: %v", err)
	}
}

func TestAddToCutFile(t *testing.T) {
	edges := Edges{Head: []byte("\xff\xfea"), Tail: []byte("\xff\xfea"), Size: 3}
	var invalid *InvalidTextError
	if _, err := Add([]byte("b"), edges, Want{EOL: "auto"}, false); !errors.As(err, &invalid) {
		t.Errorf("half a unit: %v", err)
	}
	edges = Edges{Head: []byte("\xff\xfea\x00"), Tail: []byte("\xff\xfea\x00"), Size: 4}
	add, err := Add([]byte("b"), edges, Want{EOL: "auto"}, true)
	if err != nil || !bytes.Equal(add.Data, []byte("\n\x00b\x00")) || add.Joined {
		t.Errorf("on a line of its own: %q, %v", add.Data, err)
	}
}
