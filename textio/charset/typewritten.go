package charset

import "unicode/utf8"

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

// FoldLine folds each code point as Typewritten does; invalid bytes stay. Text in ASCII is returned
// as it is.
func FoldLine(text []byte) []byte {
	n := ASCIIRun(text)
	if n == len(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	for {
		out = append(out, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			return out
		}
		size := 0
		out, size = AppendTypewritten(out, text)
		text = text[size:]
		n = ASCIIRun(text)
	}
}

// AppendTypewritten appends the first code point of text as Typewritten folds it, and tells its
// length in bytes.
func AppendTypewritten(out, text []byte) (_ []byte, size int) {
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 {
		return append(out, text[0]), 1
	}
	r, times := Typewritten(r)
	for range times {
		out = utf8.AppendRune(out, r)
	}
	return out, size
}
