package answer

import "fsbox/commands/words"

// Change writes one sentence with the lines that changed. The caller knows what he sent, so the
// diff follows only if it tells something new, or if he or the operator asked for it.
func (t *Text) Change(a Answer, where string, d ShownDiff, tells bool) {
	t.Line(a.Message, where)
	if tells || a.ShowDiff {
		t.Diff(d, ": read shows the file")
	}
	t.Note(a.Hint)
}

// Sentence writes one sentence, of a change that has no diff.
func (t *Text) Sentence(a Answer) { t.Change(a, "", ShownDiff{}, false) }

// Diff writes a diff. remedy says what to do if it isn't whole.
func (t *Text) Diff(d ShownDiff, remedy string) {
	paintedDiff(t, words.Deref(d.Diff))
	switch {
	case d.DiffTruncated == nil || !*d.DiffTruncated:
	case words.Deref(d.Diff) == "":
		t.Note("there is no diff of a folder, or of a file that is long or binary" + remedy)
	default:
		t.Note("the diff is not whole" + remedy)
	}
}

// ShownDiff are the members of an answer that show what changed: nil unless the request asks for
// them.
type ShownDiff struct {
	// unified, at most 200 lines; "" for binary content, and for what is appended to a file over 64
	// KiB; left out with diff false
	Diff          *string `json:"diff,omitzero"`
	DiffTruncated *bool   `json:"diff_truncated,omitzero"` // the diff is not whole: it was cut, or a file is binary, too long or a folder
}
