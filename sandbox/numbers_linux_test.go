package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
)

// smbTarget is a file on SMB. The list of mounts says whether numbers there are the server's.
func smbTarget(t *testing.T, in dir.Folder, hasNumbers bool) *Target {
	t.Helper()
	found, err := in.Lstat("a")
	disktest.Must(t, err)
	list := filepath.Join(t.TempDir(), "mountinfo")
	options := map[bool]string{true: ",serverino"}[hasNumbers]
	disktest.Must(t, os.WriteFile(list, fmt.Appendf(nil, "1 0 999:9 / / rw - ext4 /dev/vda rw\n2 1 %d:%d / /mnt rw - cifs //10.0.0.5/work rw,soft%s\n",
		unix.Major(found.Dev), unix.Minor(found.Dev), options), 0o600))
	mounts := filesystem.OpenMounts(list)
	t.Cleanup(mounts.Close)
	return &Target{Folder: in, Name: "a", Info: found, Exists: true, shared: true, mounts: mounts}
}

// lockOf takes the lock of a directory until the test ends.
func lockOf(t *testing.T, in dir.Folder) *dirlock.Lock {
	t.Helper()
	lock, err := dirlock.Take(t.Context(), in, false)
	disktest.Must(t, err)
	t.Cleanup(lock.Release)
	return lock
}

// TestNumbers: a number is compared on a mount that has those of the server, and tells nothing on others.
func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		has        openfile.Named
		hasNumbers bool
		want       error
	}{
		{openfile.NamesThis, true, nil},
		{openfile.NamesOther, true, fserr.ErrHeld},
		{openfile.NamesNone, true, fserr.ErrHeld},
		{openfile.NamesThis, false, nil},
		{openfile.NamesOther, false, nil},
		{openfile.NamesNone, false, fserr.ErrHeld},
	} {
		p := smbTarget(t, onSMB{grown(t, "a"), test.has}, test.hasNumbers)
		f, err := p.Open(os.O_RDONLY)
		disktest.Must(t, err)
		if _, err := f.ReadAll(t.Context(), 100); !errors.Is(err, test.want) {
			t.Errorf("%+v: read: %v", test, err)
		}
		f.Close()
		p.Lock = lockOf(t, p.Folder)
		f, err = p.OpenAgain(os.O_RDONLY)
		disktest.Must(t, err)
		if err := p.CheckName(f); !errors.Is(err, test.want) {
			t.Errorf("%+v: change: %v", test, err)
		}
		f.Close()
	}
}

// handles notes the flags of opens, and which files are closed at once.
type handles struct {
	dir.Folder
	flags  []int
	atOnce int
}

func (in *handles) Open(name string, flag int) (*openfile.File, error) {
	in.flags = append(in.flags, flag)
	f, err := in.Folder.Open(name, flag)
	if err == nil {
		f.Handle = closing{f.Handle, &in.atOnce}
	}
	return f, err
}

func (in *handles) OpenCached(name string) (*openfile.File, error) { return in.Open(name, os.O_RDONLY) }

type closing struct {
	openfile.Handle
	atOnce *int
}

func (f closing) CloseAtOnce() { *f.atOnce++ }

// TestHandles: without the server's numbers, a file in a locked directory is opened as no reading call
// opens it, and no handle is kept for others.
func TestHandles(t *testing.T) {
	const reads, own = os.O_RDONLY, os.O_RDONLY | os.O_SYNC
	for _, hasNumbers := range []bool{true, false} {
		in := &handles{Folder: onSMB{Folder: grown(t, "a")}}
		p := smbTarget(t, in, hasNumbers)
		f, err := p.Open(os.O_RDONLY)
		disktest.Must(t, err)
		_, err = f.ReadAll(t.Context(), 100)
		disktest.Must(t, err)
		f.Close()
		w := &Workspace{finder: finder{mounts: p.mounts}}
		f, err = (&Folder{w: &w.finder, dir: in}).File("a") // as a search does
		disktest.Must(t, err)
		f.Close()
		p.Lock = lockOf(t, in.Folder)
		f, _, err = p.OpenToChange(false)
		disktest.Must(t, err)
		disktest.Must(t, p.CheckName(f))
		f.Close()
		f, err = p.OpenAgain(os.O_RDWR)
		disktest.Must(t, err)
		f.Close()
		want, atOnce := []int{reads, reads, reads, os.O_RDWR}, 0
		if !hasNumbers {
			want, atOnce = []int{reads, reads, own, os.O_RDWR}, 4
		}
		if !slices.Equal(in.flags, want) || in.atOnce != atOnce {
			t.Errorf("numbers %v: opened with %#x, %d closed at once", hasNumbers, in.flags, in.atOnce)
		}
	}
	local := &handles{Folder: grown(t, "a")}
	p := &Target{Folder: local, Name: "a", Info: stat.Info{}, Exists: true, Lock: lockOf(t, local.Folder)}
	f, _, err := p.OpenToChange(false)
	disktest.Must(t, err)
	f.Close()
	if !slices.Equal(local.flags, []int{reads}) {
		t.Errorf("not on SMB: opened with %#x", local.flags)
	}
}

// TestNumbersOfWorkspace: calls that only read compare numbers, however they find the file.
func TestNumbersOfWorkspace(t *testing.T) {
	rules, err := policy.New(nil, nil)
	disktest.Must(t, err)
	for name, read := range map[string]func(*Workspace) (*openfile.File, error){
		"read":          func(w *Workspace) (*openfile.File, error) { return w.OpenFile("a") },
		"read by steps": func(w *Workspace) (*openfile.File, error) { return w.OpenFile("a") },
		"search":        func(w *Workspace) (*openfile.File, error) { _, f, err := w.OpenStart("a"); return f, err },
	} {
		in := onSMB{grown(t, "a"), openfile.NamesOther}
		for _, shown := range []bool{true, false} {
			w := &Workspace{finder: finder{RootFolder: in, shared: true, policy: rules}}
			if name == "read by steps" {
				w.guards = []Guard{{}}
			}
			if shown {
				w.mounts = smbTarget(t, in, true).mounts
			}
			f, err := read(w)
			disktest.Must(t, err)
			if _, err := f.ReadAll(t.Context(), 100); errors.Is(err, fserr.ErrHeld) != shown {
				t.Errorf("%s, list of mounts %v: %v", name, shown, err)
			}
			f.Close()
		}
	}
}
