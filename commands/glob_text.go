package commands

import (
	"fmt"
	"fsbox/commands/words"

	"github.com/go-json-experiment/json/jsontext"
)

// writeText writes one path a line, marked as in a listing.
func (r *GlobResult) writeText(t *text, a answer) {
	exact, suffixes := r.ExactNames, r.suffixes
	n := 0
	r.Files.tokens(func(token jsontext.Token) bool {
		if token.Kind() != '"' {
			return true
		}
		name, suffix := token.String(), ""
		if len(exact) > 0 && words.Shown(exact[0].Path) == name {
			name, exact = exact[0].Path, exact[1:]
		}
		if len(suffixes) > 0 && suffixes[0].item == n {
			suffix, suffixes = suffixes[0].text, suffixes[1:]
		}
		t.path(words.Exact(name), suffix)
		n++
		return true
	})
	if n == 0 && !r.Truncated {
		t.note(fmt.Sprintf("no %s matches %q", r.noun, r.Pattern))
	}
	t.goOn(n, r.noun, r.TruncatedBy, r.NextCursor)
	t.leftOut(leftOut{hidden: r.Hidden, ignored: r.Ignored, blocked: r.Blocked}, n == 0)
	t.notRead(r.Skipped, r.SkippedCount)
	t.note(a.Hint)
}
