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
	head         []byte // of the line that Add is in
}

// headBytes is how much of a line is kept until its end is known. An indent isn't longer.
const headBytes = 1 << 10

// Add counts the lines of the next part of a text. End has to follow the last part.
func (t *IndentTally) Add(part []byte) {
	for line := range bytes.Lines(part) {
		ended := line[len(line)-1] == '\n'
		if ended && len(t.head) == 0 {
			t.count(line)
			continue
		}
		t.head = append(t.head, line[:min(len(line), headBytes-len(t.head))]...)
		if ended {
			t.End()
		}
	}
}

// End counts the line that Add is in.
func (t *IndentTally) End() {
	t.count(t.head)
	t.head = t.head[:0]
}

// count counts a line. Blank lines say nothing, and a single space is the alignment of a block
// comment rather than an indent.
func (t *IndentTally) count(line []byte) {
	body := bytes.TrimLeft(line, " ")
	spaces := len(line) - len(body)
	if spaces == 1 || isBlank(body) {
		return
	}
	switch {
	case spaces > 0:
		t.Spaces++
	case body[0] == '\t':
		t.Tabs++
	}
	if step := spaces - t.depth; step > 1 && step < len(t.steps) {
		t.steps[step]++
	}
	t.depth = spaces
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
