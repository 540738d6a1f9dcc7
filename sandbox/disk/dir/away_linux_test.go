package dir

import (
	"errors"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
	"io/fs"
	"os"
	"testing"
	"time"
)

// elsewhere is a folder that others use through another mount. It remembers that a name is missing
// until it is renewed.
type elsewhere struct {
	Folder
	missing map[string]bool
	renewed int
	onRenew func(times int)
}

func (*elsewhere) System() filesystem.System { return filesystem.System{Shared: true} }

func (f *elsewhere) Lstat(name string) (stat.Info, error) {
	if f.missing[name] {
		return stat.Info{}, fs.ErrNotExist
	}
	return f.Folder.Lstat(name)
}

func (f *elsewhere) Renew(string) {
	f.renewed++
	f.onRenew(f.renewed)
}

// TestIsGoneElsewhere: that a name is missing is believed only after the file system was asked,
// and, while somebody has the folder locked, not at the first look.
func TestIsGoneElsewhere(t *testing.T) {
	tests := []struct {
		name    string
		locked  bool
		returns int // at which look the name is back, 0 for never
		want    bool
		looks   int
	}{
		{name: "remembered", returns: 1, looks: 1},
		{name: "gone", want: true, looks: 1},
		{name: "being replaced", locked: true, returns: 3, looks: 3},
		{name: "gone from a locked directory", locked: true, want: true, looks: awayLooks},
		{name: "back too late, nobody has locked it", returns: 2, want: true, looks: 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := disktest.Grow(t, "a")
			in, err := Open(root, false)
			disktest.Must(t, err)
			defer in.Close()
			f := &elsewhere{Folder: in, missing: map[string]bool{"a": true}}
			f.onRenew = func(times int) {
				if times == test.returns {
					delete(f.missing, "a")
				}
			}
			if test.locked {
				disktest.Must(t, os.WriteFile(root+"/"+policy.LockName, nil, 0o644))
			}
			if got := IsGone(f, "a"); got != test.want || f.renewed != test.looks {
				t.Errorf("gone: %v after %d looks", got, f.renewed)
			}
		})
	}
}

// TestRefreshOwn: to be sure of a file, it is opened for writing as well, but not changed, and a
// file that may not be written is no obstacle.
func TestRefreshOwn(t *testing.T) {
	root := disktest.Grow(t, "a")
	old := time.Unix(1_000_000_000, 0)
	disktest.Must(t, errors.Join(os.Chtimes(root+"/a", old, old), os.Chmod(root+"/a", 0o444)))
	in, err := Open(root, false)
	disktest.Must(t, err)
	defer in.Close()
	for _, drop := range []filesystem.Caches{{}, {Delegated: true}, {Pages: true}, {Synced: true, Listed: true}} {
		_ = in.Refresh("a", drop, nil)
		_ = in.Refresh("missing", drop, nil)
	}
	info, err := in.Lstat("a")
	if disktest.Must(t, err); !info.Modified.Equal(old) || Exists(in, "missing") {
		t.Errorf("changed: %v", info)
	}
}

// TestOpenOnFUSE: another machine replaces a file between an open and the question for its size, as
// often as the test says. What is opened in the end is the file that has the name, unless it never
// stays.
func TestOpenOnFUSE(t *testing.T) {
	for replaced, opens := range map[int]int{0: 1, 1: 2, 3: 4, 100: maxReopened + 1} {
		root := disktest.Grow(t, "a")
		in, err := Open(root, false)
		disktest.Must(t, err)
		defer in.Close()
		f, fuse := in.(Descriptor), filesystem.System{FUSE: true}
		info, err := f.Lstat("a")
		disktest.Must(t, err)
		f.own.Store(&fuse)
		f.from.known.Store(&knownSystem{info.Dev, fuse})
		opened := 0
		file, err := f.openSettled("a", info, func() (*openfile.File, error) {
			fd, err := f.open("a", os.O_RDONLY, false)
			disktest.Must(t, err)
			if opened++; opened <= replaced {
				disktest.Must(t, os.WriteFile(root+"/new", []byte("later"), 0o644))
				disktest.Must(t, os.Rename(root+"/new", root+"/a"))
			}
			file, err := f.fileOf(fd, nil)
			disktest.Must(t, err)
			file.Info, err = f.Lstat("a") // as FUSE asks
			return file, err
		})
		disktest.Must(t, err)
		defer file.Close()
		now, err := f.Lstat("a")
		disktest.Must(t, err)
		if got, err := file.Stat(); err != nil || got.Ino == now.Ino != (replaced < opens) || opened != opens {
			t.Errorf("replaced %d times: opened %d times; the file has inode %d, its name %d; %v", replaced, opened, got.Ino, now.Ino, err)
		}
	}
}
