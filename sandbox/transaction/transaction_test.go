package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"
)

var transactions = []struct {
	name    string
	fs      []string
	changes []transaction.Change
	after   string
}{
	{"two directories", []string{"a/f = 1", "b/g = 2"}, []transaction.Change{fixture.Put("a/f", "one", transaction.MustExist), fixture.Put("b/g", "two", transaction.MayCreate)},
		"a/, a/f=one, b/, b/g=two"},
	{"one directory", []string{"f = 1", "g = 2", "h = 3"}, []transaction.Change{fixture.Put("h", "three", transaction.MustExist), fixture.Put("f", "one", transaction.MustExist), fixture.Gone("g")},
		"f=one, h=three"},
	{"new files below new directories", []string{"f = 1"}, []transaction.Change{fixture.Put("n/x", "x", transaction.MustCreate), fixture.Put("n/m/y", "y", transaction.MustCreate), fixture.Put("f", "one",
		transaction.MustExist)},
		"f=one, n/, n/m/, n/m/y=y, n/x=x"},
	{"moved, removed, made", []string{"a = 1", "b = 2", "d/c = 3"}, []transaction.Change{fixture.Renamed("a", "d/a"), fixture.Gone("b"), fixture.Put("e", "5", transaction.MustCreate),
		fixture.Put("d/c", "3+", transaction.MustExist)},
		"d/, d/a=1+, d/c=3+, e=5"},
	{"names that go round", []string{"a = 1", "b = 2"}, []transaction.Change{fixture.Renamed("a", "b"), fixture.Renamed("b", "a")}, "a=2+, b=1+"},
	{"names that move on", []string{"a = 1", "b = 2"}, []transaction.Change{fixture.Renamed("a", "b"), fixture.Renamed("b", "c")}, "b=1+, c=2+"},
	{"removed and made anew", []string{"a = 1", "b = 2"}, []transaction.Change{fixture.Gone("a"), fixture.Put("a", "new", transaction.MustCreate), fixture.Put("b", "2+", transaction.MustExist)},
		"a=new, b=2+"},
	{"what stays the same", []string{"a = 1", "b = 2"}, []transaction.Change{fixture.Put("a", "1", transaction.MustExist), fixture.Put("b", "two", transaction.MustExist)}, "a=1, b=two"},
}

// TestCommit makes all of the changes; Undo takes all of them back, and then takes that back.
func TestCommit(t *testing.T) {
	for _, tt := range transactions {
		t.Run(tt.name, func(t *testing.T) {
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, tt.fs)
				w := fixture.OpenWorkspace(t, root, fixture.WithState(t, o))
				before := fixture.Holdings(t, root)
				done, err := transaction.Commit(context.Background(), w, tt.changes)
				disktest.Must(t, err)
				if got := fixture.Holdings(t, root); got != tt.after || len(done) != len(tt.changes) {
					t.Fatalf("the tree holds %s, want %s; %d results", got, tt.after, len(done))
				}
				for n, want := range []string{before, tt.after, before} {
					_, err := undo.Undo(context.Background(), w, "", "", false, nil)
					disktest.Must(t, err)
					if got := withoutEmpty(fixture.Holdings(t, root)); got != withoutEmpty(want) {
						t.Errorf("after undo %d the tree holds %s, want %s", n+1, got, want)
					}
				}
			})
		})
	}
}

// withoutEmpty removes folders from the list: an undo doesn't remove new parent folders.
func withoutEmpty(tree string) string {
	var files []string
	for name := range strings.SplitSeq(tree, ", ") {
		if !strings.HasSuffix(name, "/") {
			files = append(files, name)
		}
	}
	return strings.Join(files, ", ")
}

// countdown is a context that is cancelled after it was asked a number of times, or ends the call
// by a panic, as a kill would.
type countdown struct {
	context.Context
	left  int
	crash bool
}

var errCrash = errors.New("crash")

func (c *countdown) Err() error {
	if c.left--; c.left >= 0 {
		return nil
	}
	if c.crash {
		panic(errCrash)
	}
	return context.Canceled
}

