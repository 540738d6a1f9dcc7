package sandbox

import (
	"context"
	"path/filepath"
	"testing"

	"fsbox/sandbox/dir"
)

// bareFolder is a folder on a file system without hard links and with only the plain rename, as on
// some FUSE ones.
type bareFolder struct{ dir.Descriptor }

func (f bareFolder) HardLink(string, dir.Folder, string) error { return dir.ErrUnsupported }
func (f bareFolder) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	folder, ok := to.(dir.Descriptor)
	if bare, is := to.(bareFolder); is {
		folder, ok = bare.Descriptor, true
	}
	switch {
	case !ok || how == dir.Swapping:
		return dir.ErrUnsupported
	case how == dir.IfFree:
		return dir.MoveOverClaim(f.Descriptor, name, folder, newName)
	}
	return f.Descriptor.Move(name, folder, newName, how)
}

func openBare(t *testing.T, root string) *Workspace {
	w := open(t, root, withState(t, Options{NoSync: true, Whole: 1 << 20}))
	w.root = bareFolder{w.root.(dir.Descriptor)}
	return w
}

// On a file system with only the plain rename, everything works, and a taken name is refused.
func TestBareFileSystem(t *testing.T) {
	root := makefs(t, []string{"f", "taken", "d/x", "l => f"})
	w := openBare(t, root)
	ctx := context.Background()
	for _, step := range []struct {
		what string
		call func() error
		left string
	}{
		{"create", func() error { return second(w.Commit(ctx, []Change{put("new", "1", MayCreate)})) }, "d/, d/x, f, l => f, new, taken"},
		{"replace", func() error { return second(w.Commit(ctx, []Change{put("new", "2", MayCreate)})) }, "d/, d/x, f, l => f, new, taken"},
		{"several", func() error {
			return second(w.Commit(ctx, []Change{put("f", "3", MayCreate), put("n2", "4", MayCreate)}))
		}, "d/, d/x, f, l => f, n2, new, taken"},
		{"undo", func() error { return second(w.Undo(ctx, "", "", false, nil)) }, "d/, d/x, f, l => f, new, taken"},
		{"move", func() error { return second(w.Move(ctx, Transfer{From: "new", To: "n"})) }, "d/, d/x, f, l => f, n, taken"},
		{"move over", func() error { return second(w.Move(ctx, Transfer{From: "n", To: "f", Overwrite: true})) }, "d/, d/x, f, l => f, taken"},
		{"undo", func() error { return second(w.Undo(ctx, "", "", false, nil)) }, "d/, d/x, f, l => f, n, taken"},
		{"move a folder", func() error { return second(w.Move(ctx, Transfer{From: "d", To: "e"})) }, "e/, e/x, f, l => f, n, taken"},
		{"copy a folder", func() error { return second(w.Copy(ctx, Transfer{From: "e", To: "d"})) }, "d/, d/x, e/, e/x, f, l => f, n, taken"},
		{"delete a link", func() error { return second(w.Delete(ctx, WriteOptions{Path: "l"})) }, "d/, d/x, e/, e/x, f, n, taken"},
		{"undo", func() error { return second(w.Undo(ctx, "", "", false, nil)) }, "d/, d/x, e/, e/x, f, l => f, n, taken"},
		{"delete a tree", func() error { return second(w.Delete(ctx, WriteOptions{Path: "d", Recursive: true})) }, "e/, e/x, f, l => f, n, taken"},
		{"undo", func() error { return second(w.Undo(ctx, "", "", false, nil)) }, "d/, d/x, e/, e/x, f, l => f, n, taken"},
	} {
		if err := step.call(); err != nil {
			t.Errorf("%s: %v", step.what, err)
		}
		if got := names(t, root); got != step.left {
			t.Fatalf("after %s there is %s\nwant %s", step.what, got, step.left)
		}
	}
	if got := read(t, filepath.Join(root, "f")); got != "f" {
		t.Errorf("f holds %q", got)
	}
	check(t, second(w.Delete(ctx, WriteOptions{Path: "n"})))
	check(t, second(w.Commit(ctx, []Change{put("sure", "5", MustCreate)})))
	_, err := w.Commit(ctx, []Change{put("taken", "5", MustCreate)})
	fails(t, err, "taken", dir.ErrExists)
	_, err = w.Move(ctx, Transfer{From: "f", To: "taken"})
	fails(t, err, "taken", dir.ErrExists)
	if got := read(t, filepath.Join(root, "taken")); got != "taken" {
		t.Errorf("taken holds %q", got)
	}
}
