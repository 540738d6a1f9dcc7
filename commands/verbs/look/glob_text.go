package look

import (
	"fmt"
	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText writes one path a line, marked as in a listing.
func (r *GlobResult) WriteText(t *answer.Text, a answer.Answer) {
	suffixes := r.suffixes
	for n, name := range r.Files {
		suffix := ""
		if len(suffixes) > 0 && suffixes[0].Item == n {
			suffix, suffixes = suffixes[0].Text, suffixes[1:]
		}
		t.Path(words.Exact(name), suffix)
	}
	n := len(r.Files)
	if n == 0 && !r.Truncated {
		t.Note(fmt.Sprintf("no %s matches %q", r.noun, r.Pattern))
	}
	t.GoOn(n, r.noun, r.TruncatedBy, r.NextCursor)
	t.LeftOut(answer.LeftOut{Hidden: r.Hidden, Ignored: r.Ignored, Blocked: r.Blocked}, n == 0)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(a.Hint)
}