// TestCommitCutShort stops a transaction wherever it checks for cancellation: by cancelling it,
// then by a crash, after which another workspace makes the next call. Each time the tree is the old
// one or the new one.
func TestCommitCutShort(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, tt := range transactions {
		for _, crash := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, crash %v", tt.name, crash), func(t *testing.T) {
				fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
					olds := 0
					for n := 0; ; n += every(3) {
						root := fixture.MakeTree(t, tt.fs)
						o := fixture.WithState(t, o)
						before := fixture.Holdings(t, root)
						err := commitUntil(t, root, o, tt.changes, &countdown{context.Background(), n, crash})
						if crash {
							w := fixture.OpenWorkspace(t, root, o)
							fixture.Recovered(t, w)
							// for a single file: the next write into this folder does it
							lock, _, err := plan.LockTarget(t.Context(), w, &sandbox.Target{Folder: w.RootFolder, Name: "x", Path: "x"}, false)
							disktest.Must(t, err)
							lock.Release()
						}
						got := fixture.Holdings(t, root)
						if err == nil && got != tt.after || err != nil && withoutEmpty(got) != withoutEmpty(before) &&
							withoutEmpty(got) != withoutEmpty(tt.after) {
							t.Fatalf("after %d looks, error %v: the tree holds %s", n, err, got)
						}
						if withoutEmpty(got) == withoutEmpty(before) {
							olds++
						}
						if err == nil {
							break
						}
						if n > 1000 {
							t.Fatal("it never gets through")
						}
					}
					if olds*every(3) < 4 {
						t.Errorf("only %d of the stops were early enough to leave the old tree", olds)
					}
				})
			})
		}
	}
}

func commitUntil(t *testing.T, root string, o sandbox.Options, changes []transaction.Change, ctx *countdown) (err error) {
	w := fixture.OpenWorkspace(t, root, o)
	defer func() {
		if reason := recover(); reason == errCrash {
			err = errCrash
		} else if reason != nil {
			panic(reason)
		}
	}()
	_, err = transaction.Commit(ctx, w, changes)
	return err
}

// TestCommitRefused: if one change can't be made, none is, and the error names all that can't.
func TestCommitRefused(t *testing.T) {
	refuse := func([]byte, bool) ([]byte, error) { return nil, errRefused }
	for _, tt := range []struct {
		name    string
		changes []transaction.Change
		failed  map[int]error
	}{
		{"nothing there", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), fixture.Put("none", "x", transaction.MustExist), fixture.Gone("nor that")}, map[int]error{1: fserr.ErrNotFound,
			2: fserr.ErrNotFound}},
		{"something there", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), fixture.Put("b", "x", transaction.MustCreate)}, map[int]error{1: fserr.ErrExists}},
		{"a name that is taken", []transaction.Change{fixture.Renamed("a", "b")}, map[int]error{0: fserr.ErrExists}},
		{"a directory", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), fixture.Gone("d")}, map[int]error{1: fserr.ErrNotFile}},
		{"the caller's own", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), {WriteOptions: transaction.WriteOptions{Path: "b"}, Make: refuse}}, map[int]error{1: errRefused}},
		{"one file twice", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), fixture.Put("a", "y", transaction.MustExist)}, map[int]error{1: fserr.ErrInvalidPath}},
		{"one file by a link", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), fixture.Put("l", "y", transaction.MustExist)}, map[int]error{1: fserr.ErrInvalidPath}},
		{"outside", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), fixture.Put("out", "y", transaction.MayCreate)}, map[int]error{1: fserr.ErrLinkOutside}},
		{"stale", []transaction.Change{fixture.Put("a", "x", transaction.MustExist), {WriteOptions: transaction.WriteOptions{Path: "b", IfMatch: "c00"}, Remove: true}}, map[int]error{1: fserr.ErrStale}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, []string{"a = 1", "b = 2", "d/", "l => a", "out => $OUT/f"})
				before := fixture.Snapshot(t, root)
				_, err := transaction.Commit(context.Background(), fixture.OpenWorkspace(t, root, fixture.WithState(t, o)), tt.changes)
				if fixture.Snapshot(t, root) != before {
					t.Errorf("the tree changed:\n%s", fixture.Snapshot(t, root))
				}
				var several *transaction.ChangesError
				if len(tt.changes) == 1 {
					several = &transaction.ChangesError{[]transaction.FailedChange{{0, err}}}
				} else if !errors.As(err, &several) {
					t.Fatalf("error %v", err)
				}
				if len(several.Failed) != len(tt.failed) {
					t.Errorf("failed: %v", several.Failed)
				}
				for _, f := range several.Failed {
					if !errors.Is(f.Err, tt.failed[f.Index]) {
						t.Errorf("change %d: %v, want %v", f.Index, f.Err, tt.failed[f.Index])
					}
				}
			})
		})
	}
}

