package transaction_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/tree"
	"fsbox/sandbox/undo"
)

// forBothKeeping is ForBoth, without and with backups.
func forBothKeeping(t *testing.T, test func(t *testing.T, o sandbox.Options)) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for _, backups := range fixture.Sample(t, []bool{false, true}) {
			t.Run(map[bool]string{false: "no backups", true: "backups"}[backups], func(t *testing.T) {
				if backups {
					o.State, o.Backups = t.TempDir(), true
				}
				test(t, o)
			})
		}
	})
}

// undoes takes the last call back and checks that the tree is as it was before.
func undoes(t *testing.T, w *sandbox.Workspace, root, before, backupID string) {
	t.Helper()
	if w.History().Off {
		if backupID != "" {
			t.Errorf("backup %q, and none is to be kept", backupID)
		}
		return
	}
	if backupID == "" {
		t.Error("no backup")
	}
	if _, err := undo.Undo(context.Background(), w, backupID, "", false, nil); err != nil {
		t.Errorf("undo: %v", err)
	}
	if after := disktest.Names(t, root); after != before {
		t.Errorf("after undo there is %s\nbefore there was %s", after, before)
	}
}

func TestDelete(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	entries := []string{"f", "d/e/x", "d/e/y", "d/l => e", "d/out => ../../out", "empty/", "l => f", "gone => nothing", "o => ../out",
		"loop => loop"}
	for _, tt := range []struct {
		path      string
		recursive bool
		want      error
		gone      []string // names
	}{
		{path: "f", gone: []string{"f"}},
		{path: "f", recursive: true, gone: []string{"f"}},
		{path: "l", gone: []string{"l => f"}},
		{path: "gone", gone: []string{"gone => nothing"}},
		{path: "o", recursive: true, gone: []string{"o => ../out"}},
		{path: "loop", gone: []string{"loop => loop"}},
		{path: "empty", gone: []string{"empty/"}},
		{path: "empty/", recursive: true, gone: []string{"empty/"}},
		{path: "d/l/x", gone: []string{"d/e/x"}},
		{path: "d", recursive: true, gone: []string{"d/", "d/e/", "d/e/x", "d/e/y", "d/l => e", "d/out => ../../out"}},
		{path: "d/e", recursive: true, gone: []string{"d/e/", "d/e/x", "d/e/y"}},
		{path: "d", want: fserr.ErrNotEmpty},
		{path: ".", recursive: true, want: fserr.ErrInvalidPath},
		{path: "none", want: fserr.ErrNotFound},
		{path: "none/x", want: fserr.ErrNotFound},
		{path: "f/x", want: fserr.ErrNotFolder},
		{path: "f/", want: fserr.ErrNotFolder},
		{path: "o/f", want: fserr.ErrLinkOutside},
		{path: "loop/x", want: fserr.ErrLinkLoop},
	} {
		t.Run(strings.ReplaceAll(tt.path, "/", "|"), func(t *testing.T) {
			forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, fixture.Linkless(t, entries, tt.path))
				w := fixture.OpenWorkspace(t, root, o)
				before, out := disktest.Names(t, root), fixture.Snapshot(t, fixture.Outside(root))
				gone := asIn(before, strings.Join(tt.gone, ", "))
				r := transaction.WriteOptions{Path: tt.path, Recursive: tt.recursive, DryRun: true}
				_, dryErr := transaction.Delete(context.Background(), w, r)
				if after := disktest.Names(t, root); after != before {
					t.Errorf("a dry run left %s", after)
				}
				r.DryRun = false
				done, err := transaction.Delete(context.Background(), w, r)
				if fixture.Kind(t, dryErr) != tt.want || fixture.Kind(t, err) != tt.want {
					t.Fatalf("errors %v, dry %v, want %v", err, dryErr, tt.want)
				}
				if after := disktest.Names(t, root); withNames(after, gone) != withNames(before, "") {
					t.Errorf("before %s\nafter %s", before, after)
				}
				if err == nil {
					if want := strings.Count(gone, ", "); done.Entries != want {
						t.Errorf("%d entries, want %d", done.Entries, want)
					}
					undoes(t, w, root, before, done.BackupID)
				}
				if fixture.Snapshot(t, fixture.Outside(root)) != out {
					t.Error("outside changed")
				}
			})
		})
	}
}

