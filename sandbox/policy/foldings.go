package policy

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// spelling is the wildcard.Spelling of names that some file system treats as one. The folded form
// is FoldName's, but decomposed.
type spelling struct{}

func (spelling) Fold(text string) string { return foldRunes(norm.NFD.String(text), false) }

func (spelling) Ignores(c rune) bool { return c >= utf8.RuneSelf && unicode.Is(ignorable, c) }

func (spelling) Most() int { return mostFolded }

// mostFolded is how many characters folding makes of one at most.
const mostFolded = 4

func (spelling) From(seq []rune) []rune {
	folded := string(seq)
	if len(folded) > len(seq) { // not ASCII
		all := append([]rune(nil), foldings()[folded]...)
		if c, size := utf8.DecodeRuneInString(norm.NFC.String(folded)); size == len(norm.NFC.String(folded)) {
			all = append(all, c)
		}
		return all
	}
	var all []rune
	if len(seq) == 1 {
		for c := unicode.SimpleFold(seq[0]); c != seq[0]; c = unicode.SimpleFold(c) {
			all = append(all, c)
		}
		switch seq[0] { // the only ones that only decomposing makes ASCII
		case ';':
			all = append(all, '\u037e')
		case '`':
			all = append(all, '\u1fef')
		}
		return append(all, seq[0])
	}
	for _, s := range several {
		if s.letters == folded {
			all = append(all, s.letter)
			for c := unicode.SimpleFold(s.letter); c != s.letter; c = unicode.SimpleFold(c) {
				all = append(all, c)
			}
		}
	}
	return all
}

// foldings are the characters that folding changes, by what it makes of them, except the syllables
// of Korean. It takes some milliseconds, and only for names with such characters.
var foldings = sync.OnceValue(func() map[string][]rune {
	all := map[string][]rune{}
	for _, some := range [...][2]rune{{utf8.RuneSelf, 0x33ff}, {0xa000, 0xabff}, {0xf900, 0xffff}, {0x10400, 0x11fff}, {0x16000, 0x16fff},
		{0x1d000, 0x1efff}, {0x2f800, 0x2faff}} {
		for c := some[0]; c <= some[1]; c++ {
			var b strings.Builder
			for _, part := range norm.NFD.String(string(c)) {
				foldRune(&b, part)
			}
			if folded := b.String(); folded != string(c) {
				all[folded] = append(all[folded], c)
			}
		}
	}
	return all
})
