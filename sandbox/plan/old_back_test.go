package plan

import (
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
)

// TestPutOldBack: who takes the lock of a call that was killed on another machine, while no file had
// the name, gives the old file its name again.
func TestPutOldBack(t *testing.T) {
	const temp = policy.TransPrefix + "1-0" + newMark + "a"
	aside, removed := AsideOf(temp), policy.TransPrefix+"2-0"+newMark+"b" // is still listed
	for _, tt := range []struct {
		name       string
		there      []string
		left       string
		noExchange string // the same where names can't be exchanged: the new file is removed
	}{
		{"between the two renames", []string{temp, aside}, temp + ", a", aside + "/, a"},
		{"before the first rename", []string{"a", temp}, temp + ", a", aside + "/, a"},
		{"replaced", []string{"a", aside}, aside + ", a", aside + ", a"},
		{"replaced, and removed since", []string{aside}, aside, aside},
		{"somebody else's", []string{"a", temp, aside}, temp + ", " + aside + ", a", aside + ", a"},
		{"undone by another machine", []string{temp, aside + "/"}, temp + ", " + aside + "/", aside + "/"},
		{"no name in it", []string{policy.TransPrefix + "1-0", policy.TransPrefix + "1-0" + policy.OldMark},
			policy.TransPrefix + "1-0, " + policy.TransPrefix + "1-0" + policy.OldMark, policy.TransPrefix + "1-0" + policy.OldMark},
	} {
		for _, noExchange := range []bool{false, true} {
			root := disktest.Grow(t, tt.there...)
			in := twoSteps{disktest.Open(t, dir.Open, root, false), noExchange, map[string]bool{"a": true, removed: true}}
			all, err := dir.List(t.Context(), in)
			disktest.Must(t, err)
			all = append(all, dir.Dirent{Name: removed})
			disktest.Must(t, putOldBack(t.Context(), in, all))
			want := tt.left
			if noExchange {
				want = tt.noExchange
			}
			if got := disktest.Names(t, root); got != want {
				t.Errorf("%s: %s, want %s", tt.name, got, want)
			}
		}
	}
}

// twoSteps is a folder in which two names may not be exchanged. It has some names that are gone
// until they are renewed.
type twoSteps struct {
	dir.Folder
	noExchange bool
	remembered map[string]bool
}

func (in twoSteps) Lstat(name string) (stat.Info, error) {
	if in.remembered[name] {
		return stat.Info{}, nil
	}
	return in.Folder.Lstat(name)
}

func (in twoSteps) Renew(name string) { delete(in.remembered, name) }

func (in twoSteps) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: in.noExchange}
}
