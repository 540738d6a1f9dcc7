package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

var transferEntries = []string{"f = old", "g = other", "d/e/x", "d/l => e", "empty/", "full/x", "l => f", "o => ../out", "dl => d",
	"gone => nothing"}

func TestMove(t *testing.T) {
	for _, tt := range []struct {
		from, to  string
		overwrite bool
		want      error
		about     string // the path of the error
		gone, new string // names
	}{
		{from: "f", to: "n", gone: "f", new: "n"},
		{from: "f", to: "a/b/n", gone: "f", new: "a/, a/b/, a/b/n"},
		{from: "l", to: "n", gone: "l => f", new: "n => f"},
		{from: "o", to: "d/o", gone: "o => ../out", new: "d/o => ../out"},
		{from: "gone", to: "n", gone: "gone => nothing", new: "n => nothing"},
		{from: "d", to: "n", gone: "d/, d/e/, d/e/x, d/l => e", new: "n/, n/e/, n/e/x, n/l => e"},
		{from: "d", to: "n/", gone: "d/, d/e/, d/e/x, d/l => e", new: "n/, n/e/, n/e/x, n/l => e"},
		{from: "d/e", to: "dl/n", gone: "d/e/, d/e/x", new: "d/n/, d/n/x"},
		{from: "dl/e/x", to: "n", gone: "d/e/x", new: "n"},
		{from: "f", to: "g", overwrite: true, gone: "g", new: ""},
		{from: "f", to: "l", overwrite: true, gone: "f, l => f", new: "l"},
		{from: "l", to: "gone", overwrite: true, gone: "l => f, gone => nothing", new: "gone => f"},
		{from: "d", to: "empty", overwrite: true, gone: "d/, d/e/, d/e/x, d/l => e, empty/", new: "empty/, empty/e/, empty/e/x, empty/l => e"},
		{from: "f", to: "n", overwrite: true, gone: "f", new: "n"},
		{from: "f", to: "g", want: dir.ErrExists, about: "g"},
		{from: "f", to: "d", want: dir.ErrExists, about: "d"},
		{from: "f", to: "gone", want: dir.ErrExists, about: "gone"},
		{from: "d", to: "empty", want: dir.ErrExists, about: "empty"},
		{from: "d", to: "full", overwrite: true, want: dir.ErrNotEmpty, about: "full"},
		{from: "d", to: "f", overwrite: true, want: dir.ErrNotFolder, about: "f"},
		{from: "f", to: "d", overwrite: true, want: dir.ErrNotFile, about: "d"},
		{from: "f", to: "empty", overwrite: true, want: dir.ErrNotFile, about: "empty"},
		{from: "f", to: "f", want: dir.ErrSame, about: "f"},
		{from: "l", to: "f", overwrite: true, want: dir.ErrSame, about: "f"},
		{from: "d/l", to: "dl/e", overwrite: true, want: dir.ErrNotFile, about: "dl/e"},
		{from: "d/e/x", to: "dl/e/x", overwrite: true, want: dir.ErrSame, about: "dl/e/x"},
		{from: "d", to: "d/n", want: dir.ErrInvalidPath, about: "d/n"},
		{from: "d", to: "d/e/a/b", want: dir.ErrInvalidPath, about: "d/e/a/b"},
		{from: "d", to: "dl/n", want: dir.ErrInvalidPath, about: "dl/n"},
		{from: ".", to: "n", want: dir.ErrInvalidPath, about: "."},
		{from: "f", to: ".", overwrite: true, want: dir.ErrInvalidPath, about: "."},
		{from: "none", to: "n", want: dir.ErrNotFound, about: "none"},
		{from: "f", to: "n/", want: dir.ErrNotFile, about: "n/"},
		{from: "f", to: "g/n", want: dir.ErrNotFolder, about: "g/n"},
		{from: "f", to: "o/n", want: dir.ErrLinkOutside, about: "o/n"},
		{from: "o/f", to: "n", want: dir.ErrLinkOutside, about: "o/f"},
	} {
		t.Run(strings.ReplaceAll(tt.from+" to "+tt.to, "/", "|"), func(t *testing.T) {
			forBothKeeping(t, func(t *testing.T, o Options) {
				root := makefs(t, linkless(t, transferEntries, tt.from, tt.to))
				w := open(t, root, o)
				before, out := names(t, root), snapshot(t, outside(root))
				transfer := Transfer{From: tt.from, To: tt.to, Overwrite: tt.overwrite, Parents: true, DryRun: true}
				_, dryErr := w.Move(context.Background(), transfer)
				if after := names(t, root); after != before {
					t.Errorf("a dry run left %s", after)
				}
				transfer.DryRun = false
				done, err := w.Move(context.Background(), transfer)
				if kind(t, dryErr) != tt.want || kind(t, err) != tt.want {
					t.Fatalf("errors %v, dry %v, want %v", err, dryErr, tt.want)
				}
				if after := names(t, root); withNames(after, asIn(before, tt.gone)) != withNames(before, asIn(before, tt.new)) &&
					tt.from+tt.to != "fg" {
					t.Errorf("before %s\nafter %s", before, after)
				}
				if err != nil {
					fails(t, err, tt.about, tt.want)
				} else {
					checkMoved(t, w, root, tt.from, tt.to, before, done)
				}
				if snapshot(t, outside(root)) != out {
					t.Error("outside changed")
				}
			})
		})
	}
}

