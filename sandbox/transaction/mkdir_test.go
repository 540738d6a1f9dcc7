package transaction_test

import (
	"context"
	"fmt"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
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
		{"new/a", false, fserr.ErrNotFound, "", ""},
		{"d", false, nil, "false 0", ""},
		{".", true, nil, "false 0", ""},
		{"f", true, fserr.ErrNotFolder, "", ""},
		{"f/x", true, fserr.ErrNotFolder, "", ""},
		{"l", true, nil, "false 0", ""},
		{"tofile", true, fserr.ErrNotFolder, "", ""},
		{"l/n/x", true, nil, "true 1", "d/n/, d/n/x/"},
		{"z", false, nil, "true 0", "missing/"},
		{"z/x", true, nil, "true 1", "missing/, missing/x/"},
		{"z/x", false, fserr.ErrNotFound, "", ""},
		{"o", true, fserr.ErrLinkOutside, "", ""},
		{"o/x", true, fserr.ErrLinkOutside, "", ""},
	} {
		t.Run(fmt.Sprint(tt.path, tt.parents), func(t *testing.T) {
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, fixture.Linkless(t, []string{"d/", "f", "l => d", "o => ../out/new", "tofile => f", "z => missing"}, tt.path))
				before, outsideBefore := fixture.Snapshot(t, root), fixture.Snapshot(t, fixture.Outside(root))
				made, err := transaction.Mkdir(context.Background(), fixture.OpenWorkspace(t, root, o), tt.path, tt.parents)
				clean := tt.path
				if clean == "new/" {
					clean = "new"
				}
				if tt.err != nil {
					fixture.Fails(t, err, clean, tt.err)
				} else {
					disktest.Must(t, err)
					if got := fmt.Sprint(!made.Existed, made.ParentsCreated); got != tt.report || made.Path != clean {
						t.Errorf("reported %+v, want %s", made, tt.report)
					}
				}
				if tt.after == "" && fixture.Snapshot(t, root) != before {
					t.Errorf("the tree changed:\n%s\nbefore:\n%s", fixture.Snapshot(t, root), before)
				}
				if got, want := disktest.Names(t, root), withNames(asIn(disktest.Names(t, root), "d/, f, l => d, o => ../out/new, tofile => f, z => missing"),
					tt.after); got != want {
					t.Errorf("the tree holds %s, want %s", got, want)
				}
				if fixture.Snapshot(t, fixture.Outside(root)) != outsideBefore {
					t.Error("the outside changed")
				}
			})
		})
	}
}

// TestMkdirTogether makes one deep folder from eight goroutines: all succeed, and each level is
// made once.
func TestMkdirTogether(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, nil)
		w := fixture.OpenWorkspace(t, root, o)
		for round := range fixture.Few(50) {
			path := fmt.Sprintf("r%d/a/b", round)
			var created [8]bool
			fixture.Together(len(created), func(i int) {
				made, err := transaction.Mkdir(context.Background(), w, path, true)
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
				t.Fatalf("%d of 8 say that they made the directory", n)
			}
		}
	})
}
