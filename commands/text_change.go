package commands

import (
	"fmt"
	"fsbox/commands/words"
	"slices"
	"strings"
)

func (r *WriteResult) writeText(t *text, a answer) {
	if r.ExistedBefore && r.appended > 0 {
		t.added(a, r.ShownDiff)
		return
	}
	t.change(a, r.ShownDiff)
}

func (r *AppendResult) writeText(t *text, a answer) {
	if r.ExistedBefore {
		t.added(a, r.ShownDiff)
		return
	}
	t.change(a, r.ShownDiff)
}

func (r *MkdirResult) writeText(t *text, a answer) { t.change(a, ShownDiff{}) }

func (r *MoveResult) writeText(t *text, a answer) { t.change(a, ShownDiff{}) }

func (r *DeleteResult) writeText(t *text, a answer) { t.change(a, ShownDiff{}) }

// writeText tells of a match that isn't exact, besides the sentence and the diff.
func (r *EditResult) writeText(t *text, a answer) {
	var tiers []string
	for _, e := range r.Results {
		if e.Match != "exact" && !slices.Contains(tiers, e.Match) {
			tiers = append(tiers, e.Match)
		}
	}
	t.change(a, r.ShownDiff)
	if len(tiers) > 0 {
		t.note("match: " + strings.Join(tiers, ", "))
	}
}

// writeText lists the files between the sentence and the diff if there are several, or one that is
// not just changed.
func (r *PatchResult) writeText(t *text, a answer) {
	t.line(a.Message)
	if len(r.Files) != 1 || r.Files[0].Action != "update" {
		for _, f := range r.Files {
			t.line(f.text())
		}
	}
	if r.FilesTruncated {
		t.note("files are left out of the list")
	}
	t.diff(r.ShownDiff, ": read shows the file")
	t.note(a.Hint)
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

// writeText lists the paths after the sentence if there are several.
func (r *UndoResult) writeText(t *text, a answer) {
	t.line(a.Message)
	if len(r.Restored) > 1 {
		for _, f := range r.Restored {
			t.line(f.Action, " ", words.Exact(f.Path))
		}
	}
	if r.Cut {
		t.note("paths are left out of the list")
	}
	t.diff(r.ShownDiff, "") // it is often of a folder, or of what is gone by now: there is nothing to read
	t.note(a.Hint)
}

// writeText writes a line for each call that can be taken back: its backup_id, when it was, the
// tool, the paths.
func (r *UndoListResult) writeText(t *text, a answer) {
	for _, b := range r.Backups {
		paths := words.Mapped(b.Paths, words.Exact)
		if b.MorePaths > 0 {
			paths = append(paths, words.Int(int64(b.MorePaths))+" more")
		}
		if b.Blocked {
			paths = append(paths, "(blocked)")
		}
		when := words.Time(b.Time)
		if t.people() {
			when = words.LocalTime(b.Time, "2006-01-02 15:04:05")
		}
		t.paint(hueKey, b.BackupID)
		t.line(" ", when, " ", b.Tool, " ", strings.Join(paths, ", "))
	}
	if len(r.Backups) == 0 {
		t.note("there is nothing to take back")
	}
	if r.NextCursor == "" {
		t.note(a.Hint)
		return
	}
	t.goOn(len(r.Backups), "call", r.TruncatedBy, r.NextCursor)
}
