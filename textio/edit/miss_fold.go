package edit

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/lines"

	"golang.org/x/text/unicode/norm"
)

// How a region differs from the expected text: the reasons of a MatchNotFoundError.
const (
	ClosestTrailingBlanks = "trailing_blanks" // only in blanks at line ends
	ClosestIndentation    = "indentation"     // only in blanks at line starts
	ClosestBlanks         = "blanks"          // only in blanks and line ends
	ClosestUnicode        = "unicode"         // also in typographic quotes, dashes, spaces, or in how accents are composed
	ClosestCase           = "case"            // also in upper and lower case
	ClosestFinalNewline   = "final_newline"   // only in the newline at the end of the file
	ClosestContent        = "content"         // in what it says
	ClosestWholeWord      = "whole_word"      // in nothing, but it is next to a character of a word
)

// foldReason returns the mildest reason for which region and expected differ: that of the first
// folding under which region holds expected, or whole lines of region are those of expected.
func foldReason(region, expected []byte, whole bool) string {
	region, expected = lines.WithLF(region), lines.WithLF(expected)
	for _, step := range [...]struct {
		reason string
		fold   func([]byte) []byte
	}{
		{ClosestTrailingBlanks, trimLineEnds},
		{ClosestIndentation, trimLineStarts},
		{ClosestBlanks, removeBlanks},
		{ClosestUnicode, foldTypography},
		{ClosestCase, foldCase},
	} {
		switch {
		case !whole:
			if holdsFolded(region, expected, step.fold) {
				return step.reason
			}
		case bytes.Contains(foldWhole(region, step.fold, step.reason), foldWhole(expected, step.fold, step.reason)):
			return step.reason
		}
	}
	return ClosestContent
}

// holdsFolded reports whether region holds expected under a folding, which may drop line ends. A
// line end at the start or end of expected must be one in region as well: "b = 2" and a line end is
// not in "b = 2;".
func holdsFolded(region, expected []byte, fold func([]byte) []byte) bool {
	folded, want := fold(region), fold(expected)
	begins, ends := edgeIsLineEnd(expected)
	if !begins && !ends || bytes.Contains(want, lines.LF) {
		return bytes.Contains(folded, want)
	}
	bounds := map[int]bool{0: true} // of lines, in folded
	at := 0
	for line := range bytes.Lines(region) {
		at += len(fold(line))
		bounds[at] = true
	}
	for from := 0; len(want) > 0; from++ {
		n := bytes.Index(folded[from:], want)
		if n < 0 {
			return false
		}
		from += n
		if (!begins || bounds[from]) && (!ends || bounds[from+len(want)]) {
			return true
		}
	}
	return false
}

// edgeIsLineEnd reports a text that begins, or ends, with a line end, blanks apart.
func edgeIsLineEnd(text []byte) (begins, ends bool) {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), lines.LF), bytes.HasSuffix(bytes.TrimRight(text, " \t"), lines.LF)
}

// foldWhole folds line by line, and puts a line end before and after each line. Lines of blanks
// only are left out where blanks don't count.
func foldWhole(text []byte, fold func([]byte) []byte, reason string) []byte {
	out := []byte{'\n'}
	for line := range bytes.Lines(text) {
		line = fold(bytes.TrimSuffix(line, lines.LF))
		if len(line) == 0 && reason != ClosestTrailingBlanks && reason != ClosestIndentation {
			continue
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

func trimLineEnds(text []byte) []byte {
	return mapLines(text, func(line []byte) []byte { return bytes.TrimRight(line, " \t\r") })
}

func trimLineStarts(text []byte) []byte {
	return mapLines(text, func(line []byte) []byte { return bytes.TrimLeft(line, " \t") })
}

func mapLines(text []byte, f func([]byte) []byte) []byte {
	list := bytes.Split(text, lines.LF)
	for i, line := range list {
		list[i] = f(line)
	}
	return bytes.Join(list, lines.LF)
}

func removeBlanks(text []byte) []byte {
	return mapRunes(text, func(r rune) rune { return r })
}

func foldTypography(text []byte) []byte { return removeBlanks(foldLine(norm.NFC.Bytes(text))) }

func foldCase(text []byte) []byte { return mapRunes(foldLine(norm.NFC.Bytes(text)), unicode.ToLower) }

// mapRunes maps each code point and drops the blanks; invalid bytes stay.
func mapRunes(text []byte, f func(rune) rune) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			out = append(out, text[0])
		} else if r = f(r); !asciiBlank(r) {
			out = utf8.AppendRune(out, r)
		}
		text = text[size:]
	}
	return out
}

func asciiBlank(r rune) bool { return r == ' ' || (r >= '\t' && r <= '\r') }

// foldLine folds each code point; invalid bytes stay. Text in ASCII is returned as it is.
func foldLine(text []byte) []byte {
	n := charset.ASCIIRun(text)
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
		out, size = appendFolded(out, text)
		text = text[size:]
		n = charset.ASCIIRun(text)
	}
}

// appendFolded folds the first code point of text and tells its length in bytes.
func appendFolded(out, text []byte) (_ []byte, size int) {
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 {
		return append(out, text[0]), 1
	}
	r, times := foldRune(r)
	for range times {
		out = utf8.AppendRune(out, r)
	}
	return out, size
}

// foldRune returns the ASCII character that replaces a typographic quote, dash, ellipsis or space,
// and how many of it; other code points are returned as they are. The ranges are those Codex folds
// when it seeks patch context.
func foldRune(r rune) (folded rune, times int) {
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

// maxComposed bounds the lines that composed looks at, in bytes.
const maxComposed = 64 << 10

// composed returns a line with its accents as one code point where they can be, so that lines which
// look alike are alike. Lines in ASCII, and very long ones, are returned as they are.
func composed(line []byte) []byte {
	if len(line) > maxComposed || charset.ASCIIRun(line) == len(line) || norm.NFC.IsNormal(line) {
		return line
	}
	return norm.NFC.Bytes(line)
}

// lineHash identifies a line regardless of blanks, case, typography and the form of accents, by
// FNV-1a over what is left; 0 if nothing is. Collisions only cost quality.
func lineHash(line []byte) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	hash := uint64(offset)
	line = composed(line)
	for i := 0; i < len(line); {
		c := line[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(line[i:])
			i += size
			folded, times := foldRune(r)
			for range times {
				if folded = unicode.ToLower(folded); !asciiBlank(folded) {
					hash = (hash ^ uint64(folded)) * prime
				}
			}
			continue
		}
		i++
		if c = lowerByte(c); c != 0 {
			hash = (hash ^ uint64(c)) * prime
		}
	}
	if hash == offset {
		return 0
	}
	return hash
}

// lowerByte returns c in lower case if it is an ASCII letter, and 0 for blanks and control
// characters.
func lowerByte(c byte) byte {
	switch {
	case c <= ' ':
		return 0
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	}
	return c
}
