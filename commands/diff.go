package commands

import (
	"strings"

	"fsbox/commands/answer"
	"fsbox/textio/diff"
)

// maxDiffLines is the most lines of a diff in an answer.
const maxDiffLines = 200

// linesOfDiff is how many lines of a diff to print: with diff false only those that changed are
// counted.
func linesOfDiff(asked bool) int {
	if !asked {
		return diff.CountOnly
	}
	return maxDiffLines
}

func shownDiff(asked bool, d diff.Printed) answer.ShownDiff {
	if asked {
		return answer.ShownDiff{Diff: &d.Text, DiffTruncated: &d.Truncated}
	}
	return answer.ShownDiff{}
}

// cutDiff cuts a diff after the last line that fits into the answer.
func cutDiff(d diff.Printed, r *answer.Budget) diff.Printed {
	if r.Text(d.Text) { // nearly always
		return d
	}
	end := 0
	for line := range strings.Lines(d.Text) {
		if !r.Text(line) {
			d.Text, d.Truncated = d.Text[:end], true
			break
		}
		end += len(line)
	}
	return d
}

// diffs collects the diffs of several files, up to so many lines in all and as far as the budget of
// the answer goes.
type diffs struct {
	lines  int
	budget *answer.Budget
	text   strings.Builder
	cut    bool
}

// all is the diff of all files.
func (d *diffs) all() diff.Printed { return diff.Printed{Text: d.text.String(), Truncated: d.cut} }

// add prints the diff of one more file. If no lines are left for it, print only counts.
func (d *diffs) add(print func(maxLines int) diff.Printed) diff.Printed {
	maxLines := d.lines
	if maxLines == 0 {
		maxLines = 1 // what has no lines at all, such as a move, must not count as cut
	}
	own := print(maxLines)
	if d.lines == 0 {
		own.Text, own.Truncated = "", own.Text != ""
	}
	own = cutDiff(own, d.budget)
	if d.lines > 0 {
		d.lines -= lineCount(own.Text)
	}
	d.text.WriteString(own.Text)
	d.cut = d.cut || own.Truncated
	return own
}

// lineCount counts lines. A last line without a line end counts, too.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}
