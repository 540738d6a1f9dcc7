package commands

import (
	"strings"
	"testing"

	"fsbox/commands/verbs/rewrite"
	"fsbox/textio/patch"
)

// TestConflictHint checks what is said where all hunks fail for one reason, and where they don't.
func TestConflictHint(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		hunks      []rewrite.FailedHunk
	}{
		{"no hunks", "every line of the file", nil},
		{"applied", "may have been applied before", []rewrite.FailedHunk{{AlreadyApplied: true}}},
		{"some applied", "hunks with already_applied", []rewrite.FailedHunk{{AlreadyApplied: true}, {}}},
		{"lenient", "set match to lenient", []rewrite.FailedHunk{{Lenient: "indentation"}, {Lenient: "unicode"}}},
		{"lenient, of a short text", "copy the closest text as it is",
			[]rewrite.FailedHunk{{Lenient: "unicode", Closest: []rewrite.ClosestMatch{{Text: "a"}}}}},
		{"lenient, of a long text", "read the lines that come closest",
			[]rewrite.FailedHunk{{Lenient: "unicode", Closest: []rewrite.ClosestMatch{{Text: "a", TextTruncated: true}}}}},
		{"anchor", "the line after @@ isn't in the file", []rewrite.FailedHunk{{Anchor: "x", Places: []int64{1}}}},
		{"taken", "lines of other hunks", []rewrite.FailedHunk{{OutOfOrder: true, Places: []int64{1}}}},
		{"not at the end", "*** End of File", []rewrite.FailedHunk{{Places: []int64{1}}}},
		{"given up", "took too long", []rewrite.FailedHunk{{GivenUp: true, Places: []int64{1}}}},
		{"numbers", "line numbers", []rewrite.FailedHunk{{Expected: "     1→a\n    12→"}}},
		{"numbers, but not before all lines", "details.files lists", []rewrite.FailedHunk{{Expected: "     1→a\nb"}}},
		{"no arrow", "details.files lists", []rewrite.FailedHunk{{Expected: "1\n2"}}},
		{"several", "details.files lists", []rewrite.FailedHunk{{Places: []int64{1, 2}}}},
		{"of all sorts", "details.files lists", []rewrite.FailedHunk{{Lenient: "unicode"}, {Anchor: "x"}}},
	} {
		files := []rewrite.FailedFile{{Hunks: tt.hunks}}
		if got := rewrite.ConflictHint(files); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func TestKindHint(t *testing.T) {
	section := func(action string) []*patch.File { return []*patch.File{{Action: action}} }
	plan := []*rewrite.PatchPlan{
		{FilePlan: &patch.FilePlan{Path: "new", From: "d/x", Sections: section(patch.Move)}},
		{FilePlan: &patch.FilePlan{Path: "e/y", Sections: section(patch.Update)}},
		{FilePlan: &patch.FilePlan{Path: "f/z", Sections: section(patch.Delete)}},
	}
	const toFile, toFolder = "a folder can't become a file", "a file can't become a folder"
	for path, want := range map[string]string{"d": toFile, "d/x/z": toFolder, "f": toFile, "f/z/a": toFolder, "e": "", "d/xy": "", "new": ""} {
		got := rewrite.KindHint(path, plan)
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q", path, got)
		}
	}
}
