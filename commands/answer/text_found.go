package answer

import (
	"strings"
	"unicode/utf8"

	"fsbox/commands/words"
	"fsbox/textio/anchor"
)

// Found is something that was found in a file, with the lines around it.
type Found struct {
	Line, End     int64         // its first and last line
	Text          string        // its lines
	Cut           bool          // a line of Text isn't whole
	Painted       Spans         // the parts of the text that were looked for
	Before, After []string      // lines of context
	ContextChars  int           // a line of context of so many code points isn't whole; 0 if all are
	Anchored      *anchor.Lines // all these lines; nil if they are to have no anchors
}

// FoundLines writes the lines of one file. Context that two places have in common, and places that
// are context of others, come once.
type FoundLines struct {
	*Text
	Apart bool  // "--" goes between lines that aren't neighbours
	Cut   bool  // a line that was written isn't whole
	last  int64 // the last line that was written, or is a part of a place that was
	found int64 // the last line that was written as one that was found
}

// Add writes one place with its context. Lines after it that belong to the next place as well,
// which begins at line next, are left to that one.
func (l *FoundLines) Add(f Found, next int64) {
	before, ids := f.Line-int64(len(f.Before)), f.Anchored
	if ids == nil {
		ids = &anchor.Lines{}
	}
	for i, s := range f.Before { // of more lines, the IDs of the last ones
		l.context(before+int64(i), idAt(ids.Before, i+len(ids.Before)-len(f.Before)), s, f.ContextChars)
	}
	l.Cut = l.Cut || f.Cut
	number, found := f.Line, f.Painted
	for line := range strings.SplitSeq(f.Text, "\n") {
		if number > l.found { // else a match before it has that line, too
			l.put(number, idAt(ids.Found, int(number-f.Line))+":", line, found)
			l.found = number
		}
		if number++; len(found) > 0 {
			found = found.After(line)
		}
	}
	l.last = max(l.last, f.End)
	for i, s := range f.After {
		n := f.End + 1 + int64(i)
		if n >= next {
			break
		}
		l.context(n, idAt(ids.After, i), s, f.ContextChars)
	}
}

// idAt is the ID at an index as it follows a line's number, "" if there is none.
func idAt(lines []anchor.Line, i int) string {
	if i < 0 || i >= len(lines) {
		return ""
	}
	return "#" + string(lines[i].ID[:])
}

// context writes a line of context, unless it is there already.
func (l *FoundLines) context(number int64, id, line string, most int) {
	if number <= l.last {
		return
	}
	if most > 0 && utf8.RuneCountInString(line) == most {
		l.Cut, line = true, line+"…"
	}
	l.put(number, id+"-", line, nil)
}

// put writes a line, in which found is painted.
func (l *FoundLines) put(number int64, sign, line string, found Spans) {
	if l.Apart && l.last > 0 && number > l.last+1 {
		l.Line("--")
	}
	l.Paint(HueNumber, words.Int(number))
	l.Text.Add(sign)
	l.PaintFound(line, found)
	l.Line()
	l.last = max(l.last, number)
}

// Spans are parts of a line, in order: where each starts and ends, in code points.
type Spans [][2]int

// Shifted counts from another code point.
func (s Spans) Shifted(start int) Spans {
	if start == 0 {
		return s
	}
	moved := make(Spans, len(s))
	for i, part := range s {
		moved[i] = [2]int{part[0] - start, part[1] - start}
	}
	return moved
}

// After are the spans in what comes after a line.
func (s Spans) After(line string) Spans { return s.Shifted(utf8.RuneCountInString(line) + len("\n")) }

// PaintFound writes a line, or a part of one, and paints what was found in it.
func (t *Text) PaintFound(line string, found Spans) {
	if t.Style == nil {
		t.Add(line)
		return
	}
	at := 0 // code points written so far
	take := func(upTo int) (part string) {
		n := 0
		for ; at < upTo && n < len(line); at++ {
			_, size := utf8.DecodeRuneInString(line[n:])
			n += size
		}
		part, line = line[:n], line[n:]
		return part
	}
	for _, span := range found {
		t.Add(take(span[0]))
		if part := take(span[1]); part != "" {
			t.Paint(hueMatch, part)
		}
	}
	t.Add(line)
}
