package textio

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/textio/diff"
)

// How much of a line Brief shows, in characters: a line of maxBrief is shown whole, of a longer one
// what changed with briefAround on both sides of it.
const (
	maxBrief    = 400
	briefAround = 40
	maxTokens   = 20_000 // of a line of which each change is looked for: a longer one has one, from the first to the last
)

// Brief is the text of a diff for a reader: of lines over 400 characters what changed, with "…" in
// place of the rest. cut says whether there are such lines. What Brief returns can't be applied.
func Brief(text string) (brief string, cut bool) {
	if !hasLong(text) {
		return text, false
	}
	var b strings.Builder
	all := slices.Collect(strings.Lines(text))
	for i := 0; i < len(all); {
		removed := countPrefix(all[i:], "-")
		added := countPrefix(all[i+removed:], "+")
		if removed+added == 0 {
			b.WriteString(briefLine(all[i], nil))
			i++
			continue
		}
		old, new := all[i:i+removed], all[i+removed:i+removed+added]
		for n, line := range old {
			b.WriteString(briefLine(line, pairOf(new, n)))
		}
		for n, line := range new {
			b.WriteString(briefLine(line, pairOf(old, n)))
		}
		i += removed + added
	}
	return b.String(), true
}

func hasLong(text string) bool {
	for line := range strings.Lines(text) {
		if isLong(line) {
			return true
		}
	}
	return false
}

func isLong(line string) bool { return len(line) > maxBrief && utf8.RuneCountInString(line) > maxBrief }

func countPrefix(lines []string, sign string) (n int) {
	for n < len(lines) && strings.HasPrefix(lines[n], sign) {
		n++
	}
	return n
}

// pairOf is the line to which another is compared, "" if there is none.
func pairOf(lines []string, n int) *string {
	if n < len(lines) {
		return &lines[n]
	}
	return nil
}

// briefLine is a line of a diff, with its sign, cut around what differs from another.
func briefLine(line string, other *string) string {
	if !isLong(line) {
		return line
	}
	text, ended := strings.CutSuffix(line, "\n")
	sign, text := text[:1], text[1:]
	end := ""
	if ended {
		end = "\n"
	}
	if other == nil { // all of it is new, or gone
		return sign + FirstRunes(text, maxBrief) + "…" + end
	}
	pair := (*other)[1:]
	return sign + briefSpans(text, changedSpans(text, strings.TrimSuffix(pair, "\n"))) + end
}

// FirstRunes cuts a text after n code points.
func FirstRunes(text string, n int) string {
	for at := range text {
		if n--; n < 0 {
			return text[:at]
		}
	}
	return text
}

// changedSpans are the parts of a text that differ from another, as offsets: begin and end of each.
// Where something is only missing, a span is empty.
func changedSpans(text, other string) (spans [][2]int) {
	start := commonPrefix(text, other)
	end := len(text) - commonSuffix(text[start:], other[start:])
	old, new := tokens(other[start:len(other)-(len(text)-end)]), tokens(text[start:end])
	if len(old)+len(new) > maxTokens || len(new) == 0 {
		return [][2]int{{start, end}}
	}
	at, next := start, 0
	for i, from := range diff.Kept(old, new) {
		switch size := len(new[i]); {
		case from < 0 && len(spans) > 0 && spans[len(spans)-1][1] == at:
			spans[len(spans)-1][1] = at + size
		case from < 0:
			spans = append(spans, [2]int{at, at + size})
		case from > next && (len(spans) == 0 || spans[len(spans)-1][1] != at):
			spans = append(spans, [2]int{at, at})
		}
		if from >= 0 {
			next = from + 1
		}
		at += len(new[i])
	}
	if next < len(old) && (len(spans) == 0 || spans[len(spans)-1][1] != at) {
		spans = append(spans, [2]int{at, at})
	}
	return spans
}

func commonPrefix(a, b string) (n int) {
	n = diff.Head([]byte(a), []byte(b))
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

func commonSuffix(a, b string) (n int) {
	n = diff.Tail([]byte(a), []byte(b))
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return n
}

// tokens cuts a text into words and single other characters.
func tokens(text string) (all [][]byte) {
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	start, inWord := 0, false
	for at, r := range text {
		if at > 0 && !(inWord && isWord(r)) {
			all, start = append(all, []byte(text[start:at])), at
		}
		inWord = isWord(r)
	}
	if start < len(text) {
		all = append(all, []byte(text[start:]))
	}
	return all
}

// briefSpans shows parts of a text with some characters around each. If they are too many, the last
// ones are left out; one that is too long is cut.
func briefSpans(text string, spans [][2]int) string {
	var b strings.Builder
	shown, left := 0, maxBrief // shown is up to where text is in b, or replaced
	for _, s := range spans {
		from, to := max(back(text, s[0], briefAround), shown), s[1]+len(FirstRunes(text[s[1]:], briefAround))
		if to <= from {
			continue
		}
		if left <= 0 {
			break
		}
		if from > shown {
			b.WriteString("…")
		}
		part := FirstRunes(text[from:to], left)
		b.WriteString(part)
		left -= utf8.RuneCountInString(part)
		if shown = from + len(part); shown < to {
			break
		}
	}
	if shown < len(text) {
		b.WriteString("…")
	}
	return b.String()
}

// back is the offset n characters before another.
func back(text string, at, n int) int {
	for ; at > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return at
}

// keptOfLong is how much of a long text is kept at each end, in bytes.
const keptOfLong = 128

// Shorten returns both ends of a text that is too long to be repeated, and between them how many
// bytes are left out, which it doesn't copy. A text of up to twice keptOfLong is returned whole.
func Shorten[T ~string | ~[]byte](text T) string {
	from, to := keptOfLong, len(text)-keptOfLong
	if from >= to {
		return string(text)
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return string(text[:from]) + "… (" + strconv.Itoa(to-from) + " bytes omitted) …" + string(text[to:])
}
