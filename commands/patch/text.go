package patch

import (
	"fmt"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/words"
	"fsbox/textio/patch"
)

// WriteText adds a line for each file to the sentence if there are several, or one that is not just
// changed. The diff follows if a hunk isn't where the patch said, or didn't match exactly.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	where := strings.Join(words.Mapped(r.Files, func(f PatchedFile) string { return "\n" + f.text() + f.places() }), "")
	if r.count == 1 && len(r.Files) == 1 && r.Files[0].Action == "update" {
		where = r.Files[0].places()
	}
	if r.FilesTruncated {
		t.Note("files are omitted from the list")
	}
	t.Change(a, where, r.ShownDiff, r.moved, r.DryRun)
}

// places names the lines of the hunks of a file that was there.
func (f *PatchedFile) places() string {
	all := len(f.Hunks)
	if f.HunksCut {
		all++
	}
	if f.Action == "add" || f.Action == "delete" {
		return ""
	}
	return change.PlacesOf(words.Mapped(f.Hunks, func(h patch.HunkResult) string { return words.Int(h.Line) }), all)
}

// text says what became of a file.
func (f *PatchedFile) text() string {
	name := words.Exact(f.Path)
	if f.From != "" {
		name = words.Exact(f.From) + " -> " + name
	}
	if f.Additions+f.Deletions == 0 {
		return f.Action + " " + name
	}
	return fmt.Sprintf("%s %s (+%d -%d)", f.Action, name, f.Additions, f.Deletions)
}
