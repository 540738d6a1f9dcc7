package lines

import (
	"bytes"
	"sort"
)

// Text is a text cut at "\n". A line end at the very end of the text ends its last line and begins
// no other.
//
// A text of 10 MiB can have millions of lines, so Text keeps only the start of every 64th line, and
// of the line last asked for: then to read one line after the other takes no search. Copies of a
// Text share the latter, so only one goroutine may use them.
type Text struct {
	Bytes  []byte
	lines  int
	starts []int // offset of every 64th line
	last   *lineStart
}

// lineStart is the number of a line, from 0, and the offset at which it begins.
type lineStart struct{ line, at int }

const linesPerStart = 64

// Split cuts a text into lines.
func Split(text []byte) Text {
	t := Text{Bytes: text, lines: Count(text), last: &lineStart{}}
	t.starts = make([]int, 0, t.lines/linesPerStart+1)
	for line, at := 0, 0; line < t.lines; line++ {
		if line%linesPerStart == 0 {
			t.starts = append(t.starts, at)
		}
		at += Length(text[at:])
	}
	return t
}

// Count is the number of lines.
func (t Text) Count() int { return t.lines }

// Offset returns where line i begins; the line after the last begins at the end.
func (t Text) Offset(i int) int {
	if i >= t.lines {
		return len(t.Bytes)
	}
	line, at := i-i%linesPerStart, t.starts[i/linesPerStart]
	if t.last.line > line && t.last.line <= i {
		line, at = t.last.line, t.last.at
	}
	for ; line < i; line++ {
		at += Length(t.Bytes[at:])
	}
	*t.last = lineStart{i, at}
	return at
}

// Whole returns line i, counted from 0, with its ending.
func (t Text) Whole(i int) []byte {
	start := t.Offset(i)
	end := start + Length(t.Bytes[start:])
	*t.last = lineStart{i + 1, end} // this line is asked for next, mostly
	return t.Bytes[start:end]
}

// Line returns line i without its ending.
func (t Text) Line(i int) []byte { return TrimEnd(t.Whole(i)) }

// Ended reports whether line i has a line end.
func (t Text) Ended(i int) bool { return bytes.HasSuffix(t.Whole(i), LF) }

// At returns the line that an offset lies in.
func (t Text) At(offset int) int {
	i := sort.SearchInts(t.starts, offset+1) - 1
	line := i * linesPerStart
	for at := t.starts[i]; ; line++ {
		if at += Length(t.Bytes[at:]); at > offset || at == len(t.Bytes) {
			return line
		}
	}
}
