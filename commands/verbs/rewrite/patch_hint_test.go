package rewrite

import (
	"strings"
	"testing"

	"fsbox/textio/patch"
)

// TestConflictHint checks what is said where all hunks fail for one reason, and where they don't.
func TestConflictHint(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		hunks      []FailedHunk
	}{
		{"no hunks", "every line of the file", nil},
		{"applied", "may have been applied before", []FailedHunk{{AlreadyApplied: true}}},
		{"some applied", "hunks with already_applied", []FailedHunk{{AlreadyApplied: true}, {}}},
		{"lenient", "set match to lenient", []FailedHunk{{Lenient: "indentation"}, {Lenient: "unicode"}}},
		{"lenient, of a short text", "copy the closest text as it is",
			[]FailedHunk{{Lenient: "unicode", Closest: []ClosestMatch{{Text: "a"}}}}},
		{"lenient, of a long text", "read the lines that come closest",
			[]FailedHunk{{Lenient: "unicode", Closest: []ClosestMatch{{Text: "a", TextTruncated: true}}}}},
		{"anchor", "the line after @@ isn't in the file", []FailedHunk{{Anchor: "x", Places: []int64{1}}}},
		{"taken", "lines of other hunks", []FailedHunk{{OutOfOrder: true, Places: []int64{1}}}},
		{"not at the end", "*** End of File", []FailedHunk{{Places: []int64{1}}}},
		{"given up", "took too long", []FailedHunk{{GivenUp: true, Places: []int64{1}}}},
		{"numbers", "line numbers", []FailedHunk{{Expected: "     1→a\n    12→"}}},
		{"numbers, but not before all lines", "details.files lists", []FailedHunk{{Expected: "     1→a\nb"}}},
		{"no arrow", "details.files lists", []FailedHunk{{Expected: "1\n2"}}},
		{"several", "details.files lists", []FailedHunk{{Places: []int64{1, 2}}}},
		{"of all sorts", "details.files lists", []FailedHunk{{Lenient: "unicode"}, {Anchor: "x"}}},
	} {
		files := []FailedFile{{Hunks: tt.hunks}}
		if got := ConflictHint(files); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func TestKindHint(t *testing.T) {
	section := func(action string) []*patch.File { return []*patch.File{{Action: action}} }
	plan := []*PatchPlan{
		{FilePlan: &patch.FilePlan{Path: "new", From: "d/x", Sections: section(patch.Move)}},
		{FilePlan: &patch.FilePlan{Path: "e/y", Sections: section(patch.Update)}},
		{FilePlan: &patch.FilePlan{Path: "f/z", Sections: section(patch.Delete)}},
	}
	const toFile, toFolder = "a folder can't become a file", "a file can't become a folder"
	for path, want := range map[string]string{"d": toFile, "d/x/z": toFolder, "f": toFile, "f/z/a": toFolder, "e": "", "d/xy": "", "new": ""} {
		got := KindHint(path, plan)
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q", path, got)
		}
	}
}
