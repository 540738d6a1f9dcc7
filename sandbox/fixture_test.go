package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// children are what the test binary does when a test starts it as another process: see child.
var children = map[string]func(args []string) error{}

const childVariable = "FSBOX_SANDBOX_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		if err := children[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// makefs makes a tree and returns the path of its root. Beside the root it makes "out", with files
// that must never be reached, and "alias", a link to the root. An entry is a folder "d/", a file
// "f" that has its own path as content, a file "f = text", or a link "a => target", where $ROOT,
// $ALIAS and $OUT are the absolute paths of the three.
func makefs(t testing.TB, entries []string) (root string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	if os.Geteuid() > 0 {
		t.Cleanup(func() { openAll(t, base) })
	}
	root = filepath.Join(base, "ws")
	check(t, os.MkdirAll(filepath.Join(base, "out", "d"), 0o777))
	check(t, os.Mkdir(root, 0o777))
	for _, name := range []string{"f", "secret", "d/f"} {
		check(t, os.WriteFile(filepath.Join(base, "out", name), []byte(secret), 0o666))
	}
	noAlias := os.Symlink("ws", filepath.Join(base, "alias")) // fails where there are no links: so does an entry that has one
	for _, entry := range entries {
		if strings.Contains(entry, "$ALIAS") && noAlias != nil {
			t.Skipf("no symbolic links here: %v", noAlias)
		}
		makeEntry(t, root, entry)
	}
	return root
}

// secret is the content of every file outside the root.
const secret = "SECRET, outside of the workspace"

func makeEntry(t testing.TB, root, entry string) {
	t.Helper()
	name, target, link := strings.Cut(entry, " => ")
	name, text, given := strings.Cut(name, " = ")
	if !given {
		text = name
	}
	path := filepath.Join(root, name)
	check(t, os.MkdirAll(filepath.Dir(path), 0o777))
	switch {
	case link:
		symlink(t, expanded(root, target), path)
	case strings.HasSuffix(name, "/"):
		check(t, os.MkdirAll(path, 0o777))
	default:
		check(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

// expanded puts the absolute paths of a tree into text.
func expanded(root, text string) string {
	base := filepath.Dir(root)
	return strings.NewReplacer("$ROOT", root, "$ALIAS", filepath.Join(base, "alias"), "$OUT", filepath.Join(base, "out")).Replace(text)
}

func symlink(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// linkless is for tables of tests that share a tree. Where no links can be made, it leaves them out
// of the tree, and skips a test with a path that leads through one.
func linkless(t testing.TB, entries []string, paths ...string) (plain []string) {
	t.Helper()
	impossible := os.Symlink("nothing", filepath.Join(t.TempDir(), "link"))
	if impossible == nil {
		return entries
	}
	for _, entry := range entries {
		link, _, isLink := strings.Cut(entry, " => ")
		if !isLink {
			plain = append(plain, entry)
		} else if slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(path+"/", link+"/") }) {
			t.Skipf("no symbolic links here: %v", impossible)
		}
	}
	return plain
}

// asIn takes the links out of a list of names that are or were in a tree, if the tree has none.
// Both are as names makes them.
func asIn(tree, list string) string {
	if strings.Contains(tree, " => ") {
		return list
	}
	return strings.Join(slices.DeleteFunc(strings.Split(list, ", "), func(name string) bool { return strings.Contains(name, " => ") }), ", ")
}

// lacks skips a test that needs what the system, or an emulation of it, doesn't have.
func lacks(t testing.TB, what string) {
	t.Helper()
	missing := runtime.GOOS == "windows"
	switch what {
	case "removing or replacing what is open": // NTFS can, by POSIX semantics; FAT and Wine 8 can't
		missing = missing && !removesOpen(t)
	}
	if missing {
		t.Skipf("not on this system: %s", what)
	}
}

// removesOpen reports whether an open folder loses its name when it is removed, not only when it is
// closed.
func removesOpen(t testing.TB) bool {
	path := filepath.Join(t.TempDir(), "open")
	check(t, os.Mkdir(path, 0o777))
	root, err := os.OpenRoot(path)
	check(t, err)
	defer root.Close()
	_ = os.Remove(path) // fails, or is done later, where this can't be
	_, err = os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openAll lets the user who runs the tests remove all that is below a folder.
func openAll(t testing.TB, base string) {
	t.Helper()
	check(t, filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o700)
	}))
}

