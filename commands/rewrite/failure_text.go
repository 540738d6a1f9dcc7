package rewrite

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// WriteDetails writes the lines that come closest, as they are in the file, so that they can be
// copied.
func (d *MissDetails) WriteDetails(t *answer.Text, _ string) { writeClosest(t, d.Closest) }

func writeClosest(t *answer.Text, all []edit.ClosestMatch) {
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

// WriteDetails writes the places as grep does.
func (d *PlacesDetails) WriteDetails(t *answer.Text, _ string) {
	writePlaces(t, d.Lines, d.Snippets)
	if more := d.Count - len(d.Lines); more > 0 {
		t.Note(words.Plural(int64(more), "more place"))
	}
	if d.CountApart > 0 {
		t.Note(fmt.Sprintf("%d that don't overlap", d.CountApart))
	}
}

// writePlaces writes lines with those around them, which are in the snippets as far as there are
// any.
func writePlaces(t *answer.Text, lines []int64, snippets []string) {
	if len(snippets) < len(lines) {
		t.Line("lines: ", joined(lines))
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

func joined(lines []int64) string { return strings.Join(words.Mapped(lines, words.Int), ", ") }

// WriteDetails writes every hunk that fails, with what is in the file instead.
func (d *PatchFailureDetails) WriteDetails(t *answer.Text, _ string) {
	for _, f := range d.Files {
		if len(d.Files) > 1 || d.Truncated {
			t.Line(words.Exact(f.Path), ": ", string(f.Error), ": ", words.OneLine(f.Message))
		}
		for _, path := range f.Similar {
			t.Line("similar: ", words.Exact(path))
		}
		for _, h := range f.Hunks {
			writeHunk(t, h)
		}
	}
}

// Lacks says on the first line that not all hunks are shown.
func (d *PatchFailureDetails) Lacks() string {
	if !d.Truncated {
		return ""
	}
	return fmt.Sprintf("%s of %s fail, and not all of them are shown whole", words.Plural(int64(d.HunksFailed), "hunk"),
		words.Plural(int64(d.FilesFailed), "file"))
}

func writeHunk(t *answer.Text, h patch.HunkConflict) {
	var why []string
	add := func(is bool, what string) {
		if is {
			why = append(why, what)
		}
	}
	add(h.AlreadyApplied, "its new lines are in the file already")
	add(h.Anchor != "", "the text after @@ isn't in the file")
	add(h.Lenient != "", "it fits with match lenient ("+h.Lenient+")")
	add(h.TooCommon, "its lines are too common to look for")
	add(h.OutOfOrder, "it fits only on lines of other hunks, or before them")
	add(len(h.Places) == 1, "it fits at line "+joined(h.Places))
	add(len(h.Places) > 1, "it fits at lines "+joined(h.Places))
	add(len(why) == 0 && h.Reason != "", "differs in "+h.Reason)
	add(h.NotCompared, "what comes closest was not looked for")
	add(len(why) == 0 && len(h.Closest) == 0, "nothing in the file is like it")
	t.Part()
	t.Line(strings.TrimSuffix(fmt.Sprintf("hunk in line %d of the patch: %s", h.Line, strings.Join(why, "; ")), ": "))
	writeClosest(t, h.Closest)
	if n := min(len(h.Places), len(h.Snippets)); n > 0 {
		writePlaces(t, h.Places[:n], h.Snippets)
	}
}

// WriteDetails writes nothing for a single edit: the message has it all.
func (d *EditDetails) WriteDetails(t *answer.Text, _ string) {
	if d.Edit > 0 {
		t.Facts(d)
	}
}

// The message has all that these say.

func (*PatchDetails) WriteDetails(*answer.Text, string) {}
