package approval

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsbox/commands/words"
)

// changedLine is a line that goes or comes, with its sign.
type changedLine struct {
	text        string
	at          int  // bytes of text that its counterpart has as well, from the beginning
	before, end bool // there is more of the line before the text, after its sign, or after it
}

// near is a line without what is far from its change, in bytes that no row has space for.
func (l changedLine) near() changedLine {
	const reach = 600
	if len(l.text) <= 2*reach {
		return l
	}
	at := max(1, l.at)
	from, to := max(1, at-reach/2), min(len(l.text), at+reach)
	for from > 1 && !utf8.RuneStart(l.text[from]) {
		from--
	}
	for to < len(l.text) && !utf8.RuneStart(l.text[to]) {
		to++
	}
	return changedLine{text: l.text[:1] + l.text[from:to], at: at - from + 1, before: from > 1, end: to < len(l.text)}
}

// changedLines are the first lines of a diff that go or come, at most so many.
func changedLines(diff string, most int) (lines []changedLine) {
	var hunk hunkReader
	run := 0 // where the lines that go begin, to which those belong that come
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch sign := hunk.read(line); {
		case sign == '+':
			lines = append(lines, changedLine{text: line})
			pair(lines[run:])
		case sign != '-':
			run = len(lines)
			continue
		default:
			if run < len(lines) && lines[len(lines)-1].text[0] == '+' {
				run = len(lines)
			}
			lines = append(lines, changedLine{text: line})
		}
		if len(lines) >= most {
			return lines[:most]
		}
	}
	return lines
}

// hunkReader tells the lines of files in a diff from its own, which may look alike.
type hunkReader struct{ old, new int } // lines that the hunk still has

// read gives the sign of a line of a file, 0 for a line of the diff's own.
func (h *hunkReader) read(line string) (sign byte) {
	switch {
	case h.old <= 0 && h.new <= 0:
		h.old, h.new = hunkLengths(line)
		return 0
	case line == "" || line[0] == ' ':
		h.old--
		h.new--
		return ' '
	case line[0] == '-':
		h.old--
	case line[0] == '+':
		h.new--
	default: // that a file has no line end
		return 0
	}
	return line[0]
}

// hunkLengths reads "@@ -1,2 +3,4 @@": how many lines a hunk has of either side. Other lines have
// none.
func hunkLengths(line string) (old, new int) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" {
		return 0, 0
	}
	return lengthOf(fields[1]), lengthOf(fields[2])
}

func lengthOf(place string) int {
	_, digits, found := strings.Cut(place, ",")
	if !found {
		return 1
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// pair finds out what the last line, which comes, has in common with the one that goes for it.
func pair(run []changedLine) {
	gone := 0
	for gone < len(run) && run[gone].text[0] == '-' {
		gone++
	}
	last := len(run) - 1
	if last-gone >= gone {
		return
	}
	a, b := &run[last-gone], &run[last]
	same := 1
	for same < min(len(a.text), len(b.text)) && a.text[same] == b.text[same] {
		same++
	}
	a.at, b.at = same, same
}

const (
	tabMark = "→"
	cutMark = "…"
)

// spelling is how text of files is written in a question.
type spelling struct{ double bool } // a backslash is two, since there are escapes

// needsEscapes reports whether a text has something that only an escape shows.
func needsEscapes(text string) bool {
	plain := strings.ReplaceAll(text, "\t", " ")
	return words.Visible(plain) != plain || strings.ContainsAny(text, tabMark+cutMark) || strings.HasSuffix(text, " ") && text != " "
}

// pieces spells a text out. A piece is a character with its marks, or an escape: what a row must
// not cut.
func (s spelling) pieces(text string) (all []string) {
	blank := strings.HasSuffix(text, " ")
	if blank {
		text = text[:len(text)-1]
	}
	if s.double {
		text = strings.NewReplacer(`\`, `\\`, tabMark, `\u{2192}`, cutMark, `\u{2026}`).Replace(text)
	}
	for text = words.Visible(text); text != ""; {
		n := s.piece(text)
		one := text[:n]
		if one == "\t" {
			one = tabMark
		}
		all, text = append(all, one), text[n:]
	}
	if blank {
		all = append(all, `\x20`)
	}
	return all
}

// piece is the length of the first piece of a visible text, in bytes.
func (s spelling) piece(text string) int {
	if s.double && text[0] == '\\' && len(text) > 1 {
		long := map[byte]int{'x': len(`\xff`), 'u': len(`\u200b`), 'U': len(`\U000e0101`)}[text[1]]
		if strings.HasPrefix(text, `\u{`) {
			long = strings.IndexByte(text, '}') + 1
		}
		return min(max(2, long), len(text))
	}
	for i, r := range text {
		if i > 0 && !unicode.IsMark(r) {
			return i
		}
	}
	return len(text)
}

// split cuts a text of fsbox's own, which has names in it, into pieces.
func split(text string) (pieces []string) {
	for text != "" {
		n := spelling{double: true}.piece(text)
		pieces, text = append(pieces, text[:n]), text[n:]
	}
	return pieces
}

// leadIn is how many columns a line that is cut has before its change.
const leadIn = 16

// around spells out a line, cut around its change if it takes more than so many columns.
func (s spelling) around(l changedLine, columns int) (part []string, isCut bool) {
	all := s.pieces(l.text[1:])
	if !l.before && !l.end && 1+columnsOf(all) <= columns {
		return append([]string{l.text[:1]}, all...), false
	}
	from, lead := 0, 0
	if l.at > 1 {
		from = min(len(all), len(s.pieces(l.text[1:min(l.at, len(l.text))])))
	}
	for from > 0 && lead < leadIn {
		from--
		lead += words.Columns(all[from])
	}
	part = append(part, l.text[:1])
	if from > 0 || l.before {
		part = append(part, cutMark)
	}
	left := columns - 1 - 2*words.Columns(cutMark)
	to := from
	for to < len(all) && left >= words.Columns(all[to]) {
		left -= words.Columns(all[to])
		to++
	}
	if part = append(part, all[from:to]...); to < len(all) || l.end {
		part = append(part, cutMark)
	}
	return part, true
}

func columnsOf(pieces []string) (columns int) {
	for _, one := range pieces {
		columns += words.Columns(one)
	}
	return columns
}

// shortened cuts a text in its middle so that it takes at most so many columns.
func shortened(text string, columns int) string {
	all := split(text)
	if columnsOf(all) <= columns {
		return text
	}
	var head, tail string
	left := columns - words.Columns(cutMark)
	for i, j := 0, len(all)-1; i <= j; {
		from, isTail := i, len(tail) < len(head)
		if isTail {
			from = j
		}
		if left -= words.Columns(all[from]); left < 0 {
			break
		}
		if isTail {
			tail = all[j] + tail
			j--
		} else {
			head += all[i]
			i++
		}
	}
	return head + cutMark + tail
}