// few is how often something is done n times on Linux: on Windows fewer, since it was tried under
// Wine, where each system call that looks at files takes a tenth of a millisecond or more.
func few(n int) int {
	if runtime.GOOS == "windows" {
		return max(n/10, 2)
	}
	return n
}

// forBoth runs a test with both implementations of a folder; other systems than Linux have one.
func forBoth(t *testing.T, test func(t *testing.T, o Options)) {
	for _, portable := range []bool{false, true} {
		if !portable && runtime.GOOS != "linux" {
			continue
		}
		t.Run(map[bool]string{false: "descriptors", true: "os.Root"}[portable], func(t *testing.T) {
			test(t, Options{Portable: portable, NoSync: true, Whole: 1 << 20})
		})
	}
}

func open(t testing.TB, root string, o Options) *Workspace {
	t.Helper()
	w, err := Open(root, o)
	check(t, err)
	t.Cleanup(w.Close)
	return w
}

// allKinds are the kinds of errors that package dir names.
var allKinds = [...]error{dir.ErrInvalidPath, dir.ErrTraversal, dir.ErrOutside, dir.ErrLinkOutside, dir.ErrLinkLoop, dir.ErrBlocked,
	dir.ErrNotFound,
	dir.ErrNotFile, dir.ErrNotFolder, dir.ErrNotEmpty, dir.ErrNoETag, dir.ErrSame, dir.ErrExists, dir.ErrPermission, dir.ErrReadOnly,
	dir.ErrTooLarge,
	dir.ErrStale, dir.ErrBusy, dir.ErrNoSpace, dir.ErrUnsupported, dir.ErrOpenFiles, dir.ErrDurability, dir.ErrBackup, dir.ErrInputOutput}

// kind is the Err value that an error wraps, nil for no error. An error that wraps none, or
// several, fails the test.
func kind(t testing.TB, err error) error {
	t.Helper()
	found := kindsOf(err)
	if (err == nil) != (len(found) == 0) || len(found) > 1 {
		t.Errorf("error %v wraps %d kinds: %v", err, len(found), found)
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// kindsOf are all Err values that an error wraps.
func kindsOf(err error) (found []error) {
	for _, k := range allKinds {
		if errors.Is(err, k) {
			found = append(found, k)
		}
	}
	return found
}

// fails checks that an error is a *PathError about path, of the wanted kind.
func fails(t testing.TB, err error, path string, want error) {
	t.Helper()
	if got := kind(t, err); got != want {
		t.Errorf("error %v, want the kind %q", err, want)
		return
	}
	var e *dir.PathError
	if !errors.As(err, &e) || e.Path != path {
		t.Errorf("error %#v is not about %q", err, path)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	check(t, err)
	return string(content)
}

func readAll(t testing.TB, f *dir.File) string {
	t.Helper()
	defer f.Close()
	content, err := f.ReadAll(context.Background(), 1<<20)
	check(t, err)
	return string(content)
}

// snapshot describes a tree in full: type, mode, size, time of change and content of everything in
// it. On Windows, where a lock is a file, folders have no time.
func snapshot(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	check(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		modified := info.ModTime().UnixNano()
		if info.IsDir() && runtime.GOOS == "windows" {
			modified = 0
		}
		fmt.Fprintf(&b, "%s %v %d %d ", rel, info.Mode(), info.Size(), modified)
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(&b, "=> %s\n", target)
			return err
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			fmt.Fprintf(&b, "= %q\n", content)
			return err
		}
		b.WriteByte('\n')
		return nil
	}))
	return b.String()
}

// names lists every path of a tree, folders with a slash, links with their target.
func names(t testing.TB, root string) string {
	t.Helper()
	var all []string
	check(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
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

// withNames adds to a list made by names.
func withNames(list, added string) string {
	all := strings.Split(list, ", ")
	if added != "" {
		all = append(all, strings.Split(added, ", ")...)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func outside(root string) string { return filepath.Join(filepath.Dir(root), "out") }

// content is a change that replaces any content by text.
func content(text string) func([]byte, bool) ([]byte, error) {
	return func([]byte, bool) ([]byte, error) { return []byte(text), nil }
}

// more is a prepare function for Append that adds text.
func more(text string) func(dir.Edges) ([]byte, error) {
	return func(dir.Edges) ([]byte, error) { return []byte(text), nil }
}

func rulesOf(t testing.TB, deny, denyWrite []string) *policy.Rules {
	t.Helper()
	p, err := policy.New(deny, denyWrite)
	check(t, err)
	return p
}
