package sandbox

import (
	"context"
	"fmt"
	"testing"

	"fsbox/sandbox/dir"
)

func TestMkdir(t *testing.T) {
	for _, tt := range []struct {
		path    string
		parents bool
		err     error
		report  string // created, parents created
		after   string // what the tree then has in addition
	}{
		{"new", false, nil, "true 0", "new/"},
		{"new/", false, nil, "true 0", "new/"},
		{"new", true, nil, "true 0", "new/"},
		{"new/a/b", true, nil, "true 2", "new/, new/a/, new/a/b/"},
		{"new/a", false, dir.ErrNotFound, "", ""},
		{"d", false, nil, "false 0", ""},
		{".", true, nil, "false 0", ""},
		{"f", true, dir.ErrNotFolder, "", ""},
		{"f/x", true, dir.ErrNotFolder, "", ""},
		{"l", true, nil, "false 0", ""},
		{"tofile", true, dir.ErrNotFolder, "", ""},
		{"l/n/x", true, nil, "true 1", "d/n/, d/n/x/"},
		{"z", false, nil, "true 0", "missing/"},
		{"z/x", true, nil, "true 1", "missing/, missing/x/"},
		{"z/x", false, dir.ErrNotFound, "", ""},
		{"o", true, dir.ErrLinkOutside, "", ""},
		{"o/x", true, dir.ErrLinkOutside, "", ""},
	} {
		t.Run(fmt.Sprint(tt.path, tt.parents), func(t *testing.T) {
			forBoth(t, func(t *testing.T, o Options) {
				root := makefs(t, linkless(t, []string{"d/", "f", "l => d", "o => ../out/new", "tofile => f", "z => missing"}, tt.path))
				before, outsideBefore := snapshot(t, root), snapshot(t, outside(root))
				made, err := open(t, root, o).Mkdir(context.Background(), tt.path, tt.parents)
				clean := tt.path
				if clean == "new/" {
					clean = "new"
				}
				if tt.err != nil {
					fails(t, err, clean, tt.err)
				} else {
					check(t, err)
					if got := fmt.Sprint(!made.Existed, made.ParentsCreated); got != tt.report || made.Path != clean {
						t.Errorf("reported %+v, want %s", made, tt.report)
					}
				}
				if tt.after == "" && snapshot(t, root) != before {
					t.Errorf("the tree changed:\n%s\nbefore:\n%s", snapshot(t, root), before)
				}
				if got, want := names(t, root), withNames(asIn(names(t, root), "d/, f, l => d, o => ../out/new, tofile => f, z => missing"),
					tt.after); got != want {
					t.Errorf("the tree holds %s, want %s", got, want)
				}
				if snapshot(t, outside(root)) != outsideBefore {
					t.Error("the outside changed")
				}
			})
		})
	}
}

// TestMkdirTogether makes one deep folder from eight goroutines: all succeed, and each level is
// made once.
func TestMkdirTogether(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, nil)
		w := open(t, root, o)
		for round := range few(50) {
			path := fmt.Sprintf("r%d/a/b", round)
			var created [8]bool
			together(len(created), func(i int) {
				made, err := w.Mkdir(context.Background(), path, true)
				if err != nil {
					t.Errorf("%v", err)
					return
				}
				created[i] = !made.Existed
			})
			n := 0
			for _, c := range created {
				if c {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%d of 8 say that they made the folder", n)
			}
		}
	})
}
