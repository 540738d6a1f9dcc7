package transaction_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/tree"
	"fsbox/sandbox/undo"
)

// A view with Only changes nothing where a path leads elsewhere than it did.
func TestOnly(t *testing.T) {
	root := t.TempDir()
	for _, path := range []string{"scratch/d", "prod"} {
		if err := os.MkdirAll(filepath.Join(root, path), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"scratch/d/f", "prod/f", "scratch/g"} {
		if err := os.WriteFile(filepath.Join(root, path), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, err := sandbox.Open(root, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	view, ctx := agreedTo(t, w, "scratch/d/f", "scratch/d/new", "scratch/d/sub", "scratch/g"), context.Background()
	if _, err := transaction.Append(ctx, view, transaction.WriteOptions{Path: "scratch/d/f"}, fixture.More("x")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(filepath.Join(root, "scratch/d"), filepath.Join(root, "old")), os.Symlink("../prod", filepath.Join(root,
		"scratch/d"))); err != nil {
		t.Skip(err)
	}
	for name, change := range map[string]func() error{
		"append": func() error {
			return second(transaction.Append(ctx, view, transaction.WriteOptions{Path: "scratch/d/f"}, fixture.More("x")))
		},
		"delete": func() error {
			return second(transaction.Delete(ctx, view, transaction.WriteOptions{Path: "scratch/d/f"}))
		},
		"mkdir": func() error { return second(transaction.Mkdir(ctx, view, "scratch/d/sub", true)) },
		"move": func() error {
			return second(transaction.Move(ctx, view, transaction.Transfer{From: "scratch/g", To: "scratch/d/new"}))
		},
		"move from": func() error {
			return second(transaction.Move(ctx, view, transaction.Transfer{From: "scratch/d/f", To: "scratch/new"}))
		},
		"copy": func() error {
			return second(transaction.Copy(ctx, view, transaction.Transfer{From: "scratch/g", To: "scratch/d/new"}))
		},
		"copy from": func() error {
			return second(transaction.Copy(ctx, view, transaction.Transfer{From: "scratch/d/f", To: "scratch/g", Overwrite: true}))
		},
	} {
		if err := change(); !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if names, err := os.ReadDir(filepath.Join(root, "prod")); err != nil || len(names) != 1 {
		t.Errorf("%v %v", names, err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "prod/f")); string(text) != "old" {
		t.Errorf("%q", text)
	}
}

// agreedTo is a view in which paths may change as long as they are as they are now.
func agreedTo(t *testing.T, w *sandbox.Workspace, paths ...string) *sandbox.Workspace {
	t.Helper()
	agreed := map[string]sandbox.Agreed{}
	for _, path := range paths {
		st, err := w.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		a := sandbox.Agreed{Exists: st.Exists, Info: st.Info, Missing: st.Missing}
		switch {
		case !st.Exists:
		case st.Mode.IsDir():
			a.Tag, err = tree.Stamp(context.Background(), w, path, nil)
		default:
			var f *openfile.File
			if f, err = w.OpenFile(path); err == nil {
				a.Tag, err = w.ETag(context.Background(), f, nil)
				f.Close()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		agreed[path] = a
	}
	return w.Only(agreed)
}

// What was agreed to is compared under the lock: a change with the same size and times is noticed
// that is made while a call waits for the lock.
func TestOnlyUnderLock(t *testing.T) {
	for name, change := range map[string]func(ctx context.Context, w *sandbox.Workspace) error{
		"move": func(ctx context.Context, w *sandbox.Workspace) error {
			return second(transaction.Move(ctx, w, transaction.Transfer{From: "a", To: "new"}))
		},
		"move over": func(ctx context.Context, w *sandbox.Workspace) error {
			return second(transaction.Move(ctx, w, transaction.Transfer{From: "b", To: "a", Overwrite: true}))
		},
		"copy over": func(ctx context.Context, w *sandbox.Workspace) error {
			return second(transaction.Copy(ctx, w, transaction.Transfer{From: "b", To: "a", Overwrite: true}))
		},
		"delete": func(ctx context.Context, w *sandbox.Workspace) error {
			return second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "a"}))
		},
		"append": func(ctx context.Context, w *sandbox.Workspace) error {
			return second(transaction.Append(ctx, w, transaction.WriteOptions{Path: "a"}, fixture.More("x")))
		},
	} {
		for _, whole := range []int64{1 << 20, 1} {
			if name == "copy over" && whole == 1 {
				continue // a long file can't be copied
			}
			testOnlyUnderLock(t, name, change, whole)
		}
	}
}

func testOnlyUnderLock(t *testing.T, name string, change func(ctx context.Context, w *sandbox.Workspace) error, whole int64) {
	root := t.TempDir()
	at := time.Unix(1_800_000_000, 0)
	set := func(name, text string) {
		path := filepath.Join(root, name)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o666), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	set("a", "old")
	set("b", "new")
	w, err := sandbox.Open(root, sandbox.Options{Whole: whole})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	view, ctx := agreedTo(t, w, "a", "b", "new"), context.Background()
	lock, err := dirlock.Take(ctx, w.RootFolder, false)
	if err != nil {
		t.Skip(err)
	}
	done := make(chan error)
	go func() { done <- change(ctx, view) }()
	time.Sleep(30 * time.Millisecond) // the call is likely to have found its targets; if not, it is refused all the same
	set("a", "odd")
	lock.Release()
	if err := <-done; !errors.Is(err, fserr.ErrStale) {
		t.Errorf("%s: %v", name, err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "a")); string(text) != "odd" {
		t.Errorf("%s: %q", name, text)
	}
}

// A folder that an undo brings back is compared under the lock as well, where it is kept: nothing
// that was put into it since somebody agreed comes back with it.
func TestOnlyOfKeptFolder(t *testing.T) {
	for name, late := range map[string]func(kept string) error{
		"nothing":    func(string) error { return nil },
		"one more":   func(kept string) error { return os.WriteFile(filepath.Join(kept, "s", "evil"), nil, 0o666) },
		"other mode": func(kept string) error { return os.Chmod(kept, 0o777) },
		"same times": func(kept string) error {
			path := filepath.Join(kept, "s", "f")
			info, err := os.Stat(path)
			if err == nil {
				err = errors.Join(os.WriteFile(path, []byte("odd"), 0o666), os.Chtimes(path, info.ModTime(), info.ModTime()))
			}
			return err
		},
	} {
		for _, since := range []bool{false, true} {
			testOnlyOfKeptFolder(t, name, late, since)
		}
	}
}

func testOnlyOfKeptFolder(t *testing.T, name string, late func(kept string) error, since bool) {
	root := fixture.MakeTree(t, []string{"d/s/f = old"})
	options := fixture.WithState(t, sandbox.Options{Whole: 1 << 20})
	w, ctx := fixture.OpenWorkspace(t, root, options), context.Background()
	disktest.Must(t, os.Chmod(filepath.Join(root, "d"), 0o700))
	gone, err := transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d", Recursive: true})
	disktest.Must(t, err)
	revert := func(w *sandbox.Workspace, dry bool, see undo.Seer) error {
		if since {
			return second(undo.Since(ctx, w, gone.BackupID, dry, see))
		}
		return second(undo.Undo(ctx, w, gone.BackupID, "", dry, see))
	}
	var stamp string
	disktest.Must(t, revert(w, true, func(_ bool, one undo.Undone) { stamp = one.Stamp }))
	view := w.Only(map[string]sandbox.Agreed{"d": {Kept: stamp}})
	lock, err := dirlock.Take(ctx, w.RootFolder, false)
	if err != nil {
		t.Skip(err)
	}
	done := make(chan error)
	go func() { done <- revert(view, false, nil) }()
	time.Sleep(30 * time.Millisecond) // as in testOnlyUnderLock
	kept, err := filepath.Glob(filepath.Join(w.StateDir(), "*", "*", "s"))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	disktest.Must(t, late(filepath.Dir(kept[0])))
	lock.Release()
	err = <-done
	if _, back := os.Stat(filepath.Join(root, "d")); name == "nothing" && (err != nil || back != nil) ||
		name != "nothing" && (!errors.Is(err, sandbox.ErrNotAsAgreed) || back == nil) {
		t.Errorf("%s, since %v: %v; the directory: %v", name, since, err, back)
	}
}
