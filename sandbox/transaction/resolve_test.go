package transaction_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"
)

// resolutions say where a path leads in a tree of "f", "d/f", "d/e/" and the entries of fs.
var resolutions = []struct {
	fs       string // more entries, separated by ", "
	ask      string
	path     string // where it leads, links resolved; ends in "?" if it doesn't exist
	err      error
	viaAlias bool // the workspace is opened through the link beside its root
}{
	// Without links.
	{ask: ".", path: "."},
	{ask: "f", path: "f"},
	{ask: "d", path: "d"},
	{ask: "d/", path: "d"},
	{ask: "d/.", path: "d"},
	{ask: "d/f", path: "d/f"},
	{ask: "./d//.///f", path: "d/f"},
	{ask: "missing", path: "missing?"},
	{ask: "missing/", path: "missing?"},
	{ask: "d/missing/x/y", path: "d/missing/x/y?"},
	{ask: "f/", err: fserr.ErrNotFolder},
	{ask: "f/x", err: fserr.ErrNotFolder},
	{ask: "d/f/x/y", err: fserr.ErrNotFolder},
	{ask: strings.Repeat("n", 255), path: strings.Repeat("n", 255) + "?"},
	{ask: strings.Repeat("n", 256), err: fserr.ErrInvalidPath},
	{fs: "..., ..f, te..st, %2e%2e", ask: "...", path: "..."},
	{fs: "..f", ask: "..f", path: "..f"},
	{fs: "te..st", ask: "te..st", path: "te..st"},
	{ask: "%2e%2e", path: "%2e%2e?"},
	{fs: " ws ", ask: " ws ", path: " ws "},

	// Refused as text, before any disk access.
	{ask: "..", err: fserr.ErrTraversal},
	{ask: "../ws/f", err: fserr.ErrTraversal},
	{ask: "d/../f", err: fserr.ErrTraversal},
	{fs: "k => d/e", ask: "k/../f", err: fserr.ErrTraversal},
	{ask: "missing/../f", err: fserr.ErrTraversal},
	{ask: "", err: fserr.ErrInvalidPath},
	{ask: " \t", err: fserr.ErrInvalidPath},
	{ask: "f\x00", err: fserr.ErrInvalidPath},
	{ask: strings.Repeat("a/", 2049), err: fserr.ErrInvalidPath},

	// Absolute paths, under the root as given and as resolved.
	{ask: "$ROOT", path: "."},
	{ask: "$ROOT/", path: "."},
	{ask: "$ROOT/d/f", path: "d/f"},
	{ask: "$ROOT//d/./f", path: "d/f"},
	{ask: "$ROOT/missing", path: "missing?"},
	{ask: "$ROOT/d/f/", err: fserr.ErrNotFolder},
	{ask: "$ALIAS/f", err: fserr.ErrOutside},
	{ask: "$ALIAS/f", path: "f", viaAlias: true},
	{ask: "$ROOT/f", path: "f", viaAlias: true},
	{ask: "$ROOT2/f", err: fserr.ErrOutside},
	{ask: "$ROOT_backup", err: fserr.ErrOutside},
	{ask: "$ROOT /f", err: fserr.ErrOutside},
	{ask: "$OUT/secret", err: fserr.ErrOutside},
	{ask: "$OUT/nothing", err: fserr.ErrOutside},
	{ask: "$ROOT/../out/secret", err: fserr.ErrTraversal},
	{ask: "$ROOT/..", err: fserr.ErrTraversal},
	{ask: "/", err: fserr.ErrOutside},

	// Links that stay inside.
	{fs: "l => f", ask: "l", path: "f"},
	{fs: "l => d", ask: "l", path: "d"},
	{fs: "l => d", ask: "l/", path: "d"},
	{fs: "l => d", ask: "l/f", path: "d/f"},
	{fs: "l => d", ask: "l/missing/x", path: "d/missing/x?"},
	{fs: "l => f", ask: "l/", err: fserr.ErrNotFolder},
	{fs: "l => f", ask: "l/x", err: fserr.ErrNotFolder},
	{fs: "l => d/", ask: "l", path: "d"},
	{fs: "l => f/", ask: "l", err: fserr.ErrNotFolder},
	{fs: "l => ./d//f", ask: "l", path: "d/f"},
	{fs: "l => .", ask: "l", path: "."},
	{fs: "l => .", ask: "l/l/l/f", path: "f"},
	{fs: "d/l => ..", ask: "d/l", path: "."},
	{fs: "d/l => ../f", ask: "d/l", path: "f"},
	{fs: "d/l => ../d/l2, d/l2 => e", ask: "d/l", path: "d/e"},
	{fs: "a => b, b => c, c => d", ask: "a/f", path: "d/f"},
	{fs: "l => d/../f", ask: "l", path: "f"},
	{fs: "l => d/e/../../f", ask: "l", path: "f"},
	{fs: "l => f/../d", ask: "l", err: fserr.ErrNotFolder},
	{fs: "k => d/e, l => k/../f", ask: "l", path: "d/f"}, // ".." is the parent of the folder that k leads to, not of the folder with k
	{fs: "k => d/e, l => k/..", ask: "l", path: "d"},
	{fs: "l => " + strings.Repeat("d/../", 800) + "f", ask: "l", path: "f"},

	// Absolute links that stay inside.
	{fs: "l => $ROOT", ask: "l", path: "."},
	{fs: "l => $ROOT/", ask: "l/f", path: "f"},
	{fs: "l => $ROOT/d", ask: "l/f", path: "d/f"},
	{fs: "d/e/l => $ROOT/f", ask: "d/e/l", path: "f"},
	{fs: "d/e/l => $ROOT/d/../f", ask: "d/e/l", path: "f"},
	{fs: "l => $ROOT/missing", ask: "l", path: "missing?"},
	{fs: "l => $ALIAS/d", ask: "l/f", err: fserr.ErrLinkOutside},
	{fs: "l => $ALIAS/d", ask: "l/f", path: "d/f", viaAlias: true},
	{fs: "l => $ROOT/d", ask: "l/f", path: "d/f", viaAlias: true},

	// Dangling links: the files that they name may be made.
	{fs: "l => missing", ask: "l", path: "missing?"},
	{fs: "l => missing/", ask: "l", path: "missing?"},
	{fs: "l => missing", ask: "l/x", path: "missing/x?"},
	{fs: "l => d/missing", ask: "l", path: "d/missing?"},
	{fs: "a => b, b => d/missing", ask: "a", path: "d/missing?"},
	{fs: "l => missing/../f", ask: "l", err: fserr.ErrNotFound},
	{fs: "l => missing/../../out/secret", ask: "l", err: fserr.ErrNotFound},

	// Links that lead outside, whether or not the target exists.
	{fs: "l => ..", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => ../ws", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => ../ws/f", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => ../out", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => ../out", ask: "l/", err: fserr.ErrLinkOutside},
	{fs: "l => ../out/", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => ../out", ask: "l/secret", err: fserr.ErrLinkOutside},
	{fs: "l => ../out", ask: "l/nothing", err: fserr.ErrLinkOutside},
	{fs: "l => ../out", ask: "l/nothing/x/y", err: fserr.ErrLinkOutside},
	{fs: "l => ../out/secret", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => ../out/secret", ask: "l/", err: fserr.ErrLinkOutside},
	{fs: "l => ../out/nothing", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "a => b, b => ../out/nothing", ask: "a", err: fserr.ErrLinkOutside},
	{fs: "a => d/b, d/b => ../../out/nothing", ask: "a", err: fserr.ErrLinkOutside},
	{fs: "l => $OUT", ask: "l/secret", err: fserr.ErrLinkOutside},
	{fs: "l => $OUT/secret", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => $OUT/nothing", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => $ROOT2", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => $ROOT/../out/secret", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => /", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "l => d/../../out/secret", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "k => d/e, l => k/../../../out/secret", ask: "l", err: fserr.ErrLinkOutside},
	{fs: "d/l => ../..", ask: "d/l/out/secret", err: fserr.ErrLinkOutside},
	{fs: "l => ../../../../../../../../../../../../../..", ask: "l", err: fserr.ErrLinkOutside},

	// Loops and long chains. MAXSYMLINKS of Linux is 40.
	{fs: "a => a", ask: "a", err: fserr.ErrLinkLoop},
	{fs: "a => b, b => a", ask: "a", err: fserr.ErrLinkLoop},
	{fs: "a => b, b => a", ask: "b/x", err: fserr.ErrLinkLoop},
	{fs: "a => a/x", ask: "a", err: fserr.ErrLinkLoop},
	{fs: "a => ./a", ask: "a/", err: fserr.ErrLinkLoop},
	{fs: "d/a => ../d/a", ask: "d/a", err: fserr.ErrLinkLoop},
	{fs: "a => $ROOT/a", ask: "a", err: fserr.ErrLinkLoop},
	{fs: chain(41), ask: "l39", path: "f"},
	{fs: chain(41), ask: "l40", path: "f"},
	{fs: chain(41), ask: "l41", err: fserr.ErrLinkLoop},
	{fs: "l => .", ask: strings.Repeat("l/", 40) + "f", path: "f"},
	{fs: "l => .", ask: strings.Repeat("l/", 41) + "f", err: fserr.ErrLinkLoop},
}

// chain is n links: l1 leads to a file, and each later one to the one before it.
func chain(n int) string {
	all := []string{"l1 => f"}
	for i := 2; i <= n; i++ {
		all = append(all, fmt.Sprintf("l%d => l%d", i, i-1))
	}
	return strings.Join(all, ", ")
}

func TestResolve(t *testing.T) {
	for i, tt := range resolutions {
		t.Run(fmt.Sprintf("%d %.40q", i, tt.ask), func(t *testing.T) {
			entries := []string{"f", "d/f", "d/e/"}
			if tt.fs != "" {
				entries = append(entries, strings.Split(tt.fs, ", ")...)
			}
			for name := range strings.SplitSeq(strings.Join(append(entries, tt.ask), "/"), "/") {
				if name != "" && name != ".." && name != "." && tt.err == nil && pathname.Unfit(name) != nil && !strings.ContainsAny(name, "$=:") {
					t.Skipf("the system has no name %q", name)
				}
			}
			root := fixture.MakeTree(t, entries)
			if _, err := os.Lstat(disktest.Expanded(root, "$ALIAS")); tt.viaAlias && err != nil {
				t.Skip(err)
			}
			before := fixture.Snapshot(t, filepath.Dir(root))
			ask := disktest.Expanded(root, tt.ask)
			given := root
			if tt.viaAlias {
				given = disktest.Expanded(root, "$ALIAS")
			}
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				w := fixture.OpenWorkspace(t, given, o)
				if tt.err != nil {
					checkRefused(t, w, ask, tt.err)
				} else {
					checkResolved(t, w, ask, tt.path)
				}
			})
			if after := fixture.Snapshot(t, filepath.Dir(root)); after != before {
				t.Errorf("the tree changed:\n%s\nbefore:\n%s", after, before)
			}
		})
	}
}

