package change

import (
	"fmt"
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"slices"
	"strings"
)

func (r *WriteResult) WriteText(t *answer.Text, a answer.Answer) {
	if r.ExistedBefore && r.appended > 0 {
		t.Added(a, r.ShownDiff)
		return
	}
	t.Change(a, r.ShownDiff)
}

func (r *AppendResult) WriteText(t *answer.Text, a answer.Answer) {
	if r.ExistedBefore {
		t.Added(a, r.ShownDiff)
		return
	}
	t.Change(a, r.ShownDiff)
}

func (r *MkdirResult) WriteText(t *answer.Text, a answer.Answer) { t.Change(a, answer.ShownDiff{}) }

func (r *MoveResult) WriteText(t *answer.Text, a answer.Answer) { t.Change(a, answer.ShownDiff{}) }

func (r *DeleteResult) WriteText(t *answer.Text, a answer.Answer) { t.Change(a, answer.ShownDiff{}) }

// WriteText tells of a match that isn't exact, besides the sentence and the diff.
func (r *EditResult) WriteText(t *answer.Text, a answer.Answer) {
	var tiers []string
	for _, e := range r.Results {
		if e.Match != "exact" && !slices.Contains(tiers, e.Match) {
			tiers = append(tiers, e.Match)
		}
	}
	t.Change(a, r.ShownDiff)
	if len(tiers) > 0 {
		t.Note("match: " + strings.Join(tiers, ", "))
	}
}

// WriteText lists the files between the sentence and the diff if there are several, or one that is
// not just changed.
func (r *PatchResult) WriteText(t *answer.Text, a answer.Answer) {
	t.Line(a.Message)
	if len(r.Files) != 1 || r.Files[0].Action != "update" {
		for _, f := range r.Files {
			t.Line(f.text())
		}
	}
	if r.FilesTruncated {
		t.Note("files are left out of the list")
	}
	t.Diff(r.ShownDiff, ": read shows the file")
	t.Note(a.Hint)
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

// WriteText lists the paths after the sentence if there are several.
func (r *UndoResult) WriteText(t *answer.Text, a answer.Answer) {
	t.Line(a.Message)
	if len(r.Restored) > 1 {
		for _, f := range r.Restored {
			t.Line(f.Action, " ", words.Exact(f.Path))
		}
	}
	if r.Cut {
		t.Note("paths are left out of the list")
	}
	t.Diff(r.ShownDiff, "") // it is often of a folder, or of what is gone by now: there is nothing to read
	t.Note(a.Hint)
}

// WriteText writes a line for each call that can be taken back: its backup_id, when it was, the
// tool, the paths.
func (r *UndoListResult) WriteText(t *answer.Text, a answer.Answer) {
	for _, b := range r.Backups {
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
	if len(r.Backups) == 0 {
		t.Note("there is nothing to take back")
	}
	if r.NextCursor == "" {
		t.Note(a.Hint)
		return
	}
	t.GoOn(len(r.Backups), "call", r.TruncatedBy, r.NextCursor)
}
