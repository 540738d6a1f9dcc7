package charset

// Typewritten returns the ASCII character that replaces a typographic quote, dash, ellipsis or
// space, and how many of it; other code points are returned as they are. The ranges are those Codex
// folds when it seeks patch context.
func Typewritten(r rune) (folded rune, times int) {
	switch {
	case r < 0x80:
		return r, 1
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return '-', 1
	case r >= 0x2018 && r <= 0x201B:
		return '\'', 1
	case r >= 0x201C && r <= 0x201F:
		return '"', 1
	case r == 0x2026:
		return '.', 3
	case r == 0xA0, r >= 0x2002 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' ', 1
	}
	return r, 1
}
