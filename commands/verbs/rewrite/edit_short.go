package rewrite

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/edit"
)

// How long the answer to a failed edit may be, in characters: a model reads it again in each later
// turn of its conversation. The limit is 1200. Of that 130 are kept free for an id, warnings, and
// what hintMiss puts before the hint; the keys of the answer and of each region have fixed shares;
// the rest is for the message, the hint, and what is shown of the file.
const (
	longestEditFailure = 1200 - 130
	keysOfFailure      = 150
	keysOfPlaces       = 190
	keysOfRegion       = 115
	noteOfCut          = 80 // the lines that say which lines are left out
	mostOfDifference   = 80 // of a line that differs, if the answer is too long; the difference is within the first 61
)

// roomOf is how many characters are left for what a failure shows of the file.
func roomOf(f *answer.Failure, keys int) int {
	return longestEditFailure - keys - shownLen(f.Message+f.Hint)
}

// shownLen is how many characters a text has in JSON.
func shownLen(s string) int { return textio.EscapedLen(s) - len(s) + utf8.RuneCountInString(s) }

// shortenMiss leaves out what helps least if the answer is too long: first all regions that don't
// fit except the best, then the ends of its long lines, then lines of its text, the farthest from
// the difference first.
func shortenMiss(f *answer.Failure, miss *edit.MatchNotFoundError, d *MissDetails) *answer.Failure {
	room := roomOf(f, keysOfFailure)
	for i, c := range d.Closest {
		room -= keysOfRegion + shownLen(c.Text+c.FirstDifference.Expected+c.FirstDifference.Found)
		if room < 0 {
			d.Closest = d.Closest[:max(i, 1)]
			break
		}
	}
	if len(d.Closest) != 1 || room >= 0 {
		return f
	}
	best := &d.Closest[0]
	diff := &best.FirstDifference
	diff.Expected, diff.Found = words.FirstChars(diff.Expected, mostOfDifference), words.FirstChars(diff.Found, mostOfDifference)
	room = roomOf(f, keysOfFailure+keysOfRegion) - shownLen(diff.Expected+diff.Found)
	if shownLen(best.Text) > room {
		best.TextTruncated, miss.Closest[0].Truncated = true, true
		f.WithHint("%s", missHint(miss))
		room = roomOf(f, keysOfFailure+keysOfRegion+noteOfCut) - shownLen(diff.Expected+diff.Found)
		best.Text = linesAround(best.Text, best.StartLine, diff.Line, room)
	}
	return f
}

// linesAround leaves out the lines of a text that are farthest from one, until it fits. It is ""
// if that one doesn't fit. The first line has the number first.
func linesAround(text string, first, middle int64, room int) string {
	lines, size := strings.Split(text, "\n"), shownLen(text)
	from, end, at := 0, len(lines), max(0, min(int(middle-first), len(lines)-1))
	for size > room && end-from > 1 {
		if end-1-at >= at-from {
			end--
			size -= shownLen(lines[end] + "\n")
		} else {
			size -= shownLen(lines[from] + "\n")
			from++
		}
	}
	if size > room {
		return ""
	}
	if from > 0 {
		from--
		lines[from] = fmt.Sprintf("… (lines %d-%d left out)", first, first+int64(from))
	}
	if end < len(lines) {
		lines[end] = fmt.Sprintf("… (lines %d-%d left out)", first+int64(end), first+int64(len(lines))-1)
		end++
	}
	return strings.Join(lines[from:end], "\n")
}

// shortenPlaces leaves out the last snippets that don't fit.
func shortenPlaces(f *answer.Failure, d *PlacesDetails) *answer.Failure {
	room := roomOf(f, keysOfPlaces)
	for i, s := range d.Snippets {
		if room -= shownLen(s) + len(`"",`); room < 0 && i > 0 {
			d.Snippets, d.Truncated = d.Snippets[:i], true
			break
		}
	}
	return f
}
