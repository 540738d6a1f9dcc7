package words

import "testing"

func TestLookalike(t *testing.T) {
	if a, b := len([]rune(lookalikes)), len(lookedLike); a != b {
		t.Fatalf("%d letters look like %d", a, b)
	}
	for text, want := range map[string]string{
		"k7: a": "k7: a", "K7": "k7", "\u043a7": "k7", "\uff4b\uff17": "k7", "k\u0332\u03017": "k7", "\U0001d5c4\U0001d7e9": "k7",
		"\u00e9\u00c9": "ee", "\u65e5": "\u65e5", "\u0405\u0421": "sc", "\u03b1\u0391": "aa",
	} {
		if got := Lookalike(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
