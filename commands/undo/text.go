package undo

import (
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// WriteText lists the paths after the sentence if there are several.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	if r.Cut {
		t.First("paths are omitted from the list")
	}
	t.First(r.ShownDiff.Lack(""))
	t.Line(a.Message)
	if len(r.Restored) > 1 {
		for _, f := range r.Restored {
			t.Part()
			t.Line(f.Action, " ", words.Exact(f.Path))
		}
	}
	t.Diff(r.ShownDiff, "") // it is often of a folder, or of what is gone by now: there is nothing to read
	t.Note(a.Hint)
}

// WriteText writes a line for each call that can be undone: its backup_id, when it was, the
// tool, the paths.
func (r *ListResult) WriteText(t *answer.Text, a answer.Answer) {
	hint := a.Hint
	if r.NextCursor != "" { // the first line says it
		hint = ""
	}
	switch {
	case r.above.Call != nil:
		t.Note("no backup names the path itself")
	case len(r.Backups) == 0:
		t.Note("there is nothing to undo")
	}
	t.Note(t.PageOf(len(r.Backups), "call", "", r.TruncatedBy, r.NextCursor, hint))
	for i := range r.Backups {
		r.Backups[i].write(t)
	}
}

// write writes the line of a call.
func (b *BackupEntry) write(t *answer.Text) {
	paths := words.Mapped(b.Paths, words.Exact)
	if b.MorePaths > 0 {
		paths = append(paths, words.Int(int64(b.MorePaths))+" more")
	}
	if b.Blocked {
		paths = append(paths, "(blocked)")
	}
	when := words.Time(b.Time)
	if t.People() {
		when = words.LocalTime(b.Time, "2006-01-02 15:04:05")
	}
	t.Paint(answer.HueKey, b.BackupID)
	t.Line(" ", when, " ", b.Tool, " ", strings.Join(paths, ", "))
}
