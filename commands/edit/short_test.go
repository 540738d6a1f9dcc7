package edit

import (
	"fmt"
	"strings"
	"testing"

	"fsbox/textio"
	"fsbox/textio/edit"
	"fsbox/textio/nearest"
)

// Whatever is left out of a region, what is shown has the difference, with a line next to it unless
// lines are long, and the notes count the lines as they are in the file.
func TestShownOfMiss(t *testing.T) {
	for _, tt := range []struct{ size, chars, step int }{{1, 30, 1}, {2, 30, 1}, {39, 30, 1}, {41, 30, 1}, {60, 300, 1}, {100, 12, 3},
		{200, 30, 7}} {
		const before = 40
		pad := strings.Repeat("with some words ", tt.chars/16)
		line := func(n int) string { return fmt.Sprintf("line number %d of the file %s", n, pad) }
		var file []string
		for n := 1; n <= before+tt.size+60; n++ {
			file = append(file, line(n))
		}
		if testing.Short() {
			tt.step *= 7
		}
		for at := 0; at < tt.size; at += tt.step {
			expected := append([]string(nil), file[before:before+tt.size]...)
			expected[at] += "differs"
			_, err := textio.Edit(t.Context(), []byte(strings.Join(file, "\n")), []edit.Edit{{Expected: []byte(strings.Join(expected, "\n"))}},
				edit.Limits{MaxAdded: 1 << 20, MaxSize: 1 << 20})
			f := FailureOf(err)
			got := f.Details.(*MissDetails).Closest[0]
			from, to := readNotes(t, got)
			shown := strings.Join(file[from-1:to], "\n")
			if kept := got.Text[strings.Index(got.Text, "line number"):]; !strings.HasPrefix(kept, shown) {
				t.Fatalf("%+v, line %d: it isn't lines %d to %d:\n%s", tt, before+1+at, from, to, got.Text)
			}
			if d := int(got.Difference.Line); d != before+1+at || d < from || d > to || from == to && tt.size > 1 && tt.chars < 200 {
				t.Errorf("%+v, line %d: lines %d to %d are shown, the difference is in line %d", tt, before+1+at, from, to, d)
			}
			if got.Truncated != (to-from+1 < tt.size) || shownLen(got.Text) > longestEditFailure {
				t.Errorf("%+v, line %d: %+v", tt, before+1+at, got)
			}
		}
	}
}

// readNotes gives the lines that a text has, by what its notes say of the others.
func readNotes(t *testing.T, c nearest.Match) (from, to int) {
	from, to = int(c.StartLine), int(c.EndLine)
	for line := range strings.SplitSeq(c.Text, "\n") {
		var first, last int
		if _, err := fmt.Sscanf(line, "… (lines %d-%d omitted)", &first, &last); err != nil {
			continue
		}
		switch {
		case first == from:
			from = last + 1
		case last == to:
			to = first - 1
		default:
			t.Errorf("a note that fits nowhere: %q", line)
		}
	}
	return from, to
}
