package commands

import (
	"strings"

	"fsbox/textio/diff"
)

// maxDiffLines is how much of a diff an answer carries.
const maxDiffLines = 200

// cutDiff ends a diff after the last line that there is room for.
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

// lineCount counts lines, one without its end included.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
