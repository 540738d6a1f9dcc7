package words

import "golang.org/x/text/width"

// Columns is how many columns of a terminal a text takes at most: two for a character that is wide,
// or that may be, since terminals differ.
func Columns(text string) (columns int) {
	for _, r := range text {
		columns += columnsOf(r)
	}
	return columns
}

func columnsOf(r rune) int {
	if r < 0xA0 {
		return 1
	}
	const pictures = 0x1F000 // from here on nearly all are emoji
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianAmbiguous:
		return 2
	}
	if r >= pictures {
		return 2
	}
	return 1
}
