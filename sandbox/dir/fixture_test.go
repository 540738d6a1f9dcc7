package dir

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// grow makes a folder with entries in it: "d/" is a folder, "a/f" a file that has its own path as
// content.
func grow(t testing.TB, entries ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, entry := range entries {
		path := filepath.Join(root, entry)
		must(t, os.MkdirAll(filepath.Dir(path), 0o777))
		if strings.HasSuffix(entry, "/") {
			must(t, os.MkdirAll(path, 0o777))
		} else {
			must(t, os.WriteFile(path, []byte(entry), 0o666))
		}
	}
	return root
}

// grown lists the entries of a folder in the form that grow takes.
func grown(t testing.TB, root string) string {
	t.Helper()
	var all []string
	must(t, fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
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

// opened opens a folder with dir.Open: by descriptors, or through os.Root.
func opened[F interface{ Close() }](t testing.TB, open func(root string, portable bool) (F, error), root string, portable bool) F {
	t.Helper()
	in, err := open(root, portable)
	must(t, err)
	t.Cleanup(in.Close)
	return in
}

// bothWays opens a folder with dir.Open in all ways that there are here.
func bothWays[F interface{ Close() }](t *testing.T, open func(root string, portable bool) (F, error), root string, do func(t *testing.T, in F)) {
	t.Helper()
	for _, portable := range []bool{false, true} {
		t.Run("portable="+strconv.FormatBool(portable), func(t *testing.T) { do(t, opened(t, open, root, portable)) })
	}
}
