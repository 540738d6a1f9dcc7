package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fsbox/sandbox/dir"
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
	w, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	view, ctx := agreedTo(t, w, "scratch/d/f", "scratch/d/new", "scratch/d/sub", "scratch/g"), context.Background()
	if _, err := view.Append(ctx, WriteOptions{Path: "scratch/d/f"}, more("x")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(filepath.Join(root, "scratch/d"), filepath.Join(root, "old")), os.Symlink("../prod", filepath.Join(root,
		"scratch/d"))); err != nil {
		t.Skip(err)
	}
	for name, change := range map[string]func() error{
		"append":    func() error { return second(view.Append(ctx, WriteOptions{Path: "scratch/d/f"}, more("x"))) },
		"delete":    func() error { return second(view.Delete(ctx, WriteOptions{Path: "scratch/d/f"})) },
		"mkdir":     func() error { return second(view.Mkdir(ctx, "scratch/d/sub", true)) },
		"move":      func() error { return second(view.Move(ctx, Transfer{From: "scratch/g", To: "scratch/d/new"})) },
		"move from": func() error { return second(view.Move(ctx, Transfer{From: "scratch/d/f", To: "scratch/new"})) },
		"copy":      func() error { return second(view.Copy(ctx, Transfer{From: "scratch/g", To: "scratch/d/new"})) },
		"copy from": func() error {
			return second(view.Copy(ctx, Transfer{From: "scratch/d/f", To: "scratch/g", Overwrite: true}))
		},
	} {
		if err := change(); !errors.Is(err, dir.ErrBusy) {
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
func agreedTo(t *testing.T, w *Workspace, paths ...string) *Workspace {
	t.Helper()
	agreed := map[string]Agreed{}
	for _, path := range paths {
		st, err := w.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		a := Agreed{Exists: st.Exists, Info: st.Info, Missing: st.Missing}
		switch {
		case !st.Exists:
		case st.Mode.IsDir():
			a.Tag, err = w.TreeStamp(context.Background(), path, nil)
		default:
			var f *dir.File
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
	for name, change := range map[string]func(ctx context.Context, w *Workspace) error{
		"move": func(ctx context.Context, w *Workspace) error {
			return second(w.Move(ctx, Transfer{From: "a", To: "new"}))
		},
		"move over": func(ctx context.Context, w *Workspace) error {
			return second(w.Move(ctx, Transfer{From: "b", To: "a", Overwrite: true}))
		},
		"copy over": func(ctx context.Context, w *Workspace) error {
			return second(w.Copy(ctx, Transfer{From: "b", To: "a", Overwrite: true}))
		},
		"delete": func(ctx context.Context, w *Workspace) error { return second(w.Delete(ctx, WriteOptions{Path: "a"})) },
		"append": func(ctx context.Context, w *Workspace) error {
			return second(w.Append(ctx, WriteOptions{Path: "a"}, more("x")))
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

func testOnlyUnderLock(t *testing.T, name string, change func(ctx context.Context, w *Workspace) error, whole int64) {
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
	w, err := Open(root, Options{Whole: whole})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	view, ctx := agreedTo(t, w, "a", "b", "new"), context.Background()
	lock, err := w.root.Lock(ctx)
	if err != nil {
		t.Skip(err)
	}
	done := make(chan error)
	go func() { done <- change(ctx, view) }()
	time.Sleep(30 * time.Millisecond) // the call is likely to have found its targets; if not, it is refused all the same
	set("a", "odd")
	lock.Release()
	if err := <-done; !errors.Is(err, dir.ErrStale) {
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
	root := makefs(t, []string{"d/s/f = old"})
	options := withState(t, Options{Whole: 1 << 20})
	w, ctx := open(t, root, options), context.Background()
	check(t, os.Chmod(filepath.Join(root, "d"), 0o700))
	gone, err := w.Delete(ctx, WriteOptions{Path: "d", Recursive: true})
	check(t, err)
	undo := func(w *Workspace, dry bool, see Seer) error {
		if since {
			return second(w.UndoSince(ctx, gone.BackupID, dry, see))
		}
		return second(w.Undo(ctx, gone.BackupID, "", dry, see))
	}
	var stamp string
	check(t, undo(w, true, func(_ bool, one Undone) { stamp = one.Stamp }))
	view := w.Only(map[string]Agreed{"d": {Kept: stamp}})
	lock, err := w.root.Lock(ctx)
	if err != nil {
		t.Skip(err)
	}
	done := make(chan error)
	go func() { done <- undo(view, false, nil) }()
	time.Sleep(30 * time.Millisecond) // as in testOnlyUnderLock
	kept, err := filepath.Glob(filepath.Join(w.StateDir(), "*", "*", "s"))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	check(t, late(filepath.Dir(kept[0])))
	lock.Release()
	err = <-done
	if _, back := os.Stat(filepath.Join(root, "d")); name == "nothing" && (err != nil || back != nil) ||
		name != "nothing" && (!errors.Is(err, ErrNotAsAgreed) || back == nil) {
		t.Errorf("%s, since %v: %v; the folder: %v", name, since, err, back)
	}
}
