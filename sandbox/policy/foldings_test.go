package policy

import (
	"slices"
	"testing"
	"unicode"
)

// TestFoldings: every character is found by what folding makes of it.
func TestFoldings(t *testing.T) {
	checked := 0
	for c := rune(1); c <= unicode.MaxRune; c++ {
		if 0xd800 <= c && c <= 0xdfff || c == '/' || (spelling{}).Ignores(c) {
			continue
		}
		folded := []rune(spelling{}.Fold(string(c)))
		if len(folded) == 1 && folded[0] == c && (c >= 0x3400 && c < 0xa000 || c > 0x2faff) {
			continue // these take the most time
		}
		if checked++; len(folded) > mostFolded || !slices.Contains(spelling{}.From(folded), c) {
			t.Errorf("%U is folded to %U, and that isn't from it: %U", c, folded, spelling{}.From(folded))
		}
	}
	if checked < 100_000 {
		t.Errorf("%d characters checked", checked)
	}
}
