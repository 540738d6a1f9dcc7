package nearest

import (
	"bytes"
	"context"
	"unicode"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/lines"

	"golang.org/x/text/unicode/norm"
)

// How a region differs from the expected text: the reasons of a MatchNotFoundError.
const (
	TrailingBlanks = "trailing_blanks" // only in blanks at line ends
	Indentation    = "indentation"     // only in blanks at line starts
	Blanks         = "blanks"          // only in blanks and line ends
	Unicode        = "unicode"         // also in typographic quotes, dashes, spaces, or in how accents are composed
	Case           = "case"            // also in upper and lower case
	FinalNewline   = "final_newline"   // only in the newline at the end of the file
	Content        = "content"         // in what it says
	WholeWord      = "whole_word"      // in nothing, but it is next to a character of a word
)

// folding makes texts the same that differ only for its reason, or for a milder one.
type folding struct {
	reason string
	fold   func(out, line []byte) []byte // appends a line, given without its line end
	joins  bool                          // line ends count as blanks
}

// foldReason returns the mildest reason for which region and expected differ: that of the first
// folding under which region holds expected, or whole lines of region are those of expected.
func foldReason(ctx context.Context, region, expected []byte, whole bool) string {
	region, expected = lines.WithLF(region), lines.WithLF(expected)
	for _, f := range foldings() {
		if ctx.Err() == nil && f.holds(region, expected, whole) {
			return f.reason
		}
	}
	return Content
}

// foldings are all of them, the mildest first.
func foldings() [5]folding {
	return [...]folding{
		{TrailingBlanks, func(out, line []byte) []byte { return append(out, bytes.TrimRight(line, " \t\r")...) }, false},
		{Indentation, func(out, line []byte) []byte { return append(out, bytes.TrimLeft(line, " \t")...) }, false},
		{Blanks, func(out, line []byte) []byte { return squeeze(out, line, false) }, true},
		{Unicode, func(out, line []byte) []byte { return squeeze(out, typewritten(line), false) }, true},
		{Case, normal, true},
	}
}

// holds reports whether region holds expected under the folding. A line end at the start or end of
// expected must be one in region as well: "b = 2" and a line end is not in "b = 2;".
func (f folding) holds(region, expected []byte, whole bool) bool {
	folded, bounds := f.text(region, whole)
	want, _ := f.text(expected, whole)
	begins := f.joins && !whole && bytes.HasPrefix(bytes.TrimLeft(expected, " \t"), lines.LF)
	ends := f.joins && !whole && bytes.HasSuffix(bytes.TrimRight(expected, " \t"), lines.LF)
	for from := 0; from <= len(folded); from++ {
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

// text folds a text line by line; bounds has the offsets in folded at which lines begin and end.
// With whole, a line end comes before and after each line, and lines of blanks only are left out
// where line ends count as blanks.
func (f folding) text(text []byte, whole bool) (folded []byte, bounds map[int]bool) {
	bounds = map[int]bool{}
	if whole {
		folded = append(folded, '\n')
	}
	for line := range bytes.Lines(text) {
		start := len(folded)
		body, ended := bytes.CutSuffix(line, lines.LF)
		folded = f.fold(folded, body)
		bounds[start] = true
		if start < len(folded) && folded[start] == ' ' {
			bounds[start+1] = true // the line begins after the blank that squeeze puts before it
		}
		if whole && !(f.joins && start == len(folded)) || !whole && !f.joins && ended {
			folded = append(folded, '\n')
		}
	}
	bounds[len(folded)] = true
	return folded, bounds
}

// squeeze appends a line without its blanks, with lower in lower case. One blank is left between
// two characters of words, also between the last one in out and the line: "no table" is not "not
// able". Invalid bytes stay.
func squeeze(out, line []byte, lower bool) []byte {
	last, _ := utf8.DecodeLastRune(out)
	for blank := true; len(line) > 0; {
		r, size := rune(line[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(line)
		}
		char := line[:size]
		line = line[size:]
		if r == ' ' || (r >= '\t' && r <= '\r') {
			blank = true
			continue
		}
		if lower {
			r = unicode.ToLower(r)
		}
		if blank && charset.IsWord(last) && charset.IsWord(r) {
			out = append(out, ' ')
		}
		last, blank = r, false
		if r == utf8.RuneError {
			out = append(out, char...)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// maxComposed bounds the lines of which accents are put together, in bytes.
const maxComposed = 64 << 10

// typewritten is a line with typography as ASCII, and accents as one code point where they can be.
// Accents of very long lines stay as they are.
func typewritten(line []byte) []byte {
	if len(line) <= maxComposed && !charset.IsASCII(line) {
		line = norm.NFC.Bytes(line)
	}
	return charset.FoldLine(line)
}

// normal appends what of a line a reader would notice: no blanks but those between words, all in
// lower case, and typewritten.
func normal(out, line []byte) []byte { return squeeze(out, typewritten(line), true) }

// isNormal reports whether the normal form of a line is key.
func isNormal(line, key []byte) bool { return bytes.Equal(normal(nil, line), key) }
