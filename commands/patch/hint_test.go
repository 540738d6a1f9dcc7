package patch

import (
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/textio/patch"
)

// TestConflictHint checks what is said where all hunks fail for one reason, and where they don't.
func TestConflictHint(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		hunks      []patch.HunkConflict
	}{
		{"no hunks", "every line of the file", nil},
		{"applied", "may have been applied before", []patch.HunkConflict{{AlreadyApplied: true}}},
		{"some applied", "hunks with already_applied", []patch.HunkConflict{{AlreadyApplied: true}, {}}},
		{"lenient", "set match to lenient", []patch.HunkConflict{{Lenient: "indentation"}, {Lenient: "unicode"}}},
		{"anchor", "the line after @@ isn't in the file", []patch.HunkConflict{{Anchor: "x", Places: []int64{1}}}},
		{"taken", "lines of other hunks", []patch.HunkConflict{{OutOfOrder: true, Places: []int64{1}}}},
		{"not at the end", "*** End of File", []patch.HunkConflict{{Places: []int64{1}}}},
		{"given up", "took too long", []patch.HunkConflict{{TooCommon: true, Places: []int64{1}}}},
		{"numbers", "line numbers", []patch.HunkConflict{{Expected: "     1→a\n    12→"}}},
		{"numbers, but not before all lines", "details.files lists", []patch.HunkConflict{{Expected: "     1→a\nb"}}},
		{"no arrow", "details.files lists", []patch.HunkConflict{{Expected: "1\n2"}}},
		{"several", "details.files lists", []patch.HunkConflict{{Places: []int64{1, 2}}}},
		{"of all sorts", "details.files lists", []patch.HunkConflict{{Lenient: "unicode"}, {Anchor: "x"}}},
	} {
		files := []FailedFile{{Hunks: tt.hunks}}
		if got := ConflictHint(files); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// TestDetailsOfManyHunks has texts that don't fit into the answer: every hunk is listed all the
// same, those of the last file too, and none says what isn't so.
func TestDetailsOfManyHunks(t *testing.T) {
	var files []FailedFile
	for range 3 {
		f := FailedFile{failed: 20}
		for i := range 20 {
			f.Hunks = append(f.Hunks, patch.HunkConflict{Line: i + 1, Expected: strings.Repeat("x", 1000), Reason: "content"})
		}
		files = append(files, f)
	}
	d := patchFailureDetails(files, &answer.Budget{Left: 30_000})
	if !d.Truncated || d.HunksFailed != 60 || d.FilesFailed != 3 || len(d.Files) != 3 {
		t.Fatalf("%+v", d)
	}
	texts := 0
	for _, f := range d.Files {
		for i, h := range f.Hunks {
			if h.Line != i+1 || h.NotCompared {
				t.Errorf("%+v", h)
			}
			if h.Expected != "" {
				texts++
			}
		}
		if len(f.Hunks) != 20 {
			t.Errorf("%d hunks", len(f.Hunks))
		}
	}
	if texts < 20 || texts > 29 {
		t.Errorf("%d texts", texts)
	}
}
