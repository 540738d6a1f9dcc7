package dir

import (
	"strings"
	"testing"
)

func TestUnfit(t *testing.T) {
	for name, want := range map[string]error{
		"a": nil, ".env": nil, "a b": nil, "é": nil, "console": nil, "\U0001f600": nil, strings.Repeat("é", 255): nil, "a\xed\xa0\x80": nil,
		"CON": NameReserved, "nul.txt": NameReserved, "COM1": NameReserved, "lpt¹": NameReserved, "CONIN$": NameReserved, "a:b": NameReserved,
		"a::$DATA": NameReserved, "a.": NameReserved, "a ": NameReserved, "...": NameReserved, "a?": NameReserved, "a<b": NameReserved,
		"a\xff": NameUnfit, strings.Repeat("a", 256): NameTooLong, strings.Repeat("\U0001f600", 128): NameTooLong,
	} {
		if got := Unfit(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
