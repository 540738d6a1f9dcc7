package rewrite

import (
	"strings"
	"testing"
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