func checkResolved(t *testing.T, w *sandbox.Workspace, ask, want string) {
	t.Helper()
	p, err := w.Locate(ask, sandbox.Purpose{Follow: true})
	if err != nil {
		t.Fatalf("%v, want %q", err, want)
	}
	defer p.Close()
	got := p.Path
	if !p.Exists {
		got += "?"
	}
	if got != want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	if target := w.LinkTarget(ask); target != p.Path {
		t.Errorf("LinkTarget %q, want %q", target, p.Path)
	}
	switch f, err := w.OpenFile(ask); {
	case !p.Exists:
		fixture.Fails(t, err, p.Asked, fserr.ErrNotFound)
	case p.Info.Mode.IsDir():
		fixture.Fails(t, err, p.Asked, fserr.ErrNotFile)
		dir, err := w.OpenFolder(ask)
		disktest.Must(t, err)
		defer dir.Close()
		if dir.Path != want || dir.Asked != p.Asked {
			t.Errorf("directory %q asked as %q, want %q asked as %q", dir.Path, dir.Asked, want, p.Asked)
		}
	default:
		disktest.Must(t, err)
		if text := fixture.ReadAll(t, f); text != want || f.Path != p.Asked {
			t.Errorf("read %q from %q, want %q from %q", text, f.Path, want, p.Asked)
		}
	}
}

