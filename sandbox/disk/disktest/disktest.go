// Package disktest makes trees on the disk for tests, and opens them in all ways that there are.
package disktest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Grow makes a folder with entries in it: "d/" is a folder, "a/f" a file that has its own path as
// content.
func Grow(t testing.TB, entries ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, entry := range entries {
		path := filepath.Join(root, entry)
		Must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		if strings.HasSuffix(entry, "/") {
			Must(t, os.MkdirAll(path, 0o777))
		} else {
			Must(t, os.WriteFile(path, []byte(entry), 0o666))
		}
	}
	return root
}

// Grown lists the entries of a folder in the form that Grow takes.
func Grown(t testing.TB, root string) string {
	t.Helper()
	var all []string
	Must(t, fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == ".":
			return err
		case d.IsDir():
			path += "/"
		}
		all = append(all, path)
		return nil
	}))
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// Open opens a folder with dir.Open: by descriptors, or through os.Root.
func Open[F interface{ Close() }](t testing.TB, open func(root string, portable bool) (F, error), root string, portable bool) F {
	t.Helper()
	in, err := open(root, portable)
	Must(t, err)
	t.Cleanup(in.Close)
	return in
}

// BothWays opens a folder with dir.Open in all ways that there are here.
func BothWays[F interface{ Close() }](t *testing.T, open func(root string, portable bool) (F, error), root string,
	do func(t *testing.T, in F)) {
	t.Helper()
	for _, portable := range []bool{false, true} {
		t.Run("portable="+strconv.FormatBool(portable), func(t *testing.T) { do(t, Open(t, open, root, portable)) })
	}
}