func TestDeleteIfMatch(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f", "d/x", "l => f"})
		w := fixture.OpenWorkspace(t, root, o)
		ctx := context.Background()
		_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "f", IfMatch: "c00"})
		var stale *fserr.StaleError
		if !errors.As(err, &stale) || stale.Current != openfile.ContentETag([]byte("f")) {
			t.Errorf("error %v", err)
		}
		for _, path := range []string{"d", "l"} {
			_, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: true, IfMatch: stale.Current})
			fixture.Fails(t, err, path, fserr.ErrNoETag)
		}
		if _, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "f", IfMatch: stale.Current}); err != nil {
			t.Error(err)
		}
		if got := disktest.Names(t, root); got != "d/, d/x, l => f" {
			t.Error(got)
		}
	})
}

// If one path in a tree may not be changed, the whole tree is kept.
func TestDeletePolicy(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/a", "d/b/.env", "g/.git/HEAD", "open/a", "p/x.pem/y", "q/r/a", "l => q"})
		o.Policy = rulesOf(t, append(policy.DefaultDeny(), "/l/r/a"), policy.DefaultDenyWrite())
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		for path, blocked := range map[string]string{"d": "d/b/.env", "d/b": "d/b/.env", "g": "g/.git", "p": "p/x.pem", "l/r": "l/r/a"} {
			_, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: path, Recursive: true})
			fixture.Fails(t, err, blocked, fserr.ErrBlocked)
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
		if _, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: "open", Recursive: true}); err != nil {
			t.Error(err)
		}
	})
}

// If a tree changes between the survey and the rename, it gets its name back, and the call starts
// again.
func TestDeleteChangedTree(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		o.State, o.Backups = t.TempDir(), true
		for _, change := range []string{"d/e/x = changed", "d/e/new"} {
			for name, take := range map[string]func(*sandbox.Workspace, *sandbox.Target, *tree.Survey) error{
				"take away": func(w *sandbox.Workspace, p *sandbox.Target, found *tree.Survey) error {
					return takeAway(w, p, found)
				},
				"take away where no directory can be renamed": func(w *sandbox.Workspace, p *sandbox.Target, found *tree.Survey) error {
					p.Folder = unmovable{p.Folder}
					return takeAway(w, p, found)
				},
			} {
				t.Run(name, func(t *testing.T) { takesChangedTree(t, o, change, take) })
			}
		}
	})
}

// What somebody writes at the last moment into a tree that is kept by a rename goes with it, and
// comes back with an undo.
func TestUndeleteChangedTree(t *testing.T) {
	for _, change := range []string{"kept/d/e/x = changed", "kept/d/e/new"} {
		root := fixture.MakeTree(t, []string{"d/e/x", "d/y"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{NoSync: true, Whole: 1 << 20}))
		ctx := context.Background()
		done, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d", Recursive: true})
		disktest.Must(t, err)
		disktest.MakeEntry(t, filepath.Dir(filepath.Join(w.StateDir(), "kept")), strings.Replace(change, "/d/", "/"+done.BackupID+"-0/", 1))
		_, err = undo.Undo(ctx, w, done.BackupID, "", false, nil)
		disktest.Must(t, err)
		text := strings.TrimPrefix(change, "kept/")
		name, want, given := strings.Cut(text, " = ")
		if got := fixture.Read(t, filepath.Join(root, name)); given && got != want {
			t.Errorf("%s holds %q", name, got)
		}
		_, err = undo.Undo(ctx, w, "", "", false, nil) // and deletes it again
		disktest.Must(t, err)
		if got := disktest.Names(t, root); got != "" {
			t.Errorf("there is %s", got)
		}
	}
}

// takeAway removes what was found at a target, without a backup.
func takeAway(w *sandbox.Workspace, p *sandbox.Target, found *tree.Survey) error {
	s := &plan.Step{Target: p, Info: p.Info}
	if found != nil {
		s.Tree = found.Tag
	}
	return (&plan.Plan{LockSet: &plan.LockSet{Workspace: w, Ctx: context.Background()}, Steps: []*plan.Step{s}, Entry: history.NewEntry("", "")}).Run()
}

// unmovable is a folder of overlayfs, which can't rename folders of a lower layer.
type unmovable struct{ dir.Folder }

func (unmovable) Move(string, dir.Folder, string, dir.Moving) error { return syscall.EXDEV }

