package words

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Lookalike writes a text in small letters and digits of ASCII, as far as its characters look like
// these: wide, bold and accented forms, and letters of other scripts.
func Lookalike(text string) string {
	plain := true
	for i := range len(text) {
		plain = plain && text[i] < 0x80
	}
	if plain {
		return strings.ToLower(text)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		r = unicode.ToLower(r)
		if at := strings.IndexRune(lookalikes, r); at >= 0 {
			return rune(lookedLike[len([]rune(lookalikes[:at]))])
		}
		return r
	}, norm.NFKD.String(text))
}

// Letters of Cyrillic, Greek and others, and below each what it looks like.
const (
	lookalikes = "авсԁеғɡһіјкӏмпорԛгѕтцѵѡхуᴢзбαεκνρτυχγηωʀꜱ"
	lookedLike = "abcdefghijklmnopqrstuvwxyz36aekvptuxynwrs"
)
