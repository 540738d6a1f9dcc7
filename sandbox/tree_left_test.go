package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox/dir"
)

// newPlace is a free name in a new workspace that has these folders.
func newPlace(t *testing.T, folders ...string) (*Workspace, *Target) {
	t.Helper()
	host := t.TempDir()
	for _, path := range folders {
		check(t, os.MkdirAll(filepath.Join(host, path), 0o755))
	}
	w := open(t, host, Options{})
	p, err := w.Locate("to", Purpose{Write: true})
	check(t, err)
	t.Cleanup(p.Close)
	return w, p
}

// A tree that a killed call left, and that there is no time to remove, keeps the next one from
// being made: under another name nothing would remove it.
func TestStageWaitsForLeftTree(t *testing.T) {
	w, p := newPlace(t, "from/a/b", stagedTemp+"/a/b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &step{p: p, temp: fixedTemp, creates: &copied{from: p.Folder, name: "from", explain: func(err error) error { return err }}}
	if err := (&plan{lockSet: &lockSet{w: w, ctx: ctx}}).stage(s); !dir.IsCanceled(err) || s.temp != fixedTemp {
		t.Errorf("the tree got the name %q: %v", s.temp, err)
	}
	s.temp = fixedTemp
	if err := (&plan{lockSet: &lockSet{w: w, ctx: t.Context()}}).stage(s); err != nil || s.temp != stagedTemp {
		t.Errorf("with time enough the tree got the name %q: %v", s.temp, err)
	}
}

// What a failed call made is removed even if it was canceled, as far as there is time.
func TestTakeBackAfterCancel(t *testing.T) {
	w, p := newPlace(t, stagedTemp+"/a/b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if clearing, stop := clearingTime(ctx); clearing.Err() != nil {
		t.Error("a canceled call has no time to remove what it made")
	} else {
		_, limited := clearing.Deadline()
		if stop(); !limited {
			t.Error("a canceled call may take all the time there is to remove what it made")
		}
	}
	if err := (&plan{lockSet: &lockSet{w: w, ctx: ctx}, steps: []*step{{p: p, temp: stagedTemp, hasTemp: true}}}).takeBack(nil); err != nil {
		t.Error(err)
	}
}

// What has got the name of a folder since it was found is never looked through nor copied in its
// place, whatever it is.
func TestTreeIsTheOneFound(t *testing.T) {
	w, p := newPlace(t, "from/in", "other/in")
	check(t, w.root.Symlink("other", "link"))
	f, err := w.root.Create("file", 0o600)
	check(t, err)
	f.Close()
	found, err := w.Locate("from", Purpose{})
	check(t, err)
	defer found.Close()
	for _, name := range []string{"from", "other", "link", "file"} {
		isIt := name == "from"
		found.Name = name
		if _, err := new(surveyor).surveyAt(t.Context(), found); (err == nil) != isIt || !isIt && !errors.Is(err, dir.ErrCollision) {
			t.Errorf("a look through %s: %v", name, err)
		}
		c := treeCopy{from: p.Folder, name: name, to: p.Folder, newName: "copy of " + name, found: &found.Info}
		if err := c.copy(t.Context()); (err == nil) != isIt || dir.Exists(p.Folder, c.newName) != isIt {
			t.Errorf("a copy of %s: %v", name, err)
		}
	}
}

// A file of a tree that has grown since it was looked at is as large as any file may be.
func TestTreeCopyRefusesLongFile(t *testing.T) {
	_, p := newPlace(t, "from")
	from, err := p.Folder.Sub("from")
	check(t, err)
	defer from.Close()
	f, err := from.Create("f", 0o600)
	check(t, err)
	_, err = f.Write(make([]byte, 11))
	check(t, errors.Join(err, f.Close()))
	for _, largest := range []int64{10, 11, 0} {
		c := treeCopy{from: p.Folder, name: "from", to: p.Folder, newName: fmt.Sprint("to", largest), largest: largest}
		if err := c.copy(t.Context()); errors.Is(err, dir.ErrTooLarge) != (largest == 10) {
			t.Errorf("at most %d bytes: %v", largest, err)
		}
	}
}
