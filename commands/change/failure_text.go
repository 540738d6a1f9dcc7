package change

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio/nearest"
)

func WriteClosest(t *answer.Text, all []nearest.Match) {
	for i, c := range all {
		t.Part()
		what := "closest, "
		if i > 0 {
			what = "also close, "
		}
		lines := words.Lines(c.StartLine, c.EndLine)
		if c.Truncated {
			lines += " (not whole)"
		}
		if t.Line(what, lines, ":"); c.Text != "" {
			t.Block(c.Text)
		}
		if at := c.Difference; i == 0 && at.Expected+at.Found != "" {
			t.Line(fmt.Sprintf("first difference, line %d, column %d:", at.Line, at.Column))
			t.Line("expected ", at.Expected)
			t.Line("found    ", at.Found)
		}
	}
}

// WritePlaces writes lines with those around them, which are in the snippets as far as there are
// any.
func WritePlaces(t *answer.Text, lines []int64, snippets []string) {
	if len(snippets) < len(lines) {
		t.Line("lines: ", Joined(lines))
	}
	file := answer.FoundLines{Text: t, Apart: true}
	lines = lines[:min(len(snippets), len(lines))]
	for i, s := range snippets[:len(lines)] {
		if i > 0 && lines[i] == lines[i-1] {
			continue
		}
		f, parts := answer.Found{Line: lines[i], End: lines[i]}, strings.Split(s, "\n")
		if f.Line > 1 && len(parts) > 1 {
			f.Before, parts = parts[:1], parts[1:]
		}
		f.Text, f.After = parts[0], parts[1:]
		next := int64(math.MaxInt64)
		if more := slices.IndexFunc(lines[i:], func(l int64) bool { return l > f.Line }); more > 0 {
			next = lines[i+more]
		}
		file.Add(f, next)
	}
}

func Joined(lines []int64) string { return strings.Join(words.Mapped(lines, words.Int), ", ") }

// The message has all that these say.
