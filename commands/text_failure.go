package commands

import (
	"fmt"
	"strings"
)

// failure writes the code, the message, the hint, and what of the details helps to do better.
func (t *text) failure(a answer) {
	t.paint(hueError, string(a.Error), ":")
	t.line(" ", shortTo(longestSentence, a.Message)) // as the JSON form does
	hint := hintText(a.Hint)
	if hint != "" {
		t.paint(hueHint, "hint:")
		t.line(" ", shortTo(longestSentence, hint))
	}
	switch d := a.Details.(type) {
	case *MissDetails:
		d.writeText(t)
	case *PlacesDetails:
		d.writeText(t)
	case *PatchFailureDetails:
		d.writeText(t)
	case *PathDetails:
		d.writeText(t, hint)
	case *EditDetails:
		if d.Edit > 0 {
			t.facts(d)
		}
	case *LineDetails, *BinaryDetails, *PatchDetails: // the message has it all
	default:
		t.facts(d)
	}
}

// hintText is a hint, whose references to members of details become references to what follows.
func hintText(hint string) string {
	if !strings.Contains(hint, "details.") {
		return hint
	}
	return strings.NewReplacer(
		"copy details.closest[0].text", "copy the text below",
		"see details.closest", "see below",
		"one of details.similar", "one of these",
		"one of details.exact_names", "one of these",
		"details.exact_names has it", "it is below, as path_base64",
		"details.files lists", "below is",
		"details.", "",
	).Replace(hint)
}

// writeText writes the lines that come closest, as they are in the file, so that they can be
// copied.
func (d *MissDetails) writeText(t *text) { t.closest(d.Closest) }

func (t *text) closest(all []ClosestMatch) {
	for i, c := range all {
		what := "closest, "
		if i > 0 {
			what = "also close, "
		}
		lines := fmt.Sprintf("lines %d to %d", c.StartLine, c.EndLine)
		if c.StartLine == c.EndLine {
			lines = fmt.Sprintf("line %d", c.StartLine)
		}
		if c.TextTruncated {
			lines += " (not whole)"
		}
		if t.line(what, lines, ":"); c.Text != "" {
			t.block(c.Text)
		}
		if at := c.FirstDifference; i == 0 && at.Expected+at.Found != "" {
			t.line(fmt.Sprintf("first difference, line %d, column %d:", at.Line, at.Column))
			t.line("expected ", at.Expected)
			t.line("found    ", at.Found)
		}
	}
}

// writeText writes the places as grep does.
func (d *PlacesDetails) writeText(t *text) {
	t.places(d.Lines, d.Snippets)
	if more := d.Count - len(d.Lines); more > 0 {
		t.note(plural(int64(more), "more place"))
	}
	if d.CountApart > 0 {
		t.note(fmt.Sprintf("%d that don't overlap", d.CountApart))
	}
}

// places writes lines with those around them, which are in the snippets as far as there are any.
func (t *text) places(lines []int64, snippets []string) {
	if len(snippets) < len(lines) {
		t.line("lines: ", joined(lines))
	}
	file := matchLines{text: t, apart: true}
	var all []GrepMatch
	for i, s := range snippets[:min(len(snippets), len(lines))] {
		m, parts := GrepMatch{Line: lines[i]}, strings.Split(s, "\n")
		if m.Line > 1 && len(parts) > 1 {
			m.Before, parts = parts[:1], parts[1:]
		}
		m.Snippet, m.After = parts[0], parts[1:]
		all = append(all, m)
	}
	for i := range all {
		file.add(all[i:])
	}
}

func joined(lines []int64) string { return strings.Join(mapped(lines, formatInt), ", ") }

// writeText writes what the hint doesn't say.
func (d *PathDetails) writeText(t *text, hint string) {
	for _, path := range d.Similar {
		inHint := fmt.Sprintf("%q", path)
		if exact := base64Name(path); exact != "" {
			inHint = exact
		}
		if len(d.Similar) > 1 || !strings.Contains(hint, inHint) {
			t.line("similar: ", exactText(path))
		}
	}
	rest := *d
	rest.Path, rest.Type, rest.Pattern, rest.Similar, rest.ExactNames, rest.Line = "", "", "", nil, nil, 0
	t.facts(&rest)
}

// writeText writes every hunk that fails, with what is in the file instead.
func (d *PatchFailureDetails) writeText(t *text) {
	for _, f := range d.Files {
		if len(d.Files) > 1 || d.Truncated {
			t.line(exactText(f.Path), ": ", string(f.Error), ": ", oneLine(f.Message))
		}
		for _, path := range f.Similar {
			t.line("similar: ", exactText(path))
		}
		for _, h := range f.Hunks {
			h.writeText(t)
		}
	}
	if d.Truncated {
		t.note(fmt.Sprintf("%s of %s fail, and not all of them are shown", plural(int64(d.HunksFailed), "hunk"),
			plural(int64(d.FilesFailed), "file")))
	}
}

func (h *FailedHunk) writeText(t *text) {
	var why []string
	add := func(is bool, what string) {
		if is {
			why = append(why, what)
		}
	}
	add(h.AlreadyApplied, "its new lines are in the file already")
	add(h.Anchor != "", "the text after @@ isn't in the file")
	add(h.Lenient != "", "it fits with match lenient ("+h.Lenient+")")
	add(h.GivenUp, "its lines are too common to look for")
	add(h.OutOfOrder, "it fits only on lines of other hunks")
	add(len(h.Places) == 1, "it fits at line "+joined(h.Places))
	add(len(h.Places) > 1, "it fits at lines "+joined(h.Places))
	add(len(why) == 0 && h.Reason != "", "differs in "+h.Reason)
	add(len(why) == 0 && len(h.Closest) == 0, "nothing in the file is like it")
	t.line(strings.TrimSuffix(fmt.Sprintf("hunk in line %d of the patch: %s", h.Line, strings.Join(why, "; ")), ": "))
	t.closest(h.Closest)
	if n := min(len(h.Places), len(h.Snippets)); n > 0 {
		t.places(h.Places[:n], h.Snippets)
	}
}
