package plan

import (
	"context"
	"errors"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/policy"
)

// mounted is a folder that others may use through another mount.
type mounted struct{ dir.Folder }

func (mounted) System() filesystem.System { return filesystem.System{Shared: true} }

// workspace opens a new workspace without a journal.
func workspace(t *testing.T, names ...string) (*sandbox.Workspace, dir.Folder) {
	w, err := sandbox.Open(disktest.Grow(t, names...), sandbox.Options{})
	disktest.Must(t, err)
	t.Cleanup(w.Close)
	w.History().Off = true
	return w, w.RootFolder
}

// TestConfirmMissing: a file that another call is replacing, and that has no name meanwhile, isn't
// missing.
func TestConfirmMissing(t *testing.T) {
	tests := []struct {
		name      string
		has       string // the name that the other call leaves
		dry       bool
		alone     bool
		collision bool
	}{
		{name: "replaced", has: "a", collision: true},
		{name: "missing", has: "b"},
		{name: "dry run", has: "a", dry: true},
		{name: "nobody else uses the file system", has: "a", alone: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, in := workspace(t, "away")
			other, err := dirlock.Take(t.Context(), in, false)
			disktest.Must(t, err)
			var folder dir.Folder = mounted{in}
			if test.alone {
				folder = in
			}
			asked := make(chan error)
			go func() {
				p := &sandbox.Target{Folder: folder, Name: "a", Path: "a", Missing: []string{"a"}}
				asked <- ConfirmMissing(context.Background(), w, p, test.dry, fserr.ErrNotFound)
			}()
			if test.dry || test.alone { // waits for nobody
				err = <-asked
			}
			disktest.Must(t, dir.MoveFree(in, "away", test.has))
			other.Release()
			if !test.dry && !test.alone {
				err = <-asked
			}
			if errors.Is(err, fserr.ErrCollision) != test.collision || !test.collision && !errors.Is(err, fserr.ErrNotFound) {
				t.Error(err)
			}
		})
	}
}

// TestConfirmMissingBusy: while another call has the folder locked, nobody can tell.
func TestConfirmMissingBusy(t *testing.T) {
	w, in := workspace(t)
	other, err := dirlock.Take(t.Context(), in, false)
	disktest.Must(t, err)
	defer other.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	p := &sandbox.Target{Folder: mounted{in}, Name: "a", Path: "a", Missing: []string{"a"}}
	if err := ConfirmMissing(ctx, w, p, false, fserr.ErrNotFound); !errors.Is(err, fserr.ErrBusy) {
		t.Error(err)
	}
}

// TestConfirmMissingKilled: a file whose name was taken away by a call that was killed since, on
// another machine, gets the name again before anybody says that it is missing.
func TestConfirmMissingKilled(t *testing.T) {
	const temp = policy.TransPrefix + "1-0" + newMark + "a"
	w, in := workspace(t, temp, AsideOf(temp))
	p := &sandbox.Target{Folder: mounted{in}, Name: "a", Path: "a", Missing: []string{"a"}}
	if err := ConfirmMissing(t.Context(), w, p, false, fserr.ErrNotFound); !errors.Is(err, fserr.ErrCollision) {
		t.Error(err)
	}
}

// replacing is a folder on SMB in which another program replaces a file: it has its name again at one
// of the next looks.
type replacing struct {
	dir.Folder
	looks, at int
}

func (*replacing) System() filesystem.System {
	return filesystem.System{Shared: true, LosesTarget: true}
}

func (in *replacing) Renew(name string) {
	if in.looks++; in.looks == in.at {
		_ = dir.MoveFree(in.Folder, "new", name)
	}
}

// TestConfirmMissingReplaced: such a file isn't missing, if the moment is short.
func TestConfirmMissingReplaced(t *testing.T) {
	for at, want := range map[int]error{1: fserr.ErrCollision, Looks: fserr.ErrCollision, Looks + 1: fserr.ErrNotFound} {
		w, root := workspace(t, "new")
		in := &replacing{Folder: root, at: at}
		p := &sandbox.Target{Folder: in, Name: "a", Path: "a", Missing: []string{"a"}}
		if err := ConfirmMissing(t.Context(), w, p, false, fserr.ErrNotFound); !errors.Is(err, want) || in.looks > Looks {
			t.Errorf("there at look %d: %v after %d", at, err, in.looks)
		}
	}
}
