package change

import (
	"fmt"
	"fsbox/commands/answer"
	"fsbox/commands/words"
	"slices"
	"strings"
)

func (r *WriteResult) WriteText(t *answer.Text, a answer.Answer) {
	t.Change(a, countOf(r.Additions, r.Deletions), r.ShownDiff, r.DryRun)
}

func (r *AppendResult) WriteText(t *answer.Text, a answer.Answer) {
	t.Change(a, countOf(r.additions, r.deletions), r.ShownDiff, r.DryRun)
}

func (r *MkdirResult) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

func (r *MoveResult) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

func (r *DeleteResult) WriteText(t *answer.Text, a answer.Answer) { t.Sentence(a) }

// countOf says how many lines were added and removed, as far as they are known.
func countOf(additions, deletions int) string {
	switch {
	case additions+deletions == 0:
		return ""
	case deletions == 0:
		return ": " + words.Plural(int64(additions), "line")
	}
	return fmt.Sprintf(": +%d -%d lines", additions, deletions)
}

// longestPlaces is how long what the sentence says of lines may be before it ends, in characters.
const longestPlaces = 60

// placesOf names the lines of all places, as far as they are known and a sentence has room.
func placesOf(lines []int64, all int) string {
	if len(lines) == 0 {
		return ""
	}
	text := ": line " + words.Int(lines[0])
	if all > 1 {
		text = ": lines" + text[6:]
	}
	for i := 1; i < all; i++ {
		if i == len(lines) || len(text) > longestPlaces {
			return text + ", and more"
		}
		text += ", " + words.Int(lines[i])
	}
	return text
}

// WriteText shows a diff of what was replaced in several places at once, or by a match that isn't
// exact, of which it tells as well.
func (r *EditResult) WriteText(t *answer.Text, a answer.Answer) {
	var tiers []string
	var lines []int64
	for _, e := range r.Results {
		lines = append(lines, e.Lines...)
		if e.Match != "exact" && !slices.Contains(tiers, e.Match) {
			tiers = append(tiers, e.Match)
		}
	}
	several := r.Replacements > len(r.Results)
	t.Change(a, placesOf(lines, r.Replacements), r.ShownDiff, r.DryRun || several || len(tiers) > 0)
	if len(tiers) > 0 {
		t.Note("match: " + strings.Join(tiers, ", "))
	}
}

// WriteText adds a line for each file to the sentence if there are several, or one that is not just
// changed. The diff follows if a hunk isn't where the patch said, or didn't match exactly.
func (r *PatchResult) WriteText(t *answer.Text, a answer.Answer) {
	where := strings.Join(words.Mapped(r.Files, func(f PatchedFile) string { return "\n" + f.text() + f.places() }), "")
	if len(r.Files) == 1 && r.Files[0].Action == "update" {
		where = r.Files[0].places()
	}
	if r.FilesTruncated {
		t.Note("files are left out of the list")
	}
	t.Change(a, where, r.ShownDiff, r.DryRun || r.moved)
}

// places names the lines of the hunks of a file that was there.
func (f *PatchedFile) places() string {
	all := len(f.Hunks)
	if f.HunksCut {
		all++
	}
	if f.Action == "add" || f.Action == "delete" {
		return ""
	}
	return placesOf(words.Mapped(f.Hunks, func(h HunkPlace) int64 { return h.Line }), all)
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