// checkRefused wants the same error from every method, and an unchanged disk.
func checkRefused(t *testing.T, w *sandbox.Workspace, ask string, want error) {
	t.Helper()
	ctx := context.Background()
	about := ask // errors about the text repeat the path as requested
	if clean, err := w.Clean(ask); err == nil {
		about = clean
	}
	_, err := w.OpenFile(ask)
	fixture.Fails(t, err, about, want)
	_, err = w.OpenFolder(ask)
	fixture.Fails(t, err, about, want)
	if slices.Contains([]error{fserr.ErrNotFound, fserr.ErrNotFolder}, want) == false {
		_, err = w.Stat(ask)
		fixture.Fails(t, err, about, want)
	}
	_, err = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: ask, Creation: transaction.MayCreate, Parents: true}, fixture.Content("x"))
	fixture.Fails(t, err, about, want)
	_, err = transaction.Append(ctx, w, transaction.WriteOptions{Path: ask, Creation: transaction.MayCreate, Parents: true}, fixture.More("x"))
	fixture.Fails(t, err, about, want)
	_, err = transaction.Mkdir(context.Background(), w, ask, true)
	fixture.Fails(t, err, about, want)
	if target := w.LinkTarget(ask); target != "" {
		t.Errorf("LinkTarget tells %q", target)
	}
}

