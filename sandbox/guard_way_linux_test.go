package sandbox_test

import (
	"path/filepath"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"
)

// OnTheWay finds that a path leads through a folder, by any names and links, and tells where the
// path ends.
func TestOnTheWay(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a/b/", "c/", "in => a/b", "back => $ROOT/c", "leave => ../out", "loop => loop", "none => c/x", "c/up => .."})
	base := filepath.Dir(root)
	disktest.Symlink(t, "../ws/a", filepath.Join(base, "out", "enter"))
	for _, tt := range []struct {
		path, within string
		on           bool
	}{
		{"ws", ".", true},
		{"ws/a/b/f", "a/b/f", true},
		{"ws/new/f", "new/f", true},
		{"ws/in/f", "a/b/f", true},
		{"ws/back/f", "c/f", true},
		{"ws/none/f", "c/x/f", true},
		{"ws/leave/d/f", "", true},
		{"ws/leave/enter/b", "a/b", true},
		{"alias/in", "a/b", true},
		{"out/enter/b", "a/b", true},
		{"out/d/f", "", false},
		{"wsx/a", "", false},
		{"ws/in/../x", "a/x", true},
		{"ws/c/up/a", "a", true},
	} {
		for _, folder := range []string{root, filepath.Join(base, "alias")} {
			within, on := sandbox.OnTheWay(folder, base+"/"+tt.path)
			if within != tt.within || on != tt.on {
				t.Errorf("%s in %s: %q, %v", tt.path, folder, within, on)
			}
		}
	}
	if within, on := sandbox.OnTheWay(filepath.Join(base, "later"), filepath.Join(base, "later", "x")); within != "x" || !on {
		t.Errorf("in a root that is still to be made: %q, %v", within, on)
	}
	if _, on := sandbox.OnTheWay(filepath.Join(base, "later"), filepath.Join(base, "x")); on {
		t.Error("a root that is still to be made holds what lies beside it")
	}
}
