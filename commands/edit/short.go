package edit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/edit"
	"fsbox/textio/nearest"
)

// How long the answer to a failed edit may be, in characters: a model reads it again in each later
// turn of its conversation. The limit is 1200. Of that 130 are kept free for an id, warnings, and
// what causeOfMiss puts in place of the hint; the keys of the answer and of each region have fixed
// shares; the rest is for the message, the hint, and what is shown of the file.
const (
	longestEditFailure = 1200 - 130
	keysOfFailure      = 150
	keysOfPlaces       = 190
	keysOfRegion       = 115
	noteOfCut          = 80 // the lines that say which lines are left out
	mostOfDifference   = 80 // of a line that differs, if the answer is too long; the difference is within the first 61
)

// charsLeft is how many characters are left for what a failure shows of the file.
func charsLeft(f *answer.Failure, keys int) int {
	return longestEditFailure - keys - shownLen(f.Message+f.Hint)
}

// shownLen is how many characters a text has in JSON.
func shownLen(s string) int { return textio.EscapedLen(s) - len(s) + utf8.RuneCountInString(s) }

// shortenMiss leaves out what helps least if the answer is too long: first all regions that don't
// fit except the best, then the ends of its long lines, then lines of its text, the farthest from
// the difference first.
func shortenMiss(f *answer.Failure, miss *edit.MatchNotFoundError) *answer.Failure {
	left := charsLeft(f, keysOfFailure)
	for i, c := range miss.Closest {
		left -= keysOfRegion + shownLen(c.Text+c.Difference.Expected+c.Difference.Found)
		if left < 0 {
			miss.Closest = miss.Closest[:max(i, 1)]
			break
		}
	}
	if len(miss.Closest) != 1 || left >= 0 {
		return f
	}
	best := &miss.Closest[0]
	diff := &best.Difference
	diff.Expected, diff.Found = words.FirstChars(diff.Expected, mostOfDifference), words.FirstChars(diff.Found, mostOfDifference)
	left = charsLeft(f, keysOfFailure+keysOfRegion) - shownLen(diff.Expected+diff.Found)
	if best.Text != "" && shownLen(best.Text) > left {
		best.Truncated = true
		f.WithHint("%s", missHint(miss))
		left = charsLeft(f, keysOfFailure+keysOfRegion+noteOfCut) - shownLen(diff.Expected+diff.Found)
		best.Text = linesAround(*best, left)
	}
	return f
}

// linesAround leaves out the lines of a region's text that are farthest from the one that differs,
// until it fits. It is "" if that one doesn't fit.
func linesAround(c nearest.Match, left int) string {
	lines := strings.Split(c.Text, "\n")
	lines = lines[min(1, c.Before) : len(lines)-int(min(1, c.After))] // without the notes
	first, last := c.StartLine+c.Before, c.EndLine-c.After
	for size := shownLen(strings.Join(lines, "\n")); size > left; {
		drop := len(lines) - 1
		switch {
		case drop <= 0:
			return ""
		case last-c.Difference.Line >= c.Difference.Line-first:
			last--
		default:
			drop, first = 0, first+1
		}
		size -= shownLen(lines[drop] + "\n")
		lines = slices.Delete(lines, drop, drop+1)
	}
	lines = append(nearest.LeftOut(nil, c.StartLine, first-1), lines...)
	return strings.Join(nearest.LeftOut(lines, last+1, c.EndLine), "\n")
}

// shortenPlaces leaves out the last snippets that don't fit.
func shortenPlaces(f *answer.Failure, d *PlacesDetails) *answer.Failure {
	left := charsLeft(f, keysOfPlaces)
	for i, s := range d.Snippets {
		if left -= shownLen(s) + len(`"",`); left < 0 && i > 0 {
			d.Snippets, d.Truncated = d.Snippets[:i], true
			break
		}
	}
	return f
}
