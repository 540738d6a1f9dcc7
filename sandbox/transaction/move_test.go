package transaction_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
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
		{from: "f", to: "g", want: fserr.ErrExists, about: "g"},
		{from: "f", to: "d", want: fserr.ErrExists, about: "d"},
		{from: "f", to: "gone", want: fserr.ErrExists, about: "gone"},
		{from: "d", to: "empty", want: fserr.ErrExists, about: "empty"},
		{from: "d", to: "full", overwrite: true, want: fserr.ErrNotEmpty, about: "full"},
		{from: "d", to: "f", overwrite: true, want: fserr.ErrNotFolder, about: "f"},
		{from: "f", to: "d", overwrite: true, want: fserr.ErrNotFile, about: "d"},
		{from: "f", to: "empty", overwrite: true, want: fserr.ErrNotFile, about: "empty"},
		{from: "f", to: "f", want: fserr.ErrSame, about: "f"},
		{from: "l", to: "f", overwrite: true, want: fserr.ErrSame, about: "f"},
		{from: "d/l", to: "dl/e", overwrite: true, want: fserr.ErrNotFile, about: "dl/e"},
		{from: "d/e/x", to: "dl/e/x", overwrite: true, want: fserr.ErrSame, about: "dl/e/x"},
		{from: "d", to: "d/n", want: fserr.ErrInvalidPath, about: "d/n"},
		{from: "d", to: "d/e/a/b", want: fserr.ErrInvalidPath, about: "d/e/a/b"},
		{from: "d", to: "dl/n", want: fserr.ErrInvalidPath, about: "dl/n"},
		{from: ".", to: "n", want: fserr.ErrInvalidPath, about: "."},
		{from: "f", to: ".", overwrite: true, want: fserr.ErrInvalidPath, about: "."},
		{from: "none", to: "n", want: fserr.ErrNotFound, about: "none"},
		{from: "f", to: "n/", want: fserr.ErrNotFile, about: "n/"},
		{from: "f", to: "g/n", want: fserr.ErrNotFolder, about: "g/n"},
		{from: "f", to: "o/n", want: fserr.ErrLinkOutside, about: "o/n"},
		{from: "o/f", to: "n", want: fserr.ErrLinkOutside, about: "o/f"},
	} {
		t.Run(strings.ReplaceAll(tt.from+" to "+tt.to, "/", "|"), func(t *testing.T) {
			forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, fixture.Linkless(t, transferEntries, tt.from, tt.to))
				w := fixture.OpenWorkspace(t, root, o)
				before, out := disktest.Names(t, root), fixture.Snapshot(t, fixture.Outside(root))
				transfer := transaction.Transfer{From: tt.from, To: tt.to, Overwrite: tt.overwrite, Parents: true, DryRun: true}
				_, dryErr := transaction.Move(context.Background(), w, transfer)
				if after := disktest.Names(t, root); after != before {
					t.Errorf("a dry run left %s", after)
				}
				transfer.DryRun = false
				done, err := transaction.Move(context.Background(), w, transfer)
				if fixture.Kind(t, dryErr) != tt.want || fixture.Kind(t, err) != tt.want {
					t.Fatalf("errors %v, dry %v, want %v", err, dryErr, tt.want)
				}
				if after := disktest.Names(t, root); withNames(after, asIn(before, tt.gone)) != withNames(before, asIn(before, tt.new)) &&
					tt.from+tt.to != "fg" {
					t.Errorf("before %s\nafter %s", before, after)
				}
				if err != nil {
					fixture.Fails(t, err, tt.about, tt.want)
				} else {
					checkMoved(t, w, root, tt.from, tt.to, before, done)
				}
				if fixture.Snapshot(t, fixture.Outside(root)) != out {
					t.Error("outside changed")
				}
			})
		})
	}
}

func checkMoved(t *testing.T, w *sandbox.Workspace, root, from, to, before string, done *transaction.Done) {
	t.Helper()
	if done.Mode.IsRegular() != (done.ETag != "") {
		t.Errorf("%v has the etag %q", done.Mode, done.ETag)
	}
	if from == "f" && to == "g" {
		if got := fixture.Read(t, filepath.Join(root, "g")); got != "old" || !done.Existed || dir.Exists(w.RootFolder, "f") {
			t.Errorf("g holds %q, replaced %t", got, done.Existed)
		}
	}
	if !w.History().Off && done.ParentsCreated == 0 {
		undoes(t, w, root, before, done.BackupID)
		if from == "f" && fixture.Read(t, filepath.Join(root, "f"))+fixture.Read(t, filepath.Join(root, "g")) != "oldother" {
			t.Error("undo mixed contents up")
		}
	}
}

// Everything in a tree is checked against the policy, by its old and its new path.
func TestMovePolicy(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/a", "d/.env", "x/hooks/post", "y/config.json", "open/sub/a"})
		o.Policy = rulesOf(t, policy.DefaultDeny(), append(policy.DefaultDenyWrite(), "/safe/sub/config.json", "/deep/*/sub"))
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		for _, tt := range []struct{ from, to, about string }{
			{"d", "n", "d/.env"},
			{"d/a", "d/.env2/x.pem", "d/.env2/x.pem"},
			{"x", ".git", ".git"},
			{"x/hooks", "n/.git/hooks", "n/.git/hooks"},
			{"y", "safe/sub", "safe/sub/config.json"},
			{"open", "deep/n", "deep/n/sub"},
		} {
			for _, call := range []func(context.Context, *sandbox.Workspace, transaction.Transfer) (*transaction.Done, error){transaction.Move, transaction.Copy} {
				_, err := call(context.Background(), w, transaction.Transfer{From: tt.from, To: tt.to, Parents: true})
				fixture.Fails(t, err, tt.about, fserr.ErrBlocked)
			}
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("after\n%s", after)
		}
	})
}