// TestCommitHardLinks changes two names of one file: each gets its own content, and a third name
// keeps the old content.
func TestCommitHardLinks(t *testing.T) {
	for _, changes := range [][]transaction.Change{
		{fixture.Put("a", "one", transaction.MustExist), fixture.Put("b", "two", transaction.MustExist)},
		{fixture.Renamed("a", "c"), fixture.Put("b", "two", transaction.MustExist)},
		{fixture.Gone("a"), fixture.Gone("b")},
	} {
		fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
			root := fixture.MakeTree(t, []string{"a = 1"})
			for _, name := range []string{"b", "third"} {
				disktest.Must(t, os.Link(filepath.Join(root, "a"), filepath.Join(root, name)))
			}
			o = fixture.WithState(t, o)
			o.Whole = 1 << 20
			_, err := transaction.Commit(context.Background(), fixture.OpenWorkspace(t, root, o), changes)
			disktest.Must(t, err)
			got := fixture.Holdings(t, root)
			if !strings.HasSuffix(got, "third=1") || strings.Contains(got, "a=1") || strings.Contains(got, "b=1") {
				t.Errorf("left %q", got)
			}
		})
	}
}

// unsynced is a folder that can't be synced.
type unsynced struct{ dir.Folder }

func (unsynced) Sync() error { return os.ErrInvalid }

// TestSyncToldOnce: that a folder can't be synced, before or after the old files are removed, is
// reported once.
func TestSyncToldOnce(t *testing.T) {
	root := fixture.MakeTree(t, []string{"a"})
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
	p, err := w.Locate("a", sandbox.Purpose{})
	disktest.Must(t, err)
	defer p.Close()
	p.Folder = unsynced{p.Folder}
	under, err := w.History().Announce(history.NewEntry("patch", "", history.Item{Path: "a", Kind: history.Create}))
	disktest.Must(t, err)
	defer under.Close()
	made := &plan.Plan{LockSet: &plan.LockSet{Workspace: w, Ctx: context.Background()}, Steps: []*plan.Step{{Target: p}}, Record: under}
	err = made.Finish()
	fixture.Fails(t, err, "a", fserr.ErrDurability)
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("got %q", err)
	}
}

// What a change writes of which no content is held can be undone, of one file and of several.
func TestUndoOfLater(t *testing.T) {
	for _, paths := range [][]string{{"f"}, {"f", "g"}} {
		root := fixture.MakeTree(t, []string{"f = 1", "g = 1"})
		w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{Whole: 1 << 20}))
		var changes []transaction.Change
		for _, path := range paths {
			c := fixture.Put(path, "new", transaction.MustExist)
			c.IfMatch, c.Later = openfile.ContentETag([]byte("1")), 4
			changes = append(changes, c)
		}
		done, err := transaction.Commit(t.Context(), w, changes)
		disktest.Must(t, err)
		if got := fixture.Read(t, filepath.Join(root, "f")); got != "new" {
			t.Errorf("%v: f has %q", paths, got)
		}
		_, err = undo.Undo(t.Context(), w, done[0].BackupID, "", false, nil)
		disktest.Must(t, err)
		if got := fixture.Holdings(t, root); got != "f=1, g=1" {
			t.Errorf("%v: after the undo there is %s", paths, got)
		}
	}
}
