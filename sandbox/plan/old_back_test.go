package plan

import (
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/policy"
)

// TestPutOldBack: who takes the lock of a call that was killed on another machine, while no file had
// the name, gives the old file its name again.
func TestPutOldBack(t *testing.T) {
	const temp = policy.TransPrefix + "1-0"
	for _, tt := range []struct {
		name  string
		there []string
		left  string
	}{
		{"between the two renames", []string{temp, AsideOf(temp, "a")}, temp + ", a"},
		{"replaced", []string{"a", AsideOf(temp, "a")}, AsideOf(temp, "a") + ", a"},
		{"replaced, and removed since", []string{AsideOf(temp, "a")}, AsideOf(temp, "a")},
		{"somebody else's", []string{"a", temp, AsideOf(temp, "a")}, temp + ", " + AsideOf(temp, "a") + ", a"},
		{"no name in it", []string{temp, temp + oldMark}, temp + ", " + temp + oldMark},
	} {
		root := disktest.Grow(t, tt.there...)
		in := disktest.Open(t, dir.Open, root, false)
		all, err := dir.List(t.Context(), in)
		disktest.Must(t, err)
		if putOldBack(in, all); disktest.Names(t, root) != tt.left {
			t.Errorf("%s: %s, want %s", tt.name, disktest.Names(t, root), tt.left)
		}
	}
}
