package transaction_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
)

// TestNoLeak makes 200 calls, or 10,000, of every method, with and without errors: no descriptor
// stays open.
func TestNoLeak(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	calls := 200
	if *fixture.Sweep {
		calls = 10_000
	}
	ctx := context.Background()
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{
			"d/e/f", "f", "l => d/e/f", "deep => d/e", "o => ../out/secret", "loop => loop", "dangling => d/none", ".env", "linked", "fl => linked",
		})
		disktest.Must(t, os.Link(filepath.Join(root, "linked"), filepath.Join(root, "linked2")))
		o.Policy = rulesOf(t, policy.DefaultDeny(), nil)
		w := fixture.OpenWorkspace(t, root, o)
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
			"Directory": func(_ int, path string) {
				dir, err := w.OpenFolder(path)
				if err != nil {
					return
				}
				defer dir.Close()
				_, _, _ = dir.List(ctx, "", 1)
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
				_, _ = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.Creation(n % 3)}, fixture.Content(strconv.Itoa(n)))
			},
			"Rewrite refused": func(n int, path string) {
				_, _ = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true}, func([]byte, bool) ([]byte, error) {
					return nil,
						errRefused
				})
				_, _ = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, IfMatch: "c00"}, fixture.Content("x"))
				_, _ = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, DryRun: true}, fixture.Content("x"))
			},
			"Append": func(n int, path string) {
				_, _ = transaction.Append(ctx, w, transaction.WriteOptions{Path: path}, fixture.More(strconv.Itoa(n % 2)[:n%2]))
				_, _ = transaction.Append(ctx, w, transaction.WriteOptions{Path: path, IfMatch: "c00"}, fixture.More("x"))
				if n%16 == 0 {
					_, _ = transaction.Append(ctx, w, transaction.WriteOptions{Path: "fl"}, fixture.More(""))
				}
			},
			"Delete": func(n int, path string) {
				_, _ = transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: true, IfMatch: "c00"})
				_, _ = transaction.Delete(ctx, w, transaction.WriteOptions{Path: path, Recursive: n%2 == 0, DryRun: true})
				if n%16 == 0 {
					_, _ = transaction.Mkdir(context.Background(), w, "gone/a/b", true)
					_, _ = transaction.Delete(ctx, w, transaction.WriteOptions{Path: "gone", Recursive: true})
				}
			},
			"Move and Copy": func(n int, path string) {
				for _, t := range []transaction.Transfer{{From: path, To: "d/e/g", DryRun: true}, {From: "f", To: path, Overwrite: true, DryRun: true}, {From: path,
					To: path}} {
					_, _ = transaction.Move(ctx, w, t)
					_, _ = transaction.Copy(ctx, w, t)
				}
				if n%16 == 0 {
					_, _ = transaction.Copy(ctx, w, transaction.Transfer{From: "d", To: "d2"})
					_, _ = transaction.Move(ctx, w, transaction.Transfer{From: "d2", To: "d3"})
					_, _ = transaction.Delete(ctx, w, transaction.WriteOptions{Path: "d3", Recursive: true})
				}
			},
			"Mkdir": func(n int, path string) { _, _ = transaction.Mkdir(context.Background(), w, path, n%2 == 0) },
			"Open": func(n int, path string) {
				if w, err := sandbox.Open(filepath.Join(root, path), o); err == nil {
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
