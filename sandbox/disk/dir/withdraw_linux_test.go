package dir

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/policy"
)

const ownTemp = policy.TransPrefix + "1-0"

// named is a directory on sshfs: each name of a file has another number, and what was looked at is
// remembered. Another machine undoes this call after it has given a name, and takes that.
type named struct {
	Folder
	root     string
	known    map[string]stat.Info
	onMove   bool // it does so before a rename, not after a hard link
	taken    string
	hasTaken bool
}

func (*named) System() filesystem.System {
	return filesystem.System{Shared: true, FUSE: true, Renumbers: true}
}

func (in *named) Lstat(name string) (stat.Info, error) {
	if known, ok := in.known[name]; ok {
		return known, nil
	}
	info, err := in.Folder.Lstat(name)
	info.Ino += uint64(name[0]) << 32
	if err == nil {
		in.known[name] = info
	}
	return info, err
}

func (in *named) take() {
	if in.hasTaken {
		return
	}
	in.hasTaken = true
	at := func(name string) string { return filepath.Join(in.root, name) }
	_, _ = os.Remove(at(ownTemp)), os.WriteFile(at("b"), []byte(in.taken), 0o600)
	_ = os.Rename(at("b"), at("a"))
}

func (in *named) HardLink(name string, _ Folder, newName string) error {
	err := in.Folder.HardLink(name, in.Folder, newName)
	if !in.onMove {
		in.take()
	}
	return err
}

func (in *named) Move(name string, _ Folder, newName string, how Moving) error {
	if in.onMove {
		in.take()
	}
	delete(in.known, name)
	delete(in.known, newName)
	return in.Folder.Move(name, in.Folder, newName, how)
}

func (in *named) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	delete(in.known, name)
	return in.Folder.Create(name, perm)
}

// TestNameTakenMeanwhile: a call that was stopped after it gave a name doesn't remove what another
// machine has put there since.
func TestNameTakenMeanwhile(t *testing.T) {
	for _, onMove := range []bool{false, true} {
		root := disktest.Grow(t, ownTemp+" = mine")
		in := &named{Folder: disktest.Open(t, Open, root, false), root: root, known: map[string]stat.Info{}, onMove: onMove, taken: "theirs"}
		_, err := in.Lstat(ownTemp)
		disktest.Must(t, err)
		move := moveByLink
		if onMove {
			move = MoveOverClaim
		}
		err = move(in, ownTemp, in, "a")
		if now, _ := os.ReadFile(filepath.Join(root, "a")); err == nil || string(now) != "theirs" || disktest.Names(t, root) != "a" {
			t.Errorf("at a rename %v: %v, left %s with %q", onMove, err, disktest.Names(t, root), now)
		}
	}
}
