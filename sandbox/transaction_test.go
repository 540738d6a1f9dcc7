package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// withState puts the state folder of a test's workspace beside the workspace.
func withState(t *testing.T, o Options) Options {
	o.State, o.Backups = filepath.Join(t.TempDir(), "state"), true
	return o
}

// put, gone and move are changes of a transaction.
func put(path, text string, c Creation) Change {
	return Change{WriteOptions: WriteOptions{Path: path, Creation: c, Parents: true}, Make: content(text)}
}

func gone(path string) Change { return Change{WriteOptions: WriteOptions{Path: path}, Remove: true} }

func rename(from, to string) Change {
	return Change{WriteOptions: WriteOptions{Path: to, Creation: MustCreate, Parents: true}, From: from,
		Make: func(old []byte, _ bool) ([]byte, error) { return append(old[:len(old):len(old)], '+'), nil }}
}

// holdings is the tree as text: files with their content.
func holdings(t *testing.T, root string) string {
	t.Helper()
	var all []string
	for name := range strings.SplitSeq(names(t, root), ", ") {
		if name != "" && !strings.HasSuffix(name, "/") {
			name += "=" + read(t, filepath.Join(root, name))
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

var transactions = []struct {
	name    string
	fs      []string
	changes []Change
	after   string
}{
	{"two folders", []string{"a/f = 1", "b/g = 2"}, []Change{put("a/f", "one", MustExist), put("b/g", "two", MayCreate)},
		"a/, a/f=one, b/, b/g=two"},
	{"one folder", []string{"f = 1", "g = 2", "h = 3"}, []Change{put("h", "three", MustExist), put("f", "one", MustExist), gone("g")},
		"f=one, h=three"},
	{"new files below new folders", []string{"f = 1"}, []Change{put("n/x", "x", MustCreate), put("n/m/y", "y", MustCreate), put("f", "one",
		MustExist)},
		"f=one, n/, n/m/, n/m/y=y, n/x=x"},
	{"moved, removed, made", []string{"a = 1", "b = 2", "d/c = 3"}, []Change{rename("a", "d/a"), gone("b"), put("e", "5", MustCreate),
		put("d/c", "3+", MustExist)},
		"d/, d/a=1+, d/c=3+, e=5"},
	{"names that go round", []string{"a = 1", "b = 2"}, []Change{rename("a", "b"), rename("b", "a")}, "a=2+, b=1+"},
	{"names that move on", []string{"a = 1", "b = 2"}, []Change{rename("a", "b"), rename("b", "c")}, "b=1+, c=2+"},
	{"removed and made anew", []string{"a = 1", "b = 2"}, []Change{gone("a"), put("a", "new", MustCreate), put("b", "2+", MustExist)},
		"a=new, b=2+"},
	{"what stays the same", []string{"a = 1", "b = 2"}, []Change{put("a", "1", MustExist), put("b", "two", MustExist)}, "a=1, b=two"},
}

// TestCommit makes all of the changes; Undo takes all of them back, and then takes that back.
func TestCommit(t *testing.T) {
	for _, tt := range transactions {
		t.Run(tt.name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, o Options) {
				root := makefs(t, tt.fs)
				w := open(t, root, withState(t, o))
				before := holdings(t, root)
				done, err := w.Commit(context.Background(), tt.changes)
				check(t, err)
				if got := holdings(t, root); got != tt.after || len(done) != len(tt.changes) {
					t.Fatalf("the tree holds %s, want %s; %d results", got, tt.after, len(done))
				}
				for n, want := range []string{before, tt.after, before} {
					_, err := w.Undo(context.Background(), "", "", false, nil)
					check(t, err)
					if got := withoutEmpty(holdings(t, root)); got != withoutEmpty(want) {
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
		t.Skip("left out by -short")
	}
	for _, tt := range transactions {
		for _, crash := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, crash %v", tt.name, crash), func(t *testing.T) {
				forBoth(t, func(t *testing.T, o Options) {
					olds := 0
					for n := 0; ; n += every(3) {
						root := makefs(t, tt.fs)
						o := withState(t, o)
						before := holdings(t, root)
						err := commitUntil(t, root, o, tt.changes, &countdown{context.Background(), n, crash})
						if crash {
							w := open(t, root, o)
							recovered(t, w)
							// for a single file: the next write into this folder does it
							lock, err := lockPlace(t.Context(), w, &Target{Folder: w.root, Name: "x", Path: "x"})
							check(t, err)
							lock.Release()
						}
						got := holdings(t, root)
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

func commitUntil(t *testing.T, root string, o Options, changes []Change, ctx *countdown) (err error) {
	w := open(t, root, o)
	defer func() {
		if reason := recover(); reason == errCrash {
			err = errCrash
		} else if reason != nil {
			panic(reason)
		}
	}()
	_, err = w.Commit(ctx, changes)
	return err
}

// TestCommitRefused: if one change can't be made, none is, and the error names all that can't.
func TestCommitRefused(t *testing.T) {
	refuse := func([]byte, bool) ([]byte, error) { return nil, errRefused }
	for _, tt := range []struct {
		name    string
		changes []Change
		failed  map[int]error
	}{
		{"nothing there", []Change{put("a", "x", MustExist), put("none", "x", MustExist), gone("nor that")}, map[int]error{1: dir.ErrNotFound,
			2: dir.ErrNotFound}},
		{"something there", []Change{put("a", "x", MustExist), put("b", "x", MustCreate)}, map[int]error{1: dir.ErrExists}},
		{"a name that is taken", []Change{rename("a", "b")}, map[int]error{0: dir.ErrExists}},
		{"a folder", []Change{put("a", "x", MustExist), gone("d")}, map[int]error{1: dir.ErrNotFile}},
		{"the caller's own", []Change{put("a", "x", MustExist), {WriteOptions: WriteOptions{Path: "b"}, Make: refuse}}, map[int]error{1: errRefused}},
		{"one file twice", []Change{put("a", "x", MustExist), put("a", "y", MustExist)}, map[int]error{1: dir.ErrInvalidPath}},
		{"one file by a link", []Change{put("a", "x", MustExist), put("l", "y", MustExist)}, map[int]error{1: dir.ErrInvalidPath}},
		{"outside", []Change{put("a", "x", MustExist), put("out", "y", MayCreate)}, map[int]error{1: dir.ErrLinkOutside}},
		{"stale", []Change{put("a", "x", MustExist), {WriteOptions: WriteOptions{Path: "b", IfMatch: "c00"}, Remove: true}}, map[int]error{1: dir.ErrStale}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, o Options) {
				root := makefs(t, []string{"a = 1", "b = 2", "d/", "l => a", "out => $OUT/f"})
				before := snapshot(t, root)
				_, err := open(t, root, withState(t, o)).Commit(context.Background(), tt.changes)
				if snapshot(t, root) != before {
					t.Errorf("the tree changed:\n%s", snapshot(t, root))
				}
				var several *ChangesError
				if len(tt.changes) == 1 {
					several = &ChangesError{[]FailedChange{{0, err}}}
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
	for _, changes := range [][]Change{
		{put("a", "one", MustExist), put("b", "two", MustExist)},
		{rename("a", "c"), put("b", "two", MustExist)},
		{gone("a"), gone("b")},
	} {
		forBoth(t, func(t *testing.T, o Options) {
			root := makefs(t, []string{"a = 1"})
			for _, name := range []string{"b", "third"} {
				check(t, os.Link(filepath.Join(root, "a"), filepath.Join(root, name)))
			}
			o = withState(t, o)
			o.Whole = 1 << 20
			_, err := open(t, root, o).Commit(context.Background(), changes)
			check(t, err)
			got := holdings(t, root)
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
	root := makefs(t, []string{"a"})
	w := open(t, root, withState(t, Options{Whole: 1 << 20}))
	p, err := w.Locate("a", Purpose{})
	check(t, err)
	defer p.Close()
	p.Folder = unsynced{p.Folder}
	under, err := w.history.Announce(history.NewEntry("patch", "", history.Item{Path: "a", Kind: history.Give}))
	check(t, err)
	defer under.Close()
	made := &plan{lockSet: &lockSet{w: w, ctx: context.Background()}, steps: []*step{{p: p}}, record: under}
	err = made.finish()
	fails(t, err, "a", dir.ErrDurability)
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("got %q", err)
	}
}

// What a change writes of which no content is held can be undone, of one file and of several.
func TestUndoOfLater(t *testing.T) {
	for _, paths := range [][]string{{"f"}, {"f", "g"}} {
		root := makefs(t, []string{"f = 1", "g = 1"})
		w := open(t, root, withState(t, Options{Whole: 1 << 20}))
		var changes []Change
		for _, path := range paths {
			c := put(path, "new", MustExist)
			c.IfMatch, c.Later = dir.ContentETag([]byte("1")), 4
			changes = append(changes, c)
		}
		done, err := w.Commit(t.Context(), changes)
		check(t, err)
		if got := read(t, filepath.Join(root, "f")); got != "new" {
			t.Errorf("%v: f has %q", paths, got)
		}
		_, err = w.Undo(t.Context(), done[0].BackupID, "", false, nil)
		check(t, err)
		if got := holdings(t, root); got != "f=1, g=1" {
			t.Errorf("%v: after the undo there is %s", paths, got)
		}
	}
}
