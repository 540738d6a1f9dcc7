package dir

import (
	"syscall"
	"testing"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/stat"
)

// old is a folder whose system remembers that a name is free, until it is told to ask again.
type old struct {
	Folder
	free string
}

func (in *old) Renew(name string) {
	if name == in.free {
		in.free = ""
	}
}

func (in *old) Lstat(name string) (stat.Info, error) {
	if name == in.free {
		return stat.Info{}, syscall.ENOENT
	}
	return in.Folder.Lstat(name)
}

// TestArrived: a move whose answer was lost counts as made, whatever the system remembers of the names.
func TestArrived(t *testing.T) {
	for moved, want := range map[bool]error{true: nil, false: syscall.EIO} {
		in := &old{disktest.Open(t, Open, disktest.Grow(t, "a"), false), "b"}
		file, err := in.Lstat("a")
		if disktest.Must(t, err); moved {
			disktest.Must(t, MoveFree(in.Folder, "a", "b"))
		}
		if err := Arrived(syscall.EIO, in, "a", in, "b", file.HasID); err != want {
			t.Errorf("moved %v: %v", moved, err)
		}
	}
}
