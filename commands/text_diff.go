package commands

import "fsbox/commands/words"

// change writes one sentence, and the diff if the request asks for one.
func (t *text) change(a answer, d ShownDiff) {
	t.line(a.Message)
	t.diff(d, ": read shows the file")
	t.note(a.Hint)
}

// diff writes a diff. remedy says what to do if it isn't whole.
func (t *text) diff(d ShownDiff, remedy string) {
	t.paintedDiff(words.Deref(d.Diff))
	switch {
	case d.DiffTruncated == nil || !*d.DiffTruncated:
	case words.Deref(d.Diff) == "":
		t.note("there is no diff of a folder, or of a file that is long or binary" + remedy)
	default:
		t.note("the diff is not whole" + remedy)
	}
}

// added is change for text at the end of a file. The caller knows it, so a diff isn't missed.
func (t *text) added(a answer, d ShownDiff) {
	t.line(a.Message)
	if words.Deref(d.Diff) != "" {
		t.diff(d, ": read with a negative start_line shows the end")
	}
	t.note(a.Hint)
}

// ShownDiff are the members of an answer that show what changed: nil unless the request asks for
// them.
type ShownDiff struct {
	// unified, at most 200 lines; "" for binary content, and for what is appended to a file over 64
	// KiB; left out with diff false
	Diff          *string `json:"diff,omitzero"`
	DiffTruncated *bool   `json:"diff_truncated,omitzero"` // the diff is not whole: it was cut, or a file is binary, too long or a folder
}
