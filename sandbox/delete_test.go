package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// forBothKeeping is forBoth, without and with backups.
func forBothKeeping(t *testing.T, test func(t *testing.T, o Options)) {
	forBoth(t, func(t *testing.T, o Options) {
		t.Run("no backups", func(t *testing.T) { test(t, o) })
		t.Run("backups", func(t *testing.T) {
			o.State, o.Backups = t.TempDir(), true
			test(t, o)
		})
	})
}

// undoes takes the last call back and checks that the tree is as it was before.
func undoes(t *testing.T, w *Workspace, root, before, backupID string) {
	t.Helper()
	if w.history.Off {
		if backupID != "" {
			t.Errorf("backup %q, and none is to be kept", backupID)
		}
		return
	}
	if backupID == "" {
		t.Error("no backup")
	}
	if _, err := w.Undo(context.Background(), backupID, "", false, nil); err != nil {
		t.Errorf("undo: %v", err)
	}
	if after := names(t, root); after != before {
		t.Errorf("after undo there is %s\nbefore there was %s", after, before)
	}
}

func TestDelete(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
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
		{path: "d", want: dir.ErrNotEmpty},
		{path: ".", recursive: true, want: dir.ErrInvalidPath},
		{path: "none", want: dir.ErrNotFound},
		{path: "none/x", want: dir.ErrNotFound},
		{path: "f/x", want: dir.ErrNotFolder},
		{path: "f/", want: dir.ErrNotFolder},
		{path: "o/f", want: dir.ErrLinkOutside},
		{path: "loop/x", want: dir.ErrLinkLoop},
	} {
		t.Run(strings.ReplaceAll(tt.path, "/", "|"), func(t *testing.T) {
			forBothKeeping(t, func(t *testing.T, o Options) {
				root := makefs(t, linkless(t, entries, tt.path))
				w := open(t, root, o)
				before, out := names(t, root), snapshot(t, outside(root))
				gone := asIn(before, strings.Join(tt.gone, ", "))
				r := WriteOptions{Path: tt.path, Recursive: tt.recursive, DryRun: true}
				_, dryErr := w.Delete(context.Background(), r)
				if after := names(t, root); after != before {
					t.Errorf("a dry run left %s", after)
				}
				r.DryRun = false
				done, err := w.Delete(context.Background(), r)
				if kind(t, dryErr) != tt.want || kind(t, err) != tt.want {
					t.Fatalf("errors %v, dry %v, want %v", err, dryErr, tt.want)
				}
				if after := names(t, root); withNames(after, gone) != withNames(before, "") {
					t.Errorf("before %s\nafter %s", before, after)
				}
				if err == nil {
					if want := strings.Count(gone, ", "); done.Entries != want {
						t.Errorf("%d entries, want %d", done.Entries, want)
					}
					undoes(t, w, root, before, done.BackupID)
				}
				if snapshot(t, outside(root)) != out {
					t.Error("outside changed")
				}
			})
		})
	}
}

func TestDeleteIfMatch(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"f", "d/x", "l => f"})
		w := open(t, root, o)
		ctx := context.Background()
		_, err := w.Delete(ctx, WriteOptions{Path: "f", IfMatch: "c00"})
		var stale *dir.StaleError
		if !errors.As(err, &stale) || stale.Current != dir.ContentETag([]byte("f")) {
			t.Errorf("error %v", err)
		}
		for _, path := range []string{"d", "l"} {
			_, err := w.Delete(ctx, WriteOptions{Path: path, Recursive: true, IfMatch: stale.Current})
			fails(t, err, path, dir.ErrNoETag)
		}
		if _, err := w.Delete(ctx, WriteOptions{Path: "f", IfMatch: stale.Current}); err != nil {
			t.Error(err)
		}
		if got := names(t, root); got != "d/, d/x, l => f" {
			t.Error(got)
		}
	})
}

// If one path in a tree may not be changed, the whole tree is kept.
func TestDeletePolicy(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"d/a", "d/b/.env", "g/.git/HEAD", "open/a", "p/x.pem/y", "q/r/a", "l => q"})
		o.Policy = rulesOf(t, append(policy.DefaultDeny(), "/l/r/a"), policy.DefaultDenyWrite())
		w := open(t, root, o)
		before := snapshot(t, root)
		for path, blocked := range map[string]string{"d": "d/b/.env", "d/b": "d/b/.env", "g": "g/.git", "p": "p/x.pem", "l/r": "l/r/a"} {
			_, err := w.Delete(context.Background(), WriteOptions{Path: path, Recursive: true})
			fails(t, err, blocked, dir.ErrBlocked)
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
		if _, err := w.Delete(context.Background(), WriteOptions{Path: "open", Recursive: true}); err != nil {
			t.Error(err)
		}
	})
}

