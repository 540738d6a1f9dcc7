package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAdd: a command that was just added lacks nothing, and its script passes.
func TestAdd(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	tree := t.TempDir()
	copyTree(t, tree)
	t.Chdir(tree)
	if err := add("triage"); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"test -trimpath ./commands -update",
		"test -trimpath ./commands ./layout ./testscript/read -run TestCommands$|TestImports$|TestNothingUnused$|TestWords$|TestScripts$/^triage$",
	} {
		if out, err := exec.Command("go", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
	for _, name := range []string{"triage", "func", "Triage", "../x", ""} {
		if err := add(name); err == nil {
			t.Errorf("%q was added", name)
		}
	}
}

// copyTree copies the repository, without what begins with a dot and what has modules of its own.
func copyTree(t *testing.T, to string) {
	t.Helper()
	top := os.DirFS("../..")
	err := fs.WalkDir(top, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "bench" || name == "hosts" || name != "." && name[0] == '.'):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		content, err := fs.ReadFile(top, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), content, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}
