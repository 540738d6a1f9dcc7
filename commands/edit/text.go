package edit

import (
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/words"
	"fsbox/textio/edit"
)

// WriteText shows a diff of what was replaced in several places at once, or by a match that isn't
// exact. It tells of such a match as well, and of one that is exact except for line ends.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
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
	where := change.PlacesOf(lines, r.Replacements)
	if one := r.Results; len(r.Sources) > 0 && len(one) == 1 && one[0].Anchored != nil {
		where, grown = r.movedTo(one[0].Anchored), 0
	}
	if grown != 0 {
		where += fmt.Sprintf(", later lines %+d", grown)
	}
	several := r.Replacements > len(r.Results)
	t.Change(a, where, r.ShownDiff, several || slices.ContainsFunc(tiers, change.IsNews), r.DryRun)
	if len(tiers) > 0 {
		t.Note("match: " + strings.Join(tiers, ", "))
	}
}

// movedTo says where the lines of the only edit are now.
func (r *Result) movedTo(a *edit.Anchored) string {
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