func checkMoved(t *testing.T, w *Workspace, root, from, to, before string, done *Done) {
	t.Helper()
	if done.Mode.IsRegular() != (done.ETag != "") {
		t.Errorf("%v has the etag %q", done.Mode, done.ETag)
	}
	if from == "f" && to == "g" {
		if got := read(t, filepath.Join(root, "g")); got != "old" || !done.Existed || dir.Exists(w.root, "f") {
			t.Errorf("g holds %q, replaced %t", got, done.Existed)
		}
	}
	if !w.history.Off && done.ParentsCreated == 0 {
		undoes(t, w, root, before, done.BackupID)
		if from == "f" && read(t, filepath.Join(root, "f"))+read(t, filepath.Join(root, "g")) != "oldother" {
			t.Error("undo mixed contents up")
		}
	}
}

// Everything in a tree is checked against the policy, by its old and its new path.
func TestMovePolicy(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"d/a", "d/.env", "x/hooks/post", "y/config.json", "open/sub/a"})
		o.Policy = rulesOf(t, policy.DefaultDeny(), append(policy.DefaultDenyWrite(), "/safe/sub/config.json", "/deep/*/sub"))
		w := open(t, root, o)
		before := snapshot(t, root)
		for _, tt := range []struct{ from, to, about string }{
			{"d", "n", "d/.env"},
			{"d/a", "d/.env2/x.pem", "d/.env2/x.pem"},
			{"x", ".git", ".git"},
			{"x/hooks", "n/.git/hooks", "n/.git/hooks"},
			{"y", "safe/sub", "safe/sub/config.json"},
			{"open", "deep/n", "deep/n/sub"},
		} {
			for _, call := range []func(context.Context, Transfer) (*Done, error){w.Move, w.Copy} {
				_, err := call(context.Background(), Transfer{From: tt.from, To: tt.to, Parents: true})
				fails(t, err, tt.about, dir.ErrBlocked)
			}
		}
		if after := snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
	})
}

// A replaced file is checked once more after it is displaced: if somebody changed it, theirs gets
// the name back, and nothing is moved.
func TestMoveOverChanged(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"f = ours", "g = theirs"})
		w := open(t, root, o)
		tx, p := planned(t, w, Change{move: &Transfer{From: "f", To: "g", Overwrite: true}})
		defer tx.release()
		makeEntry(t, root, "g = newer")
		before := names(t, root)
		if err := p.run(); !errors.Is(err, dir.ErrCollision) {
			t.Errorf("error %v", err)
		}
		if after := names(t, root); after != before || read(t, filepath.Join(root, "g")) != "newer" || read(t, filepath.Join(root,
			"f")) != "ours" {
			t.Errorf("there is %s", after)
		}
		if all, err := w.history.Entries(context.Background()); !w.history.Off && (err != nil || len(all) != 0) {
			t.Errorf("the journal has %v, %v", all, err)
		}
	})
}

