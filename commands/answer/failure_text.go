package answer

import "strings"

// writeFailure writes the code, the message, the hint, and what of the details helps to do better.
func writeFailure(t *Text, a Answer) {
	t.Paint(hueError, string(a.Error), ":")
	t.Line(" ", a.Message)
	hint := HintText(a.Hint)
	if hint != "" {
		t.Paint(hueHint, "hint:")
		t.Line(" ", hint)
	}
	if d, ok := a.Details.(detailsWriter); ok {
		d.WriteDetails(t, hint)
	} else {
		t.Facts(a.Details)
	}
}

// detailsWriter is implemented by details whose text form isn't a line for each member. hint is
// what the text has said already.
type detailsWriter interface{ WriteDetails(t *Text, hint string) }

// HintText is a hint, whose references to members of details become references to what follows.
func HintText(hint string) string {
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
