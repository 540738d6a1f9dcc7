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

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Grow makes a folder with entries in it: see MakeEntry.
func Grow(t testing.TB, entries ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, entry := range entries {
		MakeEntry(t, root, entry)
	}
	return root
}

// MakeEntry makes an entry of a tree: a folder "d/", a file "f" that has its own path as content, a
// file "f = text", or a link "a => target". In a target $ROOT is the absolute path of the tree, and
// $ALIAS and $OUT those of "alias" and "out" beside it.
func MakeEntry(t testing.TB, root, entry string) {
	t.Helper()
	name, target, link := strings.Cut(entry, " => ")
	name, text, given := strings.Cut(name, " = ")
	if !given {
		text = name
	}
	path := filepath.Join(root, name)
	Must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	switch {
	case link:
		Symlink(t, Expanded(root, target), path)
	case strings.HasSuffix(name, "/"):
		Must(t, os.MkdirAll(path, 0o777))
	default:
		Must(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

// Expanded puts the absolute paths of a tree into text.
func Expanded(root, text string) string {
	base := filepath.Dir(root)
	return strings.NewReplacer("$ROOT", root, "$ALIAS", filepath.Join(base, "alias"), "$OUT", filepath.Join(base, "out")).Replace(text)
}

// Symlink makes a symbolic link, or skips the test where there are none.
func Symlink(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// Names lists every path of a tree, folders with a slash, links with their target.
func Names(t testing.TB, root string) string {
	t.Helper()
	var all []string
	Must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil || rel == ".":
			return err
		case d.IsDir():
			rel += "/"
		case d.Type()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(path)
			rel += " => " + target
		}
		all = append(all, filepath.ToSlash(rel))
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