// A replaced file is checked once more after it is displaced: if somebody changed it, theirs gets
// the name back, and nothing is moved.
func TestMoveOverChanged(t *testing.T) {
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = ours", "g = theirs"})
		w := fixture.OpenWorkspace(t, root, o)
		tx, p := fixture.Planned(t, w, transaction.Change{Move: &transaction.Transfer{From: "f", To: "g", Overwrite: true}})
		defer tx.Release()
		disktest.MakeEntry(t, root, "g = newer")
		before := disktest.Names(t, root)
		if err := p.Run(); !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("error %v", err)
		}
		if after := disktest.Names(t, root); after != before || fixture.Read(t, filepath.Join(root, "g")) != "newer" || fixture.Read(t, filepath.Join(root,
			"f")) != "ours" {
			t.Errorf("there is %s", after)
		}
		if all, err := w.History().Entries(context.Background()); !w.History().Off && (err != nil || len(all) != 0) {
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
		root := fixture.MakeTree(t, []string{"f", "g", "d/a", "e/"})
		w := fixture.OpenWorkspace(t, root, sandbox.Options{})
		path := filepath.Join(root, tt.disturbed)
		_, err := plan.RetryOnCollision(t.Context(), "somewhere", func() (*transaction.Done, error) {
			tx, p := fixture.Planned(t, w, transaction.Change{Move: &transaction.Transfer{From: tt.from, To: tt.to, Overwrite: true}})
			defer tx.Release()
			disktest.Must(t, os.Rename(path, path+".old"))
			if tt.theirs != "" {
				disktest.MakeEntry(t, root, tt.theirs)
			}
			err := tx.Run(p)
			disktest.Must(t, os.RemoveAll(path))
			disktest.Must(t, os.Rename(path+".old", path))
			return nil, err
		})
		fixture.Fails(t, err, tt.disturbed, fserr.ErrBusy)
	}
}

// TestNoClobber: another process creates the new name during every call; exactly one of the two
// gets it.
func TestNoClobber(t *testing.T) {
	rounds := fixture.Few(30)
	if *fixture.Sweep {
		rounds = 100
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for name, c := range map[string]struct {
			from string
			call func(context.Context, *sandbox.Workspace, transaction.Transfer) (*transaction.Done, error)
		}{
			"move file":      {"f", transaction.Move},
			"copy file":      {"f", transaction.Copy},
			"move directory": {"d", transaction.Move},
			"copy directory": {"d", transaction.Copy},
		} {
			root := fixture.MakeTree(t, []string{"f = ours", "d/x = ours"})
			w := fixture.OpenWorkspace(t, root, o)
			for range rounds {
				var group sync.WaitGroup
				created := false
				group.Go(func() {
					f, err := os.OpenFile(filepath.Join(root, "n"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
					if created = err == nil; created {
						f.Close()
					}
				})
				_, err := c.call(context.Background(), w, transaction.Transfer{From: c.from, To: "n"})
				group.Wait()
				if fixture.Kind(t, err); errors.Is(err, fserr.ErrExists) != created || (err == nil) == created {
					t.Fatalf("%s: created %t, error %v", name, created, err)
				}
				disktest.MakeEntry(t, root, "f = ours")
				disktest.MakeEntry(t, root, "d/x = ours")
				disktest.Must(t, os.RemoveAll(filepath.Join(root, "n")))
			}
			if got := disktest.Names(t, root); got != "d/, d/x, f" {
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
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f"})
		disktest.Must(t, os.Link(filepath.Join(root, "f"), filepath.Join(root, "F")))
		w := fixture.OpenWorkspace(t, root, o)
		_, err := transaction.Move(context.Background(), w, transaction.Transfer{From: "f", To: "F"})
		fixture.Fails(t, err, "F", fserr.ErrExists)
		_, err = transaction.Move(context.Background(), w, transaction.Transfer{From: "f", To: "F", Overwrite: true})
		disktest.Must(t, err)
		if got := disktest.Names(t, root); got != "F" {
			t.Error(got)
		}
	})
}

// A file that nobody may write isn't replaced, although its folder would allow it.
func TestMoveOverProtected(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = ours", "g = theirs"})
		disktest.Must(t, os.Chmod(filepath.Join(root, "g"), 0o444))
		w := fixture.OpenWorkspace(t, root, o)
		for _, call := range []func(context.Context, *sandbox.Workspace, transaction.Transfer) (*transaction.Done, error){transaction.Move, transaction.Copy} {
			_, err := call(context.Background(), w, transaction.Transfer{From: "f", To: "g", Overwrite: true})
			fixture.Fails(t, err, "g", fserr.ErrPermission)
		}
		_, err := transaction.Move(context.Background(), w, transaction.Transfer{From: "g", To: "n"})
		disktest.Must(t, err)
		_, err = transaction.Delete(context.Background(), w, transaction.WriteOptions{Path: "n"})
		disktest.Must(t, err)
		if got := disktest.Names(t, root); got != "f" {
			t.Error(got)
		}
	})
}

func TestTransferCanceled(t *testing.T) {
	fixture.Lacks(t, "removing or replacing what is open")
	forBothKeeping(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/x", "f"})
		w := fixture.OpenWorkspace(t, root, o)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, from := range []string{"d", "f"} {
			for _, call := range []func(context.Context, *sandbox.Workspace, transaction.Transfer) (*transaction.Done, error){transaction.Move, transaction.Copy} {
				if _, err := call(ctx, w, transaction.Transfer{From: from, To: "a/b/n", Parents: true}); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: error %v", from, err)
				}
			}
		}
		if got := disktest.Names(t, root); got != "d/, d/x, f" {
			t.Error(got)
		}
	})
}
