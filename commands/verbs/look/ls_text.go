package look

import (
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText writes one path a line: folders with "/", links with where they lead.
func (r *LsResult) WriteText(t *answer.Text, a answer.Answer) {
	if t.People() && r.Count > 0 {
		t.TableHead()
	}
	for e := range r.Entries.All() {
		if t.People() {
			e.columns(t)
		}
		t.Path(words.Exact(e.Path), e.suffix())
	}
	if r.Count == 0 && !r.Truncated {
		t.Note("nothing to list in " + words.Name(r.Path))
	}
	t.GoOn(r.Count, "entry", r.TruncatedBy, r.NextCursor)
	t.LeftOut(answer.LeftOut{Hidden: r.Hidden, Ignored: r.Ignored}, true)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(a.Hint)
}

// suffix is what follows the path in the text form.
func (e LsEntry) suffix() string {
	switch suffix := answer.TypeSuffix(e.Type); {
	case e.Blocked:
		return suffix + " (blocked)"
	case e.Type == "symlink":
		return answer.LinkSuffix(e.LinkTarget)
	default:
		return suffix
	}
}

// columns writes what stands before the path in a table.
func (e LsEntry) columns(t *answer.Text) {
	size := words.Size(e.Size)
	if e.Type != "file" {
		size = "-"
	}
	t.Add(fmt.Sprintf("%10s  %s  ", size, words.LocalTime(e.Modified, "2006-01-02 15:04")))
}
