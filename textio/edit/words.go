package edit

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"fsbox/textio/charset"
	"fsbox/textio/lines"
	"fsbox/textio/nearest"
)

// isWholeWord reports whether no character of a word is next to a place. A place that begins with a
// line end begins with all of it: what comes before a CRLF counts, not its carriage return.
func isWholeWord(text []byte, start, end int) bool {
	if start > 0 && start < end && text[start] == '\n' && text[start-1] == '\r' {
		start--
	}
	return charset.IsWholeWord(text, start, end)
}

// LongerWords describes places where an edit of all places, without WholeWord, changed a part of a
// longer word. Count is how many such places there are; Words has the first different words, at
// most MaxLongerWords, and More says that there are others.
type LongerWords struct {
	Count int
	Words []LongerWord
	More  bool
}

// LongerWord is a word, cut to some 80 code points, and the 1-based line of the first place in it.
type LongerWord struct {
	Word string
	Line int64
}

// MaxLongerWords is how many longer words are named.
const MaxLongerWords = 5

// longerWords collects the places that are parts of longer words.
type longerWords struct {
	text  []byte
	found LongerWords
	spans []Span // the first place in each of the words
}

// see looks at one place.
func (l *longerWords) see(span Span) {
	if !isPartOfWord(l.text, span) {
		return
	}
	l.found.Count++
	if l.found.More {
		return
	}
	switch word := wordAround(l.text, span); {
	case slices.ContainsFunc(l.found.Words, func(known LongerWord) bool { return known.Word == word }):
	case len(l.found.Words) == MaxLongerWords:
		l.found.More = true
	default:
		l.found.Words, l.spans = append(l.found.Words, LongerWord{Word: word}), append(l.spans, span)
	}
}

func (l *longerWords) result() LongerWords {
	for i, line := range spanLines(l.text, l.spans) {
		l.found.Words[i].Line = line
	}
	return l.found
}

// isPartOfWord reports whether a place begins or ends within a word. An end of the place that is no
// character of a word, such as a bracket after a name, isn't within one.
func isPartOfWord(text []byte, span Span) bool {
	isWord := func(r rune, _ int) bool { return charset.IsWord(r) }
	return isWord(utf8.DecodeLastRune(text[:span.Start])) && isWord(utf8.DecodeRune(text[span.Start:span.End])) ||
		isWord(utf8.DecodeLastRune(text[span.Start:span.End])) && isWord(utf8.DecodeRune(text[span.End:]))
}

// wordReach is how many code points of a longer word are shown on either side of the place in it.
const wordReach = 40

// wordAround is the place and the rest of the words within which it begins and ends. A word may be
// as long as the text, so no more of it is looked at than may be shown.
func wordAround(text []byte, span Span) string {
	const reach = (wordReach + 1) * utf8.UTFMax
	before, after := text[max(0, span.Start-reach):span.Start], text[span.End:min(len(text), span.End+reach)]
	start := span.Start - (len(before) - len(bytes.TrimRightFunc(before, charset.IsWord)))
	end := span.End + len(after) - len(bytes.TrimLeftFunc(after, charset.IsWord))
	word := text[start:end]
	return nearest.Excerpt(word, min(span.Start-start, len(word)), 2*wordReach)
}

// nextToWords describes the first places of an expected text that WholeWord leaves out, each by its
// lines, and returns how many there are.
func (c comparison) nextToWords(edit Edit) (found []nearest.Match, count int) {
	edit.WholeWord = false
	for _, tier := range matchTiers {
		s := tier.open(c.Ctx, c.File.Bytes, edit).survey()
		for _, span := range s.sample[:min(len(s.sample), nearest.MaxRegions)] {
			found = append(found, c.besideWord(span))
		}
		if s.count > 0 {
			return found, s.count
		}
	}
	return nil, 0
}

// besideWord describes a place, and as its difference the character of a word that is next to it.
func (c comparison) besideWord(span Span) nearest.Match {
	text := c.File.Bytes
	c.Region = nearest.Region{Start: c.File.At(span.Start), End: c.File.At(span.End-1) + 1}
	at, place := span.End, text[span.Start:span.End]
	expected := place[bytes.LastIndexByte(place, '\n')+1:]
	expectedAt := len(expected)
	if after, _ := utf8.DecodeRune(text[at:]); !charset.IsWord(after) {
		_, size := utf8.DecodeLastRune(text[:span.Start])
		at = span.Start - size
		expected, expectedAt = lines.TrimEnd(place[:lines.Length(place)]), 0
	}
	line := c.File.At(at)
	return c.Render(nearest.Point{Line: line, Expected: expected, ExpectedAt: expectedAt,
		Found: c.File.Line(line), FoundAt: at - c.File.Offset(line)})
}
