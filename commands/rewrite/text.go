package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// WriteText shows a diff of what was replaced in several places at once, or by a match that isn't
// exact. It tells of such a match as well, and of one that is exact except for line ends.
func (r *EditResult) WriteText(t *answer.Text, a answer.Answer) {
	var tiers []string
	var lines []string
	grown := int64(0)
	for _, e := range r.Results {
		if e.Anchored != nil {
			lines, grown = append(lines, anchoredPlace(e.Anchored, len(r.Results))), grown+e.Anchored.Grown
			continue
		}
		lines = append(lines, words.Mapped(e.Lines, words.Int)...)
		if e.Tier != edit.TierExact && !slices.Contains(tiers, e.Tier) {
			tiers = append(tiers, e.Tier)
		}
	}
	where := placesOf(lines, r.Replacements)
	if one := r.Results; len(r.Sources) > 0 && len(one) == 1 && one[0].Anchored != nil {
		where, grown = r.movedTo(one[0].Anchored), 0
	}
	if grown != 0 {
		where += fmt.Sprintf(", later lines %+d", grown)
	}
	several := r.Replacements > len(r.Results)
	t.Change(a, where, r.ShownDiff, r.DryRun || several || slices.ContainsFunc(tiers, isNews))
	if len(tiers) > 0 {
		t.Note("match: " + strings.Join(tiers, ", "))
	}
}

// movedTo says where the lines of the only edit are now.
func (r *EditResult) movedTo(a *edit.Anchored) string {
	place := anchoredPlace(a, 1)
	if a.Last >= a.First {
		place = "in place of " + words.LineRange(a.First, a.Last)
	}
	s := r.Sources[0]
	place = ": " + place + ", now " + words.LineRange(a.Now, a.Now+s.EndLine-s.StartLine)
	if a.Grown != 0 && (r.moved != nil || !s.Cut) {
		place += fmt.Sprintf(", later lines %+d", a.Grown)
	}
	return place
}

// isNews reports whether the caller may not know which text a match has: one that is exact, except
// for line ends, is what was sent.
func isNews(match string) bool { return match != edit.TierExact && match != edit.TierEOL }

// anchoredPlace names the lines that an edit with an anchor replaced, or the one after which it put
// new ones; of one edit among several, by how much it moved those after it.
func anchoredPlace(a *edit.Anchored, edits int) string {
	first, last := a.First, a.Last
	place := words.Int(first)
	switch {
	case last == 0:
		place = "at the top"
	case last < first:
		place = "after line " + words.Int(last)
	case last > first:
		place += "-" + words.Int(last)
	}
	if edits > 1 && a.Grown != 0 {
		place += fmt.Sprintf(" (%+d)", a.Grown)
	}
	return place
}

// WriteText adds a line for each file to the sentence if there are several, or one that is not just
// changed. The diff follows if a hunk isn't where the patch said, or didn't match exactly.
func (r *PatchResult) WriteText(t *answer.Text, a answer.Answer) {
	where := strings.Join(words.Mapped(r.Files, func(f PatchedFile) string { return "\n" + f.text() + f.places() }), "")
	if r.count == 1 && len(r.Files) == 1 && r.Files[0].Action == "update" {
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
	return placesOf(words.Mapped(f.Hunks, func(h patch.HunkResult) string { return words.Int(h.Line) }), all)
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

// placesOf names the lines of all places, as far as they are known and a sentence has room.
func placesOf(lines []string, all int) string {
	if len(lines) == 0 {
		return ""
	}
	text := ": "
	switch first := lines[0]; {
	case first[0] == 'a': // it says itself where it is
	case all > 1 || strings.Contains(first, "-"):
		text += "lines "
	default:
		text += "line "
	}
	text += lines[0]
	for i := 1; i < all; i++ {
		if i == len(lines) || len(text) > longestPlaces {
			return text + ", and more"
		}
		text += ", " + lines[i]
	}
	return text
}

// longestPlaces is how long what the sentence says of lines may be before it ends, in characters.
const longestPlaces = 60
