package plan

import (
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// TestLateRename: where other machines may use a folder, no two calls give a file the same temporary
// name, so that a rename which arrives late finds none to take. Who takes the lock of a killed
// call removes its files.
func TestLateRename(t *testing.T) {
	for _, shared := range []bool{false, true} {
		root := disktest.Grow(t)
		w, err := sandbox.Open(root, sandbox.Options{})
		disktest.Must(t, err)
		defer w.Close()
		w.History().Off = true
		in := w.RootFolder
		if shared {
			in = mounted{in}
		}
		names := map[string]bool{}
		for range 2 {
			s := &Step{Target: &sandbox.Target{Folder: in, Name: "a", Path: "a"}, Creates: &NewFile{Content: []byte("x")}, Temp: FixedTemp}
			p := &Plan{LockSet: &LockSet{Workspace: w, Ctx: t.Context()}, Steps: []*Step{s}, Entry: &history.Entry{}}
			disktest.Must(t, p.Stage(s))
			names[s.Temp] = true
			disktest.Must(t, s.endStaging())
			names[s.Temp] = true
			if shared {
				s.Temp = FixedTemp
				disktest.Must(t, p.Stage(s)) // killed before it is whole
			}
		}
		if want := map[bool]int{false: 2, true: 4}[shared]; len(names) != want {
			t.Errorf("shared %v: %d temporary names, want %d", shared, len(names), want)
		}
		disktest.Must(t, clearFolder(t.Context(), w, &sandbox.Target{Folder: in, Name: "a", Path: "a"}))
		left, err := dir.List(t.Context(), in)
		disktest.Must(t, err)
		if len(left) > 0 {
			t.Errorf("shared %v: left %v", shared, left)
		}
	}
}

// running is a folder in which a call that has lost the lock makes its new file whole just before
// that would be removed.
type running struct{ dir.Folder }

func (running) System() filesystem.System { return filesystem.System{Shared: true} }

func (in running) Remove(name string) error {
	if suffix, isStaged := strings.CutPrefix(name, StagedTemp); isStaged {
		_ = dir.MoveFree(in.Folder, name, FixedTemp+suffix)
	}
	return in.Folder.Remove(name)
}

// TestLateStaging: a new file that gets its second temporary name while it is looked for is removed
// as well.
func TestLateStaging(t *testing.T) {
	w, in := workspace(t, StagedTemp+policy.AloneMark+"1")
	disktest.Must(t, clearFolder(t.Context(), w, &sandbox.Target{Folder: running{in}, Name: "a", Path: "a"}))
	left, err := dir.List(t.Context(), in)
	if disktest.Must(t, err); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// smb is a folder on SMB.
type smb struct{ dir.Folder }

func (smb) System() filesystem.System { return filesystem.System{LosesTarget: true} }

// TestMayStay: on SMB what is removed or replaced may come back, so that these changes have a record.
func TestMayStay(t *testing.T) {
	_, in := workspace(t)
	from := &sandbox.Target{Folder: smb{in}, Exists: true}
	for name, test := range map[string]struct {
		step Step
		want bool
	}{
		"create":  {Step{Target: &sandbox.Target{Folder: smb{in}}, Creates: &NewFile{}}, true},
		"rename":  {Step{Target: &sandbox.Target{Folder: smb{in}, Exists: true}, From: from}, true},
		"replace": {Step{Target: &sandbox.Target{Folder: smb{in}, Exists: true}, Creates: &NewFile{}}, false},
		"remove":  {Step{Target: &sandbox.Target{Folder: smb{in}, Exists: true}}, false},
		"local":   {Step{Target: &sandbox.Target{Folder: in, Exists: true}}, true},
	} {
		if p := (&Plan{Steps: []*Step{&test.step}}); p.isSingle() != test.want {
			t.Errorf("%s: single: %v", name, p.isSingle())
		}
	}
}
