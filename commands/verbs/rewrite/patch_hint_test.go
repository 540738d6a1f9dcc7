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
