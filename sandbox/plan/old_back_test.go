package plan

import (
	"strings"
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
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
		for _, noExchange := range []bool{false, true} {
			root := disktest.Grow(t, tt.there...)
			in := twoSteps{disktest.Open(t, dir.Open, root, false), noExchange}
			all, err := dir.List(t.Context(), in)
			disktest.Must(t, err)
			disktest.Must(t, putOldBack(t.Context(), in, all))
			want := tt.left
			if noExchange { // the new file is removed
				want = strings.TrimPrefix(want, temp+", ")
			}
			if got := disktest.Names(t, root); got != want {
				t.Errorf("%s: %s, want %s", tt.name, got, want)
			}
		}
	}
}

// twoSteps is a folder in which two names may not be exchanged.
type twoSteps struct {
	dir.Folder
	noExchange bool
}

func (in twoSteps) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: in.noExchange}
}