// If a tree changes between the survey and the rename, it gets its name back, and the call starts
// again.
func TestDeleteChangedTree(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		o.State, o.Backups = t.TempDir(), true
		for _, change := range []string{"d/e/x = changed", "d/e/new"} {
			for name, take := range map[string]func(*Workspace, *Target, *survey) error{
				"take away": func(w *Workspace, p *Target, found *survey) error {
					return takeAway(w, p, found)
				},
				"take away where no folder can be renamed": func(w *Workspace, p *Target, found *survey) error {
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
		root := makefs(t, []string{"d/e/x", "d/y"})
		w := open(t, root, withState(t, Options{NoSync: true, Whole: 1 << 20}))
		ctx := context.Background()
		done, err := w.Delete(ctx, WriteOptions{Path: "d", Recursive: true})
		check(t, err)
		makeEntry(t, filepath.Dir(filepath.Join(w.StateDir(), "kept")), strings.Replace(change, "/d/", "/"+done.BackupID+"-0/", 1))
		_, err = w.Undo(ctx, done.BackupID, "", false, nil)
		check(t, err)
		text := strings.TrimPrefix(change, "kept/")
		name, want, given := strings.Cut(text, " = ")
		if got := read(t, filepath.Join(root, name)); given && got != want {
			t.Errorf("%s holds %q", name, got)
		}
		_, err = w.Undo(ctx, "", "", false, nil) // and deletes it again
		check(t, err)
		if got := names(t, root); got != "" {
			t.Errorf("there is %s", got)
		}
	}
}

// takeAway removes what was found at a target, without a backup.
func takeAway(w *Workspace, p *Target, found *survey) error {
	s := &step{p: p, info: p.Info}
	if found != nil {
		s.tree = found.tag
	}
	return (&plan{lockSet: &lockSet{w: w, ctx: context.Background()}, steps: []*step{s}, entry: history.NewEntry("", "")}).run()
}

// unmovable is a folder of overlayfs, which can't rename folders of a lower layer.
type unmovable struct{ dir.Folder }

func (unmovable) Move(string, dir.Folder, string, dir.Moving) error { return syscall.EXDEV }

func takesChangedTree(t *testing.T, o Options, change string, take func(*Workspace, *Target, *survey) error) {
	root := makefs(t, []string{"d/e/x", "d/y"})
	w := open(t, root, o)
	p, err := w.Locate("d", Purpose{Write: true})
	check(t, err)
	defer p.Close()
	found, err := new(surveyor).survey(context.Background(), p.Folder, p.Name)
	check(t, err)
	makeEntry(t, root, change)
	before := snapshot(t, filepath.Join(root, "d"))
	if err := take(w, p, found); !errors.Is(err, dir.ErrCollision) {
		t.Errorf("error %v", err)
	}
	if after := snapshot(t, filepath.Join(root, "d")); after != before {
		t.Errorf("after\n%s\nbefore\n%s", after, before)
	}
}

// A file is removed only if it is the one that was found at the path.
func TestDeleteReplacedName(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"l => f", "f"})
		w := open(t, root, o)
		p, err := w.Locate("l", Purpose{Write: true})
		check(t, err)
		defer p.Close()
		check(t, os.Remove(filepath.Join(root, "l")))
		makeEntry(t, root, "l = theirs")
		if err := takeAway(w, p, nil); !errors.Is(err, dir.ErrCollision) {
			t.Errorf("error %v", err)
		}
		if got := read(t, filepath.Join(root, "l")); got != "theirs" {
			t.Errorf("%q", got)
		}
	})
}

// A tree whose backup can't be kept is not removed.
func TestDeleteUnkept(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"d/x", "l => d", "f", "empty/"})
		o.State, o.Backups = filepath.Join(root, "f"), true // a file, not a folder
		w := open(t, root, o)
		before := snapshot(t, root)
		for _, path := range []string{"d", "l", "f", "empty"} {
			_, err := w.Delete(context.Background(), WriteOptions{Path: path, Recursive: true})
			fails(t, err, path, dir.ErrBackup)
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
	})
}

// What a killed call left under a hidden name is removed by the next call that writes there.
func TestSweep(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		for name, call := range map[string]func(w *Workspace) error{
			"write": func(w *Workspace) error {
				_, err := w.Rewrite(context.Background(), WriteOptions{Path: "f", Creation: MayCreate}, content("new"))
				return err
			},
			"delete": func(w *Workspace) error {
				_, err := w.Delete(context.Background(), WriteOptions{Path: "l"})
				return err
			},
			"copy": func(w *Workspace) error {
				_, err := w.Copy(context.Background(), Transfer{From: "d", To: "d2"})
				return err
			},
		} {
			root := makefs(t, []string{fixedTemp + "/a/b", fixedTemp + "/l => ../../out", "f", "l => f", "d/x"})
			out := snapshot(t, outside(root))
			check(t, call(open(t, root, o)))
			if got := names(t, root); strings.Contains(got, fixedTemp) {
				t.Errorf("%s left %s", name, got)
			}
			if snapshot(t, outside(root)) != out {
				t.Errorf("%s changed what is outside", name)
			}
		}
	})
}

func TestDeleteCanceled(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"d/x", "l => d", "f"})
		w := open(t, root, o)
		before := snapshot(t, root)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, path := range []string{"d", "l", "f"} {
			if _, err := w.Delete(ctx, WriteOptions{Path: path, Recursive: true}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v", path, err)
			}
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
	})
}

// TestDeleteEmptyFilled: a file that somebody puts into an empty folder at the last moment is not
// removed with it.
func TestDeleteEmptyFilled(t *testing.T) {
	root := makefs(t, []string{"d/"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	p, err := w.Locate("d", Purpose{Write: true})
	check(t, err)
	defer p.Close()
	found, err := new(surveyor).survey(context.Background(), p.Folder, p.Name)
	check(t, err)
	check(t, os.WriteFile(filepath.Join(root, "d", "theirs"), []byte("x"), 0o666))
	s := &write{step: step{p: p, info: p.Info}, remove: true, changed: true, found: found}
	tx := transaction{lockSet: lockSet{w: w, ctx: context.Background()}, changes: []Change{{Remove: true}}, writes: []*write{s}}
	if err := tx.make(); !errors.Is(err, dir.ErrCollision) {
		t.Errorf("got %v", err)
	}
	if got := holdings(t, root); got != "d/, d/theirs=x" {
		t.Errorf("left %q", got)
	}
	if all, err := w.Backups(context.Background(), "", false); err != nil || len(all) != 0 {
		t.Errorf("the journal has %v, %v", all, err)
	}
}