func takesChangedTree(t *testing.T, o sandbox.Options, change string, take func(*sandbox.Workspace, *sandbox.Target, *tree.Survey) error) {
	root := fixture.MakeTree(t, []string{"d/e/x", "d/y"})
	w := fixture.OpenWorkspace(t, root, o)
	p, err := w.Locate("d", sandbox.Purpose{Write: true})
	disktest.Must(t, err)
	defer p.Close()
	found, err := new(tree.Surveyor).Survey(context.Background(), p.Folder, p.Name)
	disktest.Must(t, err)
	disktest.MakeEntry(t, root, change)
	before := fixture.Snapshot(t, filepath.Join(root, "d"))
	if err := take(w, p, found); !errors.Is(err, fserr.ErrCollision) {
		t.Errorf("error %v", err)
	}
	if after := fixture.Snapshot(t, filepath.Join(root, "d")); after != before {
		t.Errorf("after\n%s\nbefore\n%s", after, before)
	}
}

// A file is removed only if it is the one that was found at the path.
func TestDeleteReplacedName(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"l => f", "f"})
		w := fixture.OpenWorkspace(t, root, o)
		p, err := w.Locate("l", sandbox.Purpose{Write: true})
		disktest.Must(t, err)
		defer p.Close()
		disktest.Must(t, os.Remove(filepath.Join(root, "l")))
		disktest.MakeEntry(t, root, "l = theirs")
		if err := takeAway(w, p, nil); !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("error %v", err)
		}
		if got := fixture.Read(t, filepath.Join(root, "l")); got != "theirs" {
			t.Errorf("%q", got)
		}
	})
}

// A tree whose backup can't be kept is not removed.
func TestDeleteUnkept(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/x", "l => d", "f", "empty/"})
		o.State, o.Backups = filepath.Join(root, "f"), true // a file, not a folder
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		for _, path := range []string{"d", "l", "f", "empty"} {
			_, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: path, Recursive: true})
			fixture.Fails(t, err, path, fserr.ErrBackup)
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
	})
}

// What a killed call left under a hidden name is removed by the next call that writes there.
func TestSweep(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for name, call := range map[string]func(w *sandbox.Workspace) error{
			"write": func(w *sandbox.Workspace) error {
				_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f", Creation: transaction.MayCreate}, fixture.Content("new"))
				return err
			},
			"delete": func(w *sandbox.Workspace) error {
				_, err := transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: "l"})
				return err
			},
			"copy": func(w *sandbox.Workspace) error {
				_, err := transaction.Copy(context.Background(), w, transaction.Transfer{From: "d", To: "d2"})
				return err
			},
		} {
			root := fixture.MakeTree(t, []string{plan.FixedTemp + "/a/b", plan.FixedTemp + "/l => ../../out", "f", "l => f", "d/x"})
			out := fixture.Snapshot(t, fixture.Outside(root))
			disktest.Must(t, call(fixture.OpenWorkspace(t, root, o)))
			if got := disktest.Names(t, root); strings.Contains(got, plan.FixedTemp) {
				t.Errorf("%s left %s", name, got)
			}
			if fixture.Snapshot(t, fixture.Outside(root)) != out {
				t.Errorf("%s changed what is outside", name)
			}
		}
	})
}

func TestDeleteCanceled(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/x", "l => d", "f"})
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, path := range []string{"d", "l", "f"} {
			if _, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: true}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v", path, err)
			}
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
	})
}

// TestDeleteEmptyFilled: a file that somebody puts into an empty folder at the last moment is not
// removed with it.
func TestDeleteEmptyFilled(t *testing.T) {
	root := fixture.MakeTree(t, []string{"d/"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	tx, p := fixture.Planned(t, w, transaction.Change{WriteOptions: transaction.WriteOptions{Path: "d", Anything: true, Large: true}, Remove: true})
	defer tx.Release()
	disktest.Must(t, os.WriteFile(filepath.Join(root, "d", "theirs"), []byte("x"), 0o666))
	if err := tx.Run(p); !errors.Is(err, fserr.ErrCollision) {
		t.Errorf("got %v", err)
	}
	if got := fixture.Holdings(t, root); got != "d/, d/theirs=x" {
		t.Errorf("left %q", got)
	}
	if all, err := undo.Backups(context.Background(), w, "", false); err != nil || len(all) != 0 {
		t.Errorf("the journal has %v, %v", all, err)
	}
}
