package pathname

import (
	"strings"
	"testing"

	"fsbox/sandbox/disk/fserr"
)

func TestUnfit(t *testing.T) {
	for name, want := range map[string]error{
		"a": nil, ".env": nil, "a b": nil, "é": nil, "console": nil, "\U0001f600": nil, strings.Repeat("é", 255): nil, "a\xed\xa0\x80": nil,
		"CON": fserr.NameReserved, "nul.txt": fserr.NameReserved, "COM1": fserr.NameReserved, "lpt¹": fserr.NameReserved, "CONIN$": fserr.NameReserved, "a:b": fserr.NameReserved,
		"a::$DATA": fserr.NameReserved, "a.": fserr.NameReserved, "a ": fserr.NameReserved, "...": fserr.NameReserved, "a?": fserr.NameReserved, "a<b": fserr.NameReserved,
		"a\xff": fserr.NameUnfit, strings.Repeat("a", 256): fserr.NameTooLong, strings.Repeat("\U0001f600", 128): fserr.NameTooLong,
	} {
		if got := Unfit(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
