package textio

import (
	"bytes"
	"sort"
)

// textLines is a text cut at "\n". A line end at the very end of the text ends
// its last line and begins no other.
//
// A text of 10 MiB can have millions of lines, so only where every 16th begins is
// kept, and where the line last asked for does: lines one after the other cost no
// search. Copies share that, and are not for several goroutines.
type textLines struct {
	text   []byte
	lines  int
	starts []int // of every 16th line
	last   *lineStart
}

// lineStart is a line, from 0, and where it begins.
type lineStart struct{ line, at int }

const linesPerStart = 16

func splitLines(text []byte) textLines {
	t := textLines{text: text, lines: lineCount(text), last: &lineStart{}}
	t.starts = make([]int, 0, t.lines/linesPerStart+1)
	for line, at := 0, 0; line < t.lines; line++ {
		if line%linesPerStart == 0 {
			t.starts = append(t.starts, at)
		}
		at += lineLength(text[at:])
	}
	return t
}

func (t textLines) count() int { return t.lines }

// offset returns where line i begins; the line after the last begins at the end.
func (t textLines) offset(i int) int {
	if i >= t.lines {
		return len(t.text)
	}
	line, at := i-i%linesPerStart, t.starts[i/linesPerStart]
	if t.last.line > line && t.last.line <= i {
		line, at = t.last.line, t.last.at
	}
	for ; line < i; line++ {
		at += lineLength(t.text[at:])
	}
	*t.last = lineStart{i, at}
	return at
}

// whole returns line i, counted from 0, with its ending.
func (t textLines) whole(i int) []byte {
	start := t.offset(i)
	end := start + lineLength(t.text[start:])
	*t.last = lineStart{i + 1, end} // which is asked for next, mostly
	return t.text[start:end]
}

// line returns line i without its ending.
func (t textLines) line(i int) []byte { return trimLineEnd(t.whole(i)) }

// ended reports whether line i has a line end.
func (t textLines) ended(i int) bool { return bytes.HasSuffix(t.whole(i), lineFeed) }

// at returns the line that an offset lies in.
func (t textLines) at(offset int) int {
	i := sort.SearchInts(t.starts, offset+1) - 1
	line := i * linesPerStart
	for at := t.starts[i]; ; line++ {
		if at += lineLength(t.text[at:]); at > offset || at == len(t.text) {
			return line
		}
	}
}
