package policy

import "testing"

func TestMayMatchBelow(t *testing.T) {
	for _, tt := range []struct {
		pattern, folder string
		want            bool
	}{
		{"!**/keep.txt", "scratch/d", true},
		{"!keep.txt", "scratch/d", true},
		{"!scratch/d/keep.txt", "scratch/d", true},
		{"!scratch/d/keep.txt", "scratch/e", false},
		{"!scratch/*/keep.txt", "scratch/e", true},
		{"!scratch/*/x/keep.txt", "scratch/e/y", false},
		{"!/scratch/keep", "other", false},
		{"!./scratch/keep", "scratch", true},
		{"!SCRATCH/keep", "scratch", true},
		{"!scratch", "scratch/d", true},
		{"!{a,b}/keep", "b", true},
		{"!{a,b}/keep", "c", false},
		{"![ab]/keep", "c", true},
		{"!a/**/keep", "a/b/c", true},
		{"!a/**/keep", "b/c", false},
		{"!a/keep", ".", true},
		{"!{a", "b", true},
	} {
		if got := MayMatchBelow(tt.pattern, tt.folder); got != tt.want {
			t.Errorf("%q below %q: %v", tt.pattern, tt.folder, got)
		}
	}
}
