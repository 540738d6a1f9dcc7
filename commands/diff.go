package commands

import (
	"strings"

	"fsbox/textio"
)

// maxDiffLines is how much of a diff an answer carries.
const maxDiffLines = 200

// cutDiff ends a diff after a whole line so that it takes no more than so many bytes.
func cutDiff(d textio.Diff, maxBytes int64) textio.Diff {
	if int64(len(d.Text)) > maxBytes {
		d.Text, d.Truncated = d.Text[:strings.LastIndexByte(d.Text[:max(0, maxBytes)], '\n')+1], true
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
