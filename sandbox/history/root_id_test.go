package history

import (
	"testing"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/stat"
)

// TestRootID: which root an entry of the journal belongs to.
func TestRootID(t *testing.T) {
	here, unborn := rootID{text: "1.2.abc", born: 13368}, rootID{text: "1.2.0"}
	mounted := rootID{text: "1.2.0", anyDevice: true}
	tests := []struct {
		name string
		now  rootID
		root string
		want bool
	}{
		{"the same", here, "1.2.abc", true},
		{"another device number, after a restart", here, "9.2.abc", true},
		{"the same inode, born again", here, "1.2.abb", false},
		{"another inode", here, "1.3.abc", false},
		{"no birth known", unborn, "1.2.0", true},
		{"no birth known, another device", unborn, "9.2.0", false},
		{"another mount of a network file system", mounted, "9.2.0", true},
		{"another directory of a network file system", mounted, "9.3.0", false},
		{"damaged", here, "1.2", false},
		{"none", here, "", false},
		{"a system that numbers no files", rootID{}, "1.2.abc", true},
	}
	for _, test := range tests {
		b := &Entry{ID: "id", Tool: "write", Root: test.root, Items: []Item{{Path: "a", Kind: Create}}}
		b, ok := decode(b.encode())
		if !ok || test.now.owns(b) != test.want {
			t.Errorf("%s: %v, want %v", test.name, !test.want, test.want)
		}
	}
}

// strange is a folder on a file system whose numbers and times aren't lasting.
type strange struct {
	dir.Folder
	system  filesystem.System
	changed *stat.Identity
}

func (f strange) System() filesystem.System { return f.system }

func (f strange) Examine(name string) (stat.Info, bool, error) {
	info, isMount, err := f.Folder.Examine(name)
	info.Identity = *f.changed
	return info, isMount, err
}

// TestRootOfStrangeSystems finds what was kept after the root has got other numbers, as it does on
// exFAT when it isn't in the kernel's memory any more, and on NFS with each mount.
func TestRootOfStrangeSystems(t *testing.T) {
	tests := []struct {
		name      string
		system    filesystem.System
		then, now stat.Identity
		wantsNone bool
	}{
		{name: "exfat", system: filesystem.System{Renumbers: true}, then: stat.Identity{Dev: 7, Ino: 100}, now: stat.Identity{Dev: 7, Ino: 200}},
		{name: "nfs", system: filesystem.System{Redevices: true}, then: stat.Identity{Dev: 7, Ino: 100}, now: stat.Identity{Dev: 8, Ino: 100}},
		{name: "another directory on nfs", system: filesystem.System{Redevices: true}, then: stat.Identity{Dev: 7, Ino: 100}, now: stat.Identity{Dev: 7,
			Ino: 200},
			wantsNone: true},
		{name: "another directory on a local disk", then: stat.Identity{Dev: 7, Ino: 100, Born: 5}, now: stat.Identity{Dev: 7, Ino: 100, Born: 6},
			wantsNone: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			identity := test.then
			s.root = strange{s.root, test.system, &identity}
			kept := keep(t, s, "a", "old").ID
			if got := ids(t, s); len(got) != 1 || got[0] != kept {
				t.Fatalf("before: %v", got)
			}
			identity = test.now
			if got := ids(t, s); (len(got) == 0) != test.wantsNone {
				t.Errorf("with other numbers: %v", got)
			}
		})
	}
}
