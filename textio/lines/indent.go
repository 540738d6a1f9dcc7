package lines

import (
	"bytes"
	"unicode/utf8"
)

// IndentTally counts by what the lines of a text are indented. steps has, by width, how often a
// line is that many spaces deeper than the one before.
type IndentTally struct {
	Tabs, Spaces int
	steps        [9]int // nobody indents by more than 8
	depth        int
	line         lineHead // of the line that Add is in
}

// lineHead is what counts of a line: the spaces at its start, what comes first after them, and
// whether the line isn't blank.
type lineHead struct {
	spaces int
	begun  bool // first is known
	first  byte
	filled bool
}

// TallyIndents counts the indented lines of a text.
func TallyIndents(text []byte) (t IndentTally) {
	t.Add(text)
	t.End()
	return t
}

// Add counts the lines of the next part of a text, of whole characters. End has to follow the last.
func (t *IndentTally) Add(part []byte) {
	for line := range bytes.Lines(part) {
		t.line.add(line)
		if line[len(line)-1] == '\n' {
			t.End()
		}
	}
}

func (h *lineHead) add(part []byte) {
	if !h.begun {
		body := bytes.TrimLeft(part, " ")
		h.spaces += len(part) - len(body)
		if len(body) == 0 {
			return
		}
		part, h.begun, h.first = body, true, body[0]
	}
	h.filled = h.filled || !isBlank(part)
}

// End counts the line that Add is in. Blank lines say nothing, and a single space is the alignment
// of a block comment rather than an indent.
func (t *IndentTally) End() {
	h := t.line
	t.line = lineHead{}
	if h.spaces == 1 || !h.filled {
		return
	}
	switch {
	case h.spaces > 0:
		t.Spaces++
	case h.first == '\t':
		t.Tabs++
	}
	if step := h.spaces - t.depth; step > 1 && step < len(t.steps) {
		t.steps[step]++
	}
	t.depth = h.spaces
}

// isBlank reports whether a line consists of blanks alone. For nearly every line its first byte is
// enough to see that it doesn't.
func isBlank(line []byte) bool {
	return len(line) == 0 || (line[0] <= ' ' || line[0] >= utf8.RuneSelf) && len(bytes.TrimSpace(line)) == 0
}

// Step is the most frequent number of spaces by which a line is deeper than the one before, the
// smaller of two equally frequent ones.
func (t *IndentTally) Step() int {
	best := 0
	for width, n := range t.steps {
		if n > t.steps[best] {
			best = width
		}
	}
	if best == 0 { // no steps: the text has one block, deeper than 8 spaces
		return len(t.steps) - 1
	}
	return best
}
