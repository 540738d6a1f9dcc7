package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"

	"golang.org/x/sys/unix"
)

// FuzzResolve walks any path in any tree of folders, files and links, one a line as makefs has
// them. Descriptors and os.Root must agree, so must the kernel, and what is opened must be where
// the kernel says that its descriptor is.
func FuzzResolve(f *testing.F) {
	for _, seed := range [...][2]string{
		{"d/\nd/f\nl => d", "l/f"}, {"l => ../out/secret", "l"}, {"l => ../out", "l/secret"}, {"l => ../out/nothing", "l"},
		{"a => b\nb => a", "a/x"}, {"d/e/\nd/e/l => ../../f\nf", "d/e/l"}, {"l => $ROOT/d/f\nd/f", "l"}, {"l => $OUT/secret", "l"},
		{"l => $ALIAS/d\nd/f", "l/f"}, {"l => /proc/self/root/etc", "l/passwd"}, {"d/\nl => d/", "l/"}, {"f", "f/"}, {"f", "f/x"}, {"f",
			"./f//."},
		{"d/\nl => d/../d/./../f\nf", "l"}, {"d/\nl => ../ws/f\nf", "l"}, {"l => .", "l/l/l/l/l/l/l/l/l/l/l/l"}, {"\xff => \xfe\n\xfe", "\xff"},
		{"l => ..", "l/ws"}, {"d/l => ../../out\nd/", "d/l/../f"}, {"a => b/..\nb => c\nc => ../out/d", "a/f"}, {"l => x\x01y", "l"},
		{"1 => 2\n2 => 3\n3 => 4\n4 => 5\n5 => 6\n6 => 7\n7 => 8\n8 => 9\n9 => f\nf", "1"}, {"\u00e9/f\nl => e\u0301", "l/f"}, {"d/f",
			"\u202ed/f"},
		{"\xfe => \xff\n\xfe", "\xff"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, tree, ask string) {
		if len(tree) > 400 || len(ask) > 400 {
			return
		}
		root := fixture.MakeTree(t, nil)
		growAny(t, root, tree)
		fd, own := fixture.OpenWorkspace(t, root, sandbox.Options{}), fixture.OpenWorkspace(t, root, sandbox.Options{Portable: true})
		if err := agree(t, fd, own, ask); err != nil {
			t.Fatal(err)
		}
		if _, err := fd.Clean(ask); err == nil && hasOpenat2() && !strings.HasPrefix(ask, "/") && !strings.Contains(tree, "=> $") &&
			!strings.Contains(tree, "=> /") {
			if err := agreeWithKernel(fd, ask); err != nil {
				t.Fatal(err)
			}
		}
		if err := isWhereTheKernelSays(fd, ask); err != nil {
			t.Fatal(err)
		}
	})
}

// growAny makes those entries of a tree that can be made, inside the root only.
func growAny(t *testing.T, base, tree string) {
	root, err := os.OpenRoot(base)
	disktest.Must(t, err)
	defer root.Close()
	for i, entry := range strings.Split(tree, "\n") {
		if i == 20 {
			return
		}
		name, target, link := strings.Cut(entry, " => ")
		_ = root.MkdirAll(filepath.Dir(name), 0o777)
		switch {
		case link:
			_ = root.Symlink(disktest.Expanded(base, target), name)
		case strings.HasSuffix(name, "/"):
			_ = root.Mkdir(strings.TrimSuffix(name, "/"), 0o777)
		default:
			f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
			if err == nil { // not through a link: each file has its own path in it
				_, err = f.WriteString(name)
				disktest.Must(t, errors.Join(err, f.Close()))
			}
		}
	}
}

// isWhereTheKernelSays looks at /proc/self/fd for the folder that a path was found in.
func isWhereTheKernelSays(w *sandbox.Workspace, ask string) error {
	p, err := w.Locate(ask, sandbox.Purpose{Follow: true})
	if err != nil {
		return nil // refused
	}
	defer p.Close()
	fd := p.Folder.Number()
	folder, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil {
		return err
	}
	if folder != w.Root() && !strings.HasPrefix(folder, w.Root()+"/") {
		return fmt.Errorf("%q is looked up in %q, outside the root", ask, folder)
	}
	if !p.Exists {
		return nil
	}
	if want := filepath.Join(w.Root(), p.Path); filepath.Join(folder, p.Name) != want {
		return fmt.Errorf("%q is %q in %q, and not at %q", ask, p.Name, folder, want)
	}
	var st unix.Stat_t
	if err := unix.Fstatat(fd, p.Name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil || st.Ino != p.Info.Ino {
		return fmt.Errorf("%q has the inode %d, and %d was reported: %v", ask, st.Ino, p.Info.Ino, err)
	}
	return nil
}