func TestOpenErrors(t *testing.T) {
	root := fixture.MakeTree(t, []string{"f", "l => d", "d/"})
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		for name, want := range map[string]error{"missing": fserr.ErrNotFound, "f": fserr.ErrNotFolder, "f/x": fserr.ErrNotFolder,
			"missing/x": fserr.ErrNotFound} {
			_, err := sandbox.Open(filepath.Join(root, name), o)
			if got := fixture.Kind(t, err); got != want {
				t.Errorf("%s: error %v, want %v", name, err, want)
			}
		}
		o.Create = true
		w := fixture.OpenWorkspace(t, filepath.Join(root, "new/a/b"), o)
		_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "x", Creation: transaction.MustCreate}, fixture.Content("x"))
		disktest.Must(t, err)
		if got := fixture.Read(t, filepath.Join(root, "new/a/b/x")); got != "x" {
			t.Errorf("read %q", got)
		}
		w2 := fixture.OpenWorkspace(t, filepath.Join(root, "l"), o)
		if w2.Root() != filepath.Join(root, "l") || w2.ResolvedRoot() != filepath.Join(root, "d") {
			t.Errorf("root %q, resolved %q", w2.Root(), w2.ResolvedRoot())
		}
		disktest.Must(t, os.RemoveAll(filepath.Join(root, "new")))
	})
}

// missingOnce is a folder that doesn't find a name at the first look, as on a FUSE file system
// while a file is replaced.
type missingOnce struct {
	dir.Folder
	looks *int
}

func (missingOnce) System() filesystem.System { return filesystem.System{} }

func (f missingOnce) Lstat(name string) (stat.Info, error) {
	if *f.looks++; *f.looks == 1 {
		return stat.Info{}, fs.ErrNotExist
	}
	return f.Folder.Lstat(name)
}

func TestMissingOnce(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		w := fixture.OpenWorkspace(t, fixture.MakeTree(t, []string{"f = text"}), o)
		w.RootFolder = missingOnce{w.RootFolder, new(int)}
		f, err := w.OpenFile("f")
		disktest.Must(t, err)
		f.Close()
	})
}
