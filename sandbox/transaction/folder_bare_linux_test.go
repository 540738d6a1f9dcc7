package transaction_test

import (
	"context"
	"path/filepath"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
	"fsbox/sandbox/undo"
)

// bareFolder is a folder on a file system without hard links and with only the plain rename, as on
// some FUSE ones.
type bareFolder struct{ dir.Descriptor }

func (f bareFolder) HardLink(string, dir.Folder, string) error { return fserr.ErrUnsupported }
func (f bareFolder) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	folder, ok := to.(dir.Descriptor)
	if bare, is := to.(bareFolder); is {
		folder, ok = bare.Descriptor, true
	}
	switch {
	case !ok || how == dir.Swapping:
		return fserr.ErrUnsupported
	case how == dir.IfFree:
		return dir.MoveOverClaim(f.Descriptor, name, folder, newName)
	}
	return f.Descriptor.Move(name, folder, newName, how)
}

func openBare(t *testing.T, root string) *sandbox.Workspace {
	w := fixture.OpenWorkspace(t, root, fixture.WithState(t, sandbox.Options{NoSync: true, Whole: 1 << 20}))
	w.RootFolder = bareFolder{w.RootFolder.(dir.Descriptor)}
	return w
}

// On a file system with only the plain rename, everything works, and a taken name is refused.
func TestBareFileSystem(t *testing.T) {
	root := fixture.MakeTree(t, []string{"f", "taken", "d/x", "l => f"})
	w := openBare(t, root)
	ctx := context.Background()
	for _, step := range []struct {
		what string
		call func() error
		left string
	}{
		{"create", func() error {
			return second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("new", "1", transaction.MayCreate)}))
		}, "d/, d/x, f, l => f, new, taken"},
		{"replace", func() error {
			return second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("new", "2", transaction.MayCreate)}))
		}, "d/, d/x, f, l => f, new, taken"},
		{"several", func() error {
			return second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("f", "3", transaction.MayCreate), fixture.Put("n2", "4", transaction.MayCreate)}))
		}, "d/, d/x, f, l => f, n2, new, taken"},
		{"undo", func() error { return second(undo.Undo(ctx, w, "", "", false, nil)) }, "d/, d/x, f, l => f, new, taken"},
		{"move", func() error { return second(transaction.Move(ctx, w, transaction.Transfer{From: "new", To: "n"})) }, "d/, d/x, f, l => f, n, taken"},
		{"move over", func() error {
			return second(transaction.Move(ctx, w, transaction.Transfer{From: "n", To: "f", Overwrite: true}))
		}, "d/, d/x, f, l => f, taken"},
		{"undo", func() error { return second(undo.Undo(ctx, w, "", "", false, nil)) }, "d/, d/x, f, l => f, n, taken"},
		{"move a directory", func() error { return second(transaction.Move(ctx, w, transaction.Transfer{From: "d", To: "e"})) }, "e/, e/x, f, l => f, n, taken"},
		{"copy a directory", func() error { return second(transaction.Copy(ctx, w, transaction.Transfer{From: "e", To: "d"})) }, "d/, d/x, e/, e/x, f, l => f, n, taken"},
		{"delete a link", func() error { return second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "l"})) }, "d/, d/x, e/, e/x, f, n, taken"},
		{"undo", func() error { return second(undo.Undo(ctx, w, "", "", false, nil)) }, "d/, d/x, e/, e/x, f, l => f, n, taken"},
		{"delete a tree", func() error {
			return second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d", Recursive: true}))
		}, "e/, e/x, f, l => f, n, taken"},
		{"undo", func() error { return second(undo.Undo(ctx, w, "", "", false, nil)) }, "d/, d/x, e/, e/x, f, l => f, n, taken"},
	} {
		if err := step.call(); err != nil {
			t.Errorf("%s: %v", step.what, err)
		}
		if got := disktest.Names(t, root); got != step.left {
			t.Fatalf("after %s there is %s\nwant %s", step.what, got, step.left)
		}
	}
	if got := fixture.Read(t, filepath.Join(root, "f")); got != "f" {
		t.Errorf("f holds %q", got)
	}
	disktest.Must(t, second(transaction.Delete(ctx, w, transaction.WriteOptions{Path: "n"})))
	disktest.Must(t, second(transaction.Commit(ctx, w, []transaction.Change{fixture.Put("sure", "5", transaction.MustCreate)})))
	_, err := transaction.Commit(ctx, w, []transaction.Change{fixture.Put("taken", "5", transaction.MustCreate)})
	fixture.Fails(t, err, "taken", fserr.ErrExists)
	_, err = transaction.Move(ctx, w, transaction.Transfer{From: "f", To: "taken"})
	fixture.Fails(t, err, "taken", fserr.ErrExists)
	if got := fixture.Read(t, filepath.Join(root, "taken")); got != "taken" {
		t.Errorf("taken holds %q", got)
	}
}
