package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

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
	view, ctx := w.Only([]string{"scratch/d/f", "scratch/d/new", "scratch/d/sub", "scratch/g"}), context.Background()
	if _, err := view.Append(ctx, Target{Path: "scratch/d/f"}, more("x")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(filepath.Join(root, "scratch/d"), filepath.Join(root, "old")), os.Symlink("../prod", filepath.Join(root, "scratch/d"))); err != nil {
		t.Skip(err)
	}
	for name, change := range map[string]func() error{
		"append":    func() error { return second(view.Append(ctx, Target{Path: "scratch/d/f"}, more("x"))) },
		"delete":    func() error { return second(view.Delete(ctx, Target{Path: "scratch/d/f"})) },
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
