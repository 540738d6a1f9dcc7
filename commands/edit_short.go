package commands

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio/edit"
)

// longestEditFailure is how long the answer to a failed edit may be, in characters: a model reads
// it again in each later turn of its conversation. The limit is 1200; 130 are kept free for an id,
// warnings, and what hintMiss puts before the hint.
const longestEditFailure = 1200 - 130

// failureChars is the length of the answer that a failure becomes.
func failureChars(f *answer.Failure) int {
	var line bytes.Buffer
	_ = answer.Failed(nil, f, nil).Encode(&line) // a buffer takes everything
	return utf8.RuneCount(line.Bytes())
}

func isLong(f *answer.Failure) bool { return failureChars(f) > longestEditFailure }

// shortenMiss leaves out what helps least until the answer is short enough: first all regions
// except the best, then the ends of long lines, then lines of the text, the farthest from the
// difference first.
func shortenMiss(f *answer.Failure, miss *edit.MatchNotFoundError, d *MissDetails) *answer.Failure {
	for len(d.Closest) > 1 && isLong(f) {
		d.Closest = d.Closest[:len(d.Closest)-1]
	}
	if len(d.Closest) == 0 || !isLong(f) {
		return f
	}
	best := &d.Closest[0]
	for _, side := range [...]*string{&best.FirstDifference.Expected, &best.FirstDifference.Found} {
		*side = words.FirstChars(*side, keptOfDifference)
	}
	if !isLong(f) {
		return f
	}
	cut := newTextCut(best)
	best.TextTruncated, miss.Closest[0].Truncated = true, true
	f.WithHint("%s", missHint(miss))
	for best.Text = cut.text(); isLong(f) && cut.narrow(); {
		best.Text = cut.text()
	}
	if isLong(f) {
		best.Text = ""
	}
	return f
}

// keptOfDifference is how much of a line is shown if the answer is too long, in characters. The
// difference is within the first 61.
const keptOfDifference = 80

// textCut is a region's text without lines at its ends.
type textCut struct {
	lines     []string
	first     int64 // number of the first line
	at        int   // index of the line that differs
	from, end int   // lines[from:end] are shown
}

func newTextCut(c *ClosestMatch) *textCut {
	lines := strings.Split(c.Text, "\n")
	at := max(0, min(int(c.FirstDifference.Line-c.StartLine), len(lines)-1))
	return &textCut{lines: lines, first: c.StartLine, at: at, end: len(lines)}
}

// narrow takes away the line that is farthest from the one that differs; false if that alone is
// left.
func (c *textCut) narrow() bool {
	switch {
	case c.end-c.from <= 1:
		return false
	case c.end-1-c.at >= c.at-c.from:
		c.end--
	default:
		c.from++
	}
	return true
}

func (c *textCut) text() string {
	shown := c.lines[c.from:c.end]
	text := strings.Join(shown, "\n")
	if c.from > 0 {
		text = linesLeftOut(c.first, c.first+int64(c.from)-1) + "\n" + text
	}
	if c.end < len(c.lines) {
		text += "\n" + linesLeftOut(c.first+int64(c.end), c.first+int64(len(c.lines))-1)
	}
	return text
}

func linesLeftOut(from, to int64) string { return fmt.Sprintf("… (lines %d-%d left out)", from, to) }

// shortenPlaces leaves snippets out, the last ones first, until the answer is short enough.
func shortenPlaces(f *answer.Failure, d *PlacesDetails) *answer.Failure {
	for len(d.Snippets) > 1 && isLong(f) {
		d.Snippets, d.Truncated = d.Snippets[:len(d.Snippets)-1], true
	}
	return f
}
