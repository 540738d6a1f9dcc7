package commands

import (
	"strings"

	"fsbox/textio/diff"
)

// maxDiffLines is the most lines of a diff in an answer.
const maxDiffLines = 200

// cutDiff cuts a diff after the last line that fits into the answer.
func cutDiff(d diff.Printed, r *room) diff.Printed {
	end := 0
	for line := range strings.Lines(d.Text) {
		if !r.text(line) {
			d.Text, d.Truncated = d.Text[:end], true
			break
		}
		end += len(line)
	}
	return d
}

// lineCount counts lines. A last line without a line end counts, too.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
