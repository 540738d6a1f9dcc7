package literal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A folded search compared with the definition: every pair of characters the same under simple
// folding.
func TestFinders(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	pieces := []string{"a", "A", "k", "K", "\u212a", "s", "ſ", "ß", "ẞ", "é", "É", "σ", "ς", "Σ", "-", "日", "\xff", "\xe2\x84", "z", "Dž", "ǆ"}
	needles := []string{"a", "k", "ks", "ská", "ß", "éa", "σσ", "-", "a-", "日k", "ǆa", "zk", "z"}
	for range 3000 {
		text := randomText(r, pieces, 1+r.IntN(20))
		needle := needles[r.IntN(len(needles))]
		from := r.IntN(len(text) + 1)
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
		for _, f := range bothFinders(needle, false) {
			s, e := f.Find([]byte(text), from)
			if want := strings.Index(text[from:], needle); want < 0 && s != -1 || want >= 0 && (s != from+want || e != s+len(needle)) {
				t.Fatalf("%q in %q from %d: %d-%d, want %d", needle, text, from, s, e, want)
			}
		}
		for _, f := range bothFinders(needle, true) {
			s, e := f.Find([]byte(text), from)
			if ws, we := foldIndex(text, needle, from); s != ws || e != we {
				t.Fatalf("folded %q in %q from %d: %d-%d, want %d-%d", needle, text, from, s, e, ws, we)
			}
		}
	}
}

// bothFinders gives the finder of this machine, and that of one without AVX2.
func bothFinders(s string, fold bool) []Finder {
	plain := New(s, fold)
	switch f := plain.(type) {
	case *exact:
		f.pair = nil
	case *folded:
		f.teddy = nil
		if f.pair != nil {
			f.pair = f.pair.plain()
		}
	}
	return []Finder{New(s, fold), plain}
}

func randomText(r *rand.Rand, pieces []string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func foldIndex(text, needle string, from int) (int, int) {
	for s := from; s < len(text); {
		if e := foldPrefix(text[s:], needle); e >= 0 {
			return s, s + e
		}
		_, size := utf8.DecodeRuneInString(text[s:])
		s += size
	}
	return -1, -1
}

func foldPrefix(text, needle string) int {
	at := 0
	for _, want := range needle {
		r, size := utf8.DecodeRuneInString(text[at:])
		same := r == want
		for v := unicode.SimpleFold(r); v != r; v = unicode.SimpleFold(v) {
			same = same || v == want
		}
		if !same || r == utf8.RuneError && size <= 1 {
			return -1
		}
		at += size
	}
	return at
}

func TestFindersAtLength(t *testing.T) {
	// Frequent lead bytes, and hits across the spans that the folded search looks at.
	for _, gap := range []int{0, 1, 63, 64, 65, foldSpan - 2, foldSpan - 1, foldSpan, 3*foldSpan + 5} {
		for _, filler := range []string{"e", "needl", "N", " "} {
			text := strings.Repeat(filler, gap/len(filler)+1) + "needle" + strings.Repeat(filler, 50)
			at := len(filler) * (gap/len(filler) + 1)
			for _, fold := range []bool{false, true} {
				for _, f := range slices.Concat(bothFinders("needle", fold), bothFinders("NEEDLE", true)) {
					if s, e := f.Find([]byte(text), 0); s != at || e != at+6 {
						t.Errorf("gap %d of %q, fold %v: %d-%d, want %d", gap, filler, fold, s, e, at)
					}
				}
			}
		}
	}
}

func TestFoldOrbitsFit(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		members := 1
		for v := unicode.SimpleFold(r); v != r; v = unicode.SimpleFold(v) {
			members++
			if Fold(v) != Fold(r) {
				t.Errorf("%U and %U fold differently", r, v)
			}
			if utf8.RuneLen(v) > 3*utf8.RuneLen(r) {
				t.Errorf("%U is more than three times as long as %U", v, r)
			}
		}
		if members > maxLeads {
			t.Errorf("%U has %d variants", r, members)
		}
	}
}
