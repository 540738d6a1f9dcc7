package command

import (
	"cmp"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/textio/diff"
)

// maxDiffLines is the most lines of a diff in an answer.
const maxDiffLines = 200

// LinesOfDiff is how many lines of a diff to print: with diff false only those that changed are
// counted.
func LinesOfDiff(asked bool) int {
	if !asked {
		return diff.CountOnly
	}
	return maxDiffLines
}

func ShownDiff(asked bool, d diff.Printed) answer.ShownDiff {
	if asked {
		return answer.ShownDiff{Diff: &d.Text, DiffTruncated: &d.Truncated}
	}
	return answer.ShownDiff{}
}

// MaxDiffBytes is what the diff of an answer takes at most, in bytes of JSON: 200 lines of some
// length, but not one of 100,000 characters.
const MaxDiffBytes = 32 << 10

// DiffBudget is that of the diff of an answer.
func DiffBudget(l request.Limits) *answer.Budget {
	return &answer.Budget{Left: min(WholeBudget(l).Left, MaxDiffBytes)}
}

// WholeBudget is that of the lists and texts of an answer that has no pages.
func WholeBudget(l request.Limits) *answer.Budget {
	if l.MaxJSON > 0 {
		return &answer.Budget{Left: min(l.MaxOutputBytes, l.MaxJSON)}
	}
	return &answer.Budget{Left: l.MaxOutputBytes}
}

// FailureBudget is that of what a failure shows of files, such as the hunks of a patch that don't
// fit: more than a diff may have is of no use to who has to send the request again.
func FailureBudget(l request.Limits) *answer.Budget { return DiffBudget(l) }

// CutDiff cuts a diff after the last line that fits into the answer.
func CutDiff(d diff.Printed, r *answer.Budget) diff.Printed {
	if r.Text(d.Text) { // it fits whole, as nearly always
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

// Diffs collects the diffs of several files, up to so many lines in all and as far as the budget of
// the answer goes.
type Diffs struct {
	Lines  int
	Budget *answer.Budget
	text   strings.Builder
	cut    bool
}

// All is the diff of all files.
func (d *Diffs) All() diff.Printed { return diff.Printed{Text: d.text.String(), Truncated: d.cut} }

// Add prints the diff of one more file. If no lines are left for it, print only counts.
func (d *Diffs) Add(print func(maxLines int) diff.Printed) diff.Printed {
	own := print(cmp.Or(d.Lines, 1)) // what has no lines at all, such as a move, must not count as cut
	if d.Lines == 0 {
		own.Text, own.Truncated = "", own.Text != ""
	}
	own = CutDiff(own, d.Budget)
	if d.Lines > 0 {
		d.Lines -= strings.Count(own.Text, "\n")
	}
	d.text.WriteString(own.Text)
	d.cut = d.cut || own.Truncated
	return own
}
