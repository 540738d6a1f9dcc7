package plan_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/tree"
)

// newPlace is a free name in a new workspace that has these folders.
func newPlace(t *testing.T, folders ...string) (*sandbox.Workspace, *sandbox.Target) {
	t.Helper()
	host := t.TempDir()
	for _, path := range folders {
		disktest.Must(t, os.MkdirAll(filepath.Join(host, path), 0o755))
	}
	w := fixture.OpenWorkspace(t, host, sandbox.Options{})
	p, err := w.Locate("to", sandbox.Purpose{Write: true})
	disktest.Must(t, err)
	t.Cleanup(p.Close)
	return w, p
}

// A tree that a killed call left, and that there is no time to remove, keeps the next one from
// being made: under another name nothing would remove it.
func TestStageWaitsForLeftTree(t *testing.T) {
	w, p := newPlace(t, "from/a/b", plan.StagedTemp+"/a/b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &plan.Step{Target: p, Temp: plan.FixedTemp, Creates: &plan.CopiedTree{From: p.Folder, Name: "from", Explain: func(err error) error { return err }}}
	if err := (&plan.Plan{LockSet: &plan.LockSet{Workspace: w, Ctx: ctx}}).Stage(s); !fserr.IsCanceled(err) || s.Temp != plan.FixedTemp {
		t.Errorf("the tree got the name %q: %v", s.Temp, err)
	}
	s.Temp = plan.FixedTemp
	if err := (&plan.Plan{LockSet: &plan.LockSet{Workspace: w, Ctx: t.Context()}}).Stage(s); err != nil || s.Temp != plan.StagedTemp {
		t.Errorf("with time enough the tree got the name %q: %v", s.Temp, err)
	}
}

// What a failed call made is removed even if it was canceled, as far as there is time.
func TestRevertAfterCancel(t *testing.T) {
	w, p := newPlace(t, plan.StagedTemp+"/a/b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if clearing, stop := plan.ClearingTime(ctx); clearing.Err() != nil {
		t.Error("a canceled call has no time to remove what it made")
	} else {
		_, limited := clearing.Deadline()
		if stop(); !limited {
			t.Error("a canceled call may take all the time there is to remove what it made")
		}
	}
	if err := (&plan.Plan{LockSet: &plan.LockSet{Workspace: w, Ctx: ctx}, Steps: []*plan.Step{{Target: p, Temp: plan.StagedTemp, HasTemp: true}}}).Revert(nil); err != nil {
		t.Error(err)
	}
}

// What has got the name of a folder since it was found is never looked through nor copied in its
// place, whatever it is.
func TestTreeIsTheOneFound(t *testing.T) {
	w, p := newPlace(t, "from/in", "other/in")
	disktest.Must(t, w.RootFolder.Symlink("other", "link"))
	f, err := w.RootFolder.Create("file", 0o600)
	disktest.Must(t, err)
	f.Close()
	found, err := w.Locate("from", sandbox.Purpose{})
	disktest.Must(t, err)
	defer found.Close()
	for _, name := range []string{"from", "other", "link", "file"} {
		isIt := name == "from"
		found.Name = name
		if _, err := new(tree.Surveyor).SurveyAt(t.Context(), found); (err == nil) != isIt || !isIt && !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("a look through %s: %v", name, err)
		}
		c := tree.Copier{From: p.Folder, Name: name, To: p.Folder, NewName: "copy of " + name, Found: &found.Info}
		if err := c.Copy(t.Context()); (err == nil) != isIt || dir.Exists(p.Folder, c.NewName) != isIt {
			t.Errorf("a copy of %s: %v", name, err)
		}
	}
}

// A file of a tree that has grown since it was looked at is as large as any file may be.
func TestTreeCopyRefusesLongFile(t *testing.T) {
	_, p := newPlace(t, "from")
	from, err := p.Folder.Sub("from")
	disktest.Must(t, err)
	defer from.Close()
	f, err := from.Create("f", 0o600)
	disktest.Must(t, err)
	_, err = f.Write(make([]byte, 11))
	disktest.Must(t, errors.Join(err, f.Close()))
	for _, largest := range []int64{10, 11, 0} {
		c := tree.Copier{From: p.Folder, Name: "from", To: p.Folder, NewName: fmt.Sprint("to", largest), Largest: largest}
		if err := c.Copy(t.Context()); errors.Is(err, fserr.ErrTooLarge) != (largest == 10) {
			t.Errorf("at most %d bytes: %v", largest, err)
		}
	}
}
