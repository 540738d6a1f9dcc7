package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FoldName gives two names the same text if any file system treats them as one name: full case
// folding, normalised, and without the code points that HFS+, ext4 and f2fs ignore. It may equate
// more names than the file system at hand does.
func FoldName(s string) string {
	if isFolded(s) {
		return s
	}
	return norm.NFC.String(foldRunes(norm.NFD.String(s), false))
}

// isFolded is true for most names: ASCII without capitals.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || ('A' <= c && c <= 'Z') {
			return false
		}
	}
	return true
}

// foldRunes folds a decomposed text. Bytes that are not UTF-8 are kept; with all set, code points
// that file systems ignore are, too.
func foldRunes(s string, all bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf { // the same result as foldRune
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			b.WriteByte(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteByte(s[i])
		case unicode.Is(ignorable, r) && !all:
		default:
			foldRune(&b, r)
		}
		i += size
	}
	return b.String()
}

func foldRune(b *strings.Builder, r rune) {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	for _, s := range several {
		if s.letter == least {
			b.WriteString(s.letters)
			return
		}
	}
	b.WriteRune(unicode.ToLower(least))
}

// several are the letters of which full case folding makes several (CaseFolding.txt, status F),
// where decomposing doesn't do that already.
var several = [...]struct {
	letter  rune
	letters string
}{
	{'ß', "ss"}, {'ŉ', "ʼn"}, {'ẚ', "aʾ"}, {'ﬀ', "ff"}, {'ﬁ', "fi"}, {'ﬂ', "fl"}, {'ﬃ', "ffi"}, {'ﬄ', "ffl"}, {'ﬅ', "st"}, {'ﬆ', "st"},
	{'և', "եւ"}, {'ﬓ', "մն"}, {'ﬔ', "մե"}, {'ﬕ', "մի"}, {'ﬖ', "վն"}, {'ﬗ', "մխ"},
}

// ignorable are the code points that Unicode calls Default_Ignorable_Code_Point.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00AD, 0x00AD, 1}, {0x034F, 0x034F, 1}, {0x061C, 0x061C, 1}, {0x115F, 0x1160, 1}, {0x17B4, 0x17B5, 1}, {0x180B, 0x180F, 1},
		{0x200B, 0x200F, 1}, {0x202A, 0x202E, 1}, {0x2060, 0x206F, 1}, {0x3164, 0x3164, 1}, {0xFE00, 0xFE0F, 1}, {0xFEFF, 0xFEFF, 1},
		{0xFFA0, 0xFFA0, 1}, {0xFFF0, 0xFFF8, 1},
	},
	R32:         []unicode.Range32{{0x1BCA0, 0x1BCA3, 1}, {0x1D173, 0x1D17A, 1}, {0xE0000, 0xE0FFF, 1}},
	LatinOffset: 1,
}
