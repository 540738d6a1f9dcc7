package answer

import "fsbox/commands/words"

// Change writes one sentence, and the diff if the request asks for one.
func (t *Text) Change(a Answer, d ShownDiff) {
	t.Line(a.Message)
	t.Diff(d, ": read shows the file")
	t.Note(a.Hint)
}

// Diff writes a diff. remedy says what to do if it isn't whole.
func (t *Text) Diff(d ShownDiff, remedy string) {
	t.paintedDiff(words.Deref(d.Diff))
	switch {
	case d.DiffTruncated == nil || !*d.DiffTruncated:
	case words.Deref(d.Diff) == "":
		t.Note("there is no diff of a folder, or of a file that is long or binary" + remedy)
	default:
		t.Note("the diff is not whole" + remedy)
	}
}

// Added is change for text at the end of a file. The caller knows it, so a diff isn't missed.
func (t *Text) Added(a Answer, d ShownDiff) {
	t.Line(a.Message)
	if words.Deref(d.Diff) != "" {
		t.Diff(d, ": read with a negative start_line shows the end")
	}
	t.Note(a.Hint)
}

// ShownDiff are the members of an answer that show what changed: nil unless the request asks for
// them.
type ShownDiff struct {
	// unified, at most 200 lines; "" for binary content, and for what is appended to a file over 64
	// KiB; left out with diff false
	Diff          *string `json:"diff,omitzero"`
	DiffTruncated *bool   `json:"diff_truncated,omitzero"` // the diff is not whole: it was cut, or a file is binary, too long or a folder
}
