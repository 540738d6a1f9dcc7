package edit

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"fsbox/textio/lines"
	"fsbox/textio/nearest"
)

// comparison compares an expected text that an edit doesn't find with the file.
type comparison struct{ nearest.Comparison }

// snippetChars is how many code points a line has in an error about several places.
const snippetChars = 200

// missError builds the diagnosis of an edit that matches nowhere in text.
func missError(ctx context.Context, index int, text []byte, edit Edit) *MatchNotFoundError {
	e := &MatchNotFoundError{Edit: index, AlreadyApplied: hasReplacement(text, edit)}
	if !edit.Lenient {
		e.Lenient = lenientTier(ctx, text, edit)
	}
	c := comparison{nearest.Comparison{Ctx: ctx, File: lines.Split(text), Expected: lines.Split(edit.Expected)}}
	if edit.WholeWord {
		if e.Closest, e.NextToWord = c.nextToWords(edit); e.NextToWord > 0 {
			e.Reason = nearest.WholeWord
			return e
		}
	}
	if e.Lenient == "" {
		if e.Closest, e.Reason = c.mangled(); e.Reason != "" {
			return e
		}
	}
	if ctx.Err() != nil {
		return e
	}
	var at nearest.Point
	e.Closest, e.Reason, at = c.Nearest()
	if e.Reason == nearest.Blanks {
		e.BlankSent, e.BlankFound = at.BlankLine()
	}
	e.GoesOn = e.Reason == nearest.Content && at.GoesOn()
	return e
}

// hasReplacement reports whether the replacement is in the text, in one place. One that is a part
// of the expected text must fill whole lines, because any remnant of the old text would contain it.
func hasReplacement(text []byte, edit Edit) bool {
	replacement := lines.WithLF(edit.Replacement)
	if bytes.Contains(lines.WithLF(edit.Expected), replacement) {
		return HasLines(text, bytes.Trim(replacement, "\n"))
	}
	return IsTelling(replacement) && isOnce(lines.WithLF(text), replacement)
}

// HasLines reports whether a text has the lines of block, in one place, LF and CRLF being the same.
func HasLines(text, block []byte) bool {
	if !IsTelling(block) {
		return false
	}
	text, block = lines.WithLF(text), bytes.TrimSuffix(lines.WithLF(block), lines.LF)
	between := slices.Concat(lines.LF, block, lines.LF)
	first, rest := between[1:], between[:len(between)-1]
	places := 0
	for _, has := range [...]bool{bytes.Equal(text, block), bytes.HasPrefix(text, first), bytes.HasSuffix(text, rest)} {
		if has {
			places++
		}
	}
	if at := bytes.Index(text, between); at >= 0 {
		if places++; bytes.Contains(text[at+1:], between) {
			places++
		}
	}
	return places == 1
}

// isOnce reports whether a text has a part in one place: what is in several is common, and shows
// nothing.
func isOnce(text, part []byte) bool {
	first := bytes.Index(text, part)
	return first >= 0 && !bytes.Contains(text[first+1:], part)
}

// IsTelling reports whether a text is long enough to be recognised: a shorter one is found nearly
// everywhere.
func IsTelling(text []byte) bool { return utf8.RuneCount(bytes.TrimSpace(text)) >= 4 }

// Snippets returns the line where each span begins, between its neighbours.
func Snippets(file lines.Text, spans []Span) []string {
	snippets := make([]string, 0, len(spans))
	for _, span := range spans {
		var list []string
		first := file.Count() // behind the last line
		if span.Start < len(file.Bytes) || first > 0 && !file.Ended(first-1) {
			first = file.At(span.Start)
		}
		for n := max(first-1, 0); n <= first || n < min(first+2, file.Count()); n++ {
			line, at := file.Line(n), 0
			if n == first {
				at = min(len(line), span.Start-file.Offset(n))
			}
			list = append(list, nearest.Excerpt(line, at, snippetChars))
		}
		snippets = append(snippets, strings.Join(list, "\n"))
	}
	return snippets
}
