package patch

import (
	"fmt"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/words"
	"fsbox/textio/patch"
)

// WriteDetails writes every hunk that fails, with what is in the file instead.
func (d *FailureDetails) WriteDetails(t *answer.Text, _ string) {
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
func (d *FailureDetails) Lacks() string {
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
	add(h.AlreadyApplied, "its new lines are already in the file")
	add(h.Anchor != "", "the text after @@ isn't in the file")
	add(h.Lenient != "", "it fits with match lenient ("+h.Lenient+")")
	add(h.TooCommon, "its lines are too common to look for")
	add(h.OutOfOrder, "it fits only on lines of other hunks, or before them")
	add(len(h.Places) == 1, "it fits at line "+change.Joined(h.Places))
	add(len(h.Places) > 1, "it fits at lines "+change.Joined(h.Places))
	add(len(why) == 0 && h.Reason != "", "differs in "+h.Reason)
	add(h.NotCompared, "the closest text was not searched for")
	add(len(why) == 0 && len(h.Closest) == 0, "nothing in the file is similar")
	t.Part()
	t.Line(strings.TrimSuffix(fmt.Sprintf("hunk in line %d of the patch: %s", h.Line, strings.Join(why, "; ")), ": "))
	change.WriteClosest(t, h.Closest)
	if n := min(len(h.Places), len(h.Snippets)); n > 0 {
		change.WritePlaces(t, h.Places[:n], h.Snippets)
	}
}

func (*Details) WriteDetails(*answer.Text, string) {}
