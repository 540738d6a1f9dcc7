package look

import (
	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText writes what is known of a path.
func (r *InfoResult) WriteText(t *answer.Text, a answer.Answer) {
	if r.Exists {
		t.Facts(r)
	} else {
		t.Line("path: ", words.Exact(r.Path))
		t.Line("exists: false")
	}
	t.Note(a.Hint)
}