// The answer to a move that somebody disturbs again and again names the end that is disturbed.
func TestMoveDisturbed(t *testing.T) {
	for _, tt := range []struct{ from, to, disturbed, theirs string }{
		{"f", "g", "f", "f = theirs"},
		{"f", "g", "f", ""},
		{"f", "g", "g", "g = theirs"},
		{"f", "g", "g", ""},
		{"f", "n", "f", "f = theirs"},
		{"f", "n", "f", ""},
		{"d", "e", "d", "d/"},
		{"d", "e", "d", ""},
	} {
		root := makefs(t, []string{"f", "g", "d/a", "e/"})
		w := open(t, root, Options{})
		path := filepath.Join(root, tt.disturbed)
		_, err := retryOnCollision("somewhere", func() (*Done, error) {
			tx, p := planned(t, w, Change{move: &Transfer{From: tt.from, To: tt.to, Overwrite: true}})
			defer tx.release()
			check(t, os.Rename(path, path+".old"))
			if tt.theirs != "" {
				makeEntry(t, root, tt.theirs)
			}
			err := tx.writes[0].move.explain(p.run())
			check(t, os.RemoveAll(path))
			check(t, os.Rename(path+".old", path))
			return nil, err
		})
		fails(t, err, tt.disturbed, dir.ErrBusy)
	}
}

// TestNoClobber: another process creates the new name during every call; exactly one of the two
// gets it.
func TestNoClobber(t *testing.T) {
	rounds := 30
	if *sweep {
		rounds = 100
	}
	forBoth(t, func(t *testing.T, o Options) {
		for name, c := range map[string]struct {
			from string
			call func(*Workspace, context.Context, Transfer) (*Done, error)
		}{
			"move file":   {"f", (*Workspace).Move},
			"copy file":   {"f", (*Workspace).Copy},
			"move folder": {"d", (*Workspace).Move},
			"copy folder": {"d", (*Workspace).Copy},
		} {
			root := makefs(t, []string{"f = ours", "d/x = ours"})
			w := open(t, root, o)
			for range rounds {
				var group sync.WaitGroup
				created := false
				group.Go(func() {
					f, err := os.OpenFile(filepath.Join(root, "n"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
					if created = err == nil; created {
						f.Close()
					}
				})
				_, err := c.call(w, context.Background(), Transfer{From: c.from, To: "n"})
				group.Wait()
				if kind(t, err); errors.Is(err, dir.ErrExists) != created || (err == nil) == created {
					t.Fatalf("%s: created %t, error %v", name, created, err)
				}
				makeEntry(t, root, "f = ours")
				makeEntry(t, root, "d/x = ours")
				check(t, os.RemoveAll(filepath.Join(root, "n")))
			}
			if got := names(t, root); got != "d/, d/x, f" {
				t.Errorf("%s left %s", name, got)
			}
		}
	})
}

// A hard link to the moved file isn't the same path; when it is replaced, the old name is removed
// as well.
func TestMoveOverHardLink(t *testing.T) {
	if policy.FoldsCase {
		t.Skip("both names are one here")
	}
	forBothKeeping(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"f"})
		check(t, os.Link(filepath.Join(root, "f"), filepath.Join(root, "F")))
		w := open(t, root, o)
		_, err := w.Move(context.Background(), Transfer{From: "f", To: "F"})
		fails(t, err, "F", dir.ErrExists)
		_, err = w.Move(context.Background(), Transfer{From: "f", To: "F", Overwrite: true})
		check(t, err)
		if got := names(t, root); got != "F" {
			t.Error(got)
		}
	})
}

// A file that nobody may write isn't replaced, although its folder would allow it.
func TestMoveOverProtected(t *testing.T) {
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"f = ours", "g = theirs"})
		check(t, os.Chmod(filepath.Join(root, "g"), 0o444))
		w := open(t, root, o)
		for _, call := range []func(context.Context, Transfer) (*Done, error){w.Move, w.Copy} {
			_, err := call(context.Background(), Transfer{From: "f", To: "g", Overwrite: true})
			fails(t, err, "g", dir.ErrPermission)
		}
		_, err := w.Move(context.Background(), Transfer{From: "g", To: "n"})
		check(t, err)
		_, err = w.Delete(context.Background(), WriteOptions{Path: "n"})
		check(t, err)
		if got := names(t, root); got != "f" {
			t.Error(got)
		}
	})
}

func TestTransferCanceled(t *testing.T) {
	lacks(t, "removing or replacing what is open")
	forBothKeeping(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{"d/x", "f"})
		w := open(t, root, o)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, from := range []string{"d", "f"} {
			for _, call := range []func(context.Context, Transfer) (*Done, error){w.Move, w.Copy} {
				if _, err := call(ctx, Transfer{From: from, To: "a/b/n", Parents: true}); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: error %v", from, err)
				}
			}
		}
		if got := names(t, root); got != "d/, d/x, f" {
			t.Error(got)
		}
	})
}
