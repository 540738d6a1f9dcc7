package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"fsbox/sandbox/policy"
)

// TestNoLeak makes 200 calls, or 10,000, of every method, with and without errors: no descriptor
// stays open.
func TestNoLeak(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	calls := 200
	if *sweep {
		calls = 10_000
	}
	ctx := context.Background()
	forBoth(t, func(t *testing.T, o Options) {
		root := makefs(t, []string{
			"d/e/f", "f", "l => d/e/f", "deep => d/e", "o => ../out/secret", "loop => loop", "dangling => d/none", ".env", "linked", "fl => linked",
		})
		check(t, os.Link(filepath.Join(root, "linked"), filepath.Join(root, "linked2")))
		o.Policy = rulesOf(t, policy.DefaultDeny(), nil)
		w := open(t, root, o)
		paths := []string{"d/e/f", "l", "deep/f", "o", "loop", "dangling", "none/x", ".env", "d", "d/e/f/x", "..", "", "f/", ".", root + "/f",
			"/etc"}
		for name, call := range map[string]func(n int, path string){
			"OpenFile": func(_ int, path string) {
				if f, err := w.OpenFile(path); err == nil {
					f.Close()
				}
			},
			"Stat":       func(_ int, path string) { _, _ = w.Stat(path) },
			"Exists":     func(_ int, path string) { w.Exists(path) },
			"LinkTarget": func(_ int, path string) { w.LinkTarget(path) },
			"Clean":      func(_ int, path string) { _, _ = w.Clean(path) },
			"Folder": func(_ int, path string) {
				dir, err := w.OpenFolder(path)
				if err != nil {
					return
				}
				defer dir.Close()
				_, _, _ = dir.List(ctx, "")
				for _, name := range []string{"d", "e", "f", "o", "none"} {
					_, _ = dir.Lstat(name)
					if sub, err := dir.Folder(name); err == nil {
						sub.Close()
					}
					if f, err := dir.File(name); err == nil {
						f.Close()
					}
				}
			},
			"Rewrite": func(n int, path string) {
				_, _ = w.Rewrite(ctx, WriteOptions{Path: path, Creation: Creation(n % 3)}, content(strconv.Itoa(n)))
			},
			"Rewrite refused": func(n int, path string) {
				_, _ = w.Rewrite(ctx, WriteOptions{Path: path, Creation: MayCreate, Parents: true}, func([]byte, bool) ([]byte, error) {
					return nil,
						errRefused
				})
				_, _ = w.Rewrite(ctx, WriteOptions{Path: path, Creation: MayCreate, IfMatch: "c00"}, content("x"))
				_, _ = w.Rewrite(ctx, WriteOptions{Path: path, Creation: MayCreate, DryRun: true}, content("x"))
			},
			"Append": func(n int, path string) {
				_, _ = w.Append(ctx, WriteOptions{Path: path}, more(strconv.Itoa(n % 2)[:n%2]))
				_, _ = w.Append(ctx, WriteOptions{Path: path, IfMatch: "c00"}, more("x"))
				if n%16 == 0 {
					_, _ = w.Append(ctx, WriteOptions{Path: "fl"}, more(""))
				}
			},
			"Delete": func(n int, path string) {
				_, _ = w.Delete(ctx, WriteOptions{Path: path, Recursive: true, IfMatch: "c00"})
				_, _ = w.Delete(ctx, WriteOptions{Path: path, Recursive: n%2 == 0, DryRun: true})
				if n%16 == 0 {
					_, _ = w.Mkdir(context.Background(), "gone/a/b", true)
					_, _ = w.Delete(ctx, WriteOptions{Path: "gone", Recursive: true})
				}
			},
			"Move and Copy": func(n int, path string) {
				for _, t := range []Transfer{{From: path, To: "d/e/g", DryRun: true}, {From: "f", To: path, Overwrite: true, DryRun: true}, {From: path,
					To: path}} {
					_, _ = w.Move(ctx, t)
					_, _ = w.Copy(ctx, t)
				}
				if n%16 == 0 {
					_, _ = w.Copy(ctx, Transfer{From: "d", To: "d2"})
					_, _ = w.Move(ctx, Transfer{From: "d2", To: "d3"})
					_, _ = w.Delete(ctx, WriteOptions{Path: "d3", Recursive: true})
				}
			},
			"Mkdir": func(n int, path string) { _, _ = w.Mkdir(context.Background(), path, n%2 == 0) },
			"Open": func(n int, path string) {
				if w, err := Open(filepath.Join(root, path), o); err == nil {
					w.Close()
				}
			},
		} {
			before := openDescriptors(t)
			gc := debug.SetGCPercent(-1) // the collector would close a forgotten os.File, and hide it
			for n := range calls {
				call(n, paths[n%len(paths)])
			}
			after := openDescriptors(t)
			debug.SetGCPercent(gc)
			runtime.GC()
			if after > before {
				t.Errorf("%s: %d descriptors were open before, %d after", name, before, after)
			}
		}
	})
}

func openDescriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("no /proc here: %v", err)
	}
	return len(entries)
}
