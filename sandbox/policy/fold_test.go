package policy

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Names are the same if full case folding or normalisation makes them the same.
func TestFoldName(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	fold := cases.Fold()
	for r := rune(1); r <= utf8.MaxRune; r++ {
		if 0xD800 <= r && r < 0xE000 || r > 0x20000 && r>>12 != 0xE0 && r%64 != 0 { // those have neither case nor accents
			continue
		}
		text := string(r)
		for _, other := range []string{fold.String(text), norm.NFC.String(text), norm.NFD.String(text), norm.NFD.String(fold.String(text))} {
			if FoldName(other) != FoldName(text) {
				t.Errorf("%U is %q, and %q is %q", r, FoldName(text), other, FoldName(other))
			}
		}
		if twice := FoldName(FoldName(text)); twice != FoldName(text) {
			t.Errorf("%U is %q, and then %q", r, FoldName(text), twice)
		}
		if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && FoldName(text) != "" {
			t.Errorf("%U counts", r)
		}
	}
	for text, want := range map[string]string{
		"Makefile": "makefile", "a/B c": "a/b c", ".e\u200bnv": ".env", ".\u00adenv": ".env", "\ufeff.env": ".env", "id_rſa": "id_rsa",
		"\u212aey": "key", "STRASSE": "strasse", "Straße": "strasse", "e\u0301": "\u00e9", "\u00c9": "\u00e9", "a\xffB": "a\xffb",
		"\xc3\xc9é": "\xc3\xc9é", "": "",
		"／＊": "／＊", "❤\ufe0f": "❤", "ΣΑΣ": "σας",
	} {
		if text == "ΣΑΣ" {
			if FoldName(text) != FoldName(want) {
				t.Errorf("%q and %q differ", text, want)
			}
			continue
		}
		if got := FoldName(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
