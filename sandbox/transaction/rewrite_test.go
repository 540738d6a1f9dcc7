package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/transaction"
)

func TestRewrite(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fs     string
		target transaction.WriteOptions
		err    error
		after  string // names in the tree
		at     string // where the new content is
	}{
		{"create", "", transaction.WriteOptions{Path: "f", Creation: transaction.MustCreate}, nil, "f", "f"},
		{"create or replace, nothing there", "", transaction.WriteOptions{Path: "f", Creation: transaction.MayCreate}, nil, "f", "f"},
		{"create or replace, a file there", "f", transaction.WriteOptions{Path: "f", Creation: transaction.MayCreate}, nil, "f", "f"},
		{"replace", "f", transaction.WriteOptions{Path: "f"}, nil, "f", "f"},
		{"replace nothing", "", transaction.WriteOptions{Path: "f"}, fserr.ErrNotFound, "", ""},
		{"create over a file", "f", transaction.WriteOptions{Path: "f", Creation: transaction.MustCreate}, fserr.ErrExists, "f", ""},
		{"create over a directory", "d/", transaction.WriteOptions{Path: "d", Creation: transaction.MustCreate}, fserr.ErrNotFile, "d/", ""},
		{"replace a directory", "d/", transaction.WriteOptions{Path: "d"}, fserr.ErrNotFile, "d/", ""},
		{"replace the root", "d/", transaction.WriteOptions{Path: ".", Creation: transaction.MayCreate}, fserr.ErrNotFile, "d/", ""},
		{"parents", "", transaction.WriteOptions{Path: "a/b/f", Creation: transaction.MayCreate, Parents: true}, nil, "a/, a/b/, a/b/f", "a/b/f"},
		{"no parents", "", transaction.WriteOptions{Path: "a/b/f", Creation: transaction.MayCreate}, fserr.ErrNotFound, "", ""},
		{"through a file", "f", transaction.WriteOptions{Path: "f/x", Creation: transaction.MayCreate, Parents: true}, fserr.ErrNotFolder, "f", ""},
		{"through a link", "l => d/f, d/f", transaction.WriteOptions{Path: "l"}, nil, "d/, d/f, l => d/f", "d/f"},
		{"through two links and a directory link", "a => k/l, k => d, d/l => f, d/f", transaction.WriteOptions{Path: "a"}, nil, "a => k/l, d/, d/f, d/l => f, k => d",
			"d/f"},
		{"create through a dangling link", "l => d/new, d/", transaction.WriteOptions{Path: "l", Creation: transaction.MustCreate}, nil, "d/, d/new, l => d/new", "d/new"},
		{"parents through a dangling link", "l => a/new", transaction.WriteOptions{Path: "l", Creation: transaction.MustCreate, Parents: true}, nil, "a/, a/new, l => a/new",
			"a/new"},
		{"create over a link to a file", "l => f, f", transaction.WriteOptions{Path: "l", Creation: transaction.MustCreate}, fserr.ErrExists, "f, l => f", ""},
		{"a name that ends in a slash", "d/", transaction.WriteOptions{Path: "d/f/", Creation: transaction.MayCreate}, fserr.ErrNotFile, "d/", ""},
		{"etag of nothing", "", transaction.WriteOptions{Path: "f", Creation: transaction.MayCreate, IfMatch: "c00"}, fserr.ErrStale, "", ""},
		{"wrong etag", "f", transaction.WriteOptions{Path: "f", IfMatch: "c00"}, fserr.ErrStale, "f", ""},
		{"right etag", "f", transaction.WriteOptions{Path: "f", IfMatch: openfile.ContentETag([]byte("f"))}, nil, "f", "f"},
		{"name of 255 bytes", strings.Repeat("n", 255), transaction.WriteOptions{Path: strings.Repeat("n", 255)}, nil, strings.Repeat("n", 255), strings.Repeat("n",
			255)},
		{"name of 256 bytes", "", transaction.WriteOptions{Path: "a/b/" + strings.Repeat("n", 256), Creation: transaction.MayCreate, Parents: true}, fserr.ErrInvalidPath, "",
			""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				root := fixture.MakeTree(t, nil)
				if tt.fs != "" {
					for entry := range strings.SplitSeq(tt.fs, ", ") {
						disktest.MakeEntry(t, root, entry)
					}
				}
				before := fixture.Snapshot(t, root)
				done, err := transaction.Rewrite(context.Background(), fixture.OpenWorkspace(t, root, o), tt.target, fixture.Content("new"))
				if tt.err != nil {
					fixture.Fails(t, err, tt.target.Path, tt.err)
					if fixture.Kind(t, err) != fserr.ErrInvalidPath && fixture.Snapshot(t, root) != before {
						t.Errorf("the tree changed:\n%s\nbefore:\n%s", fixture.Snapshot(t, root), before)
					}
				} else {
					disktest.Must(t, err)
					if got := fixture.Read(t, filepath.Join(root, tt.at)); got != "new" || done.ETag != openfile.ContentETag([]byte("new")) || !done.Changed {
						t.Errorf("%s holds %q, reported %+v", tt.at, got, done)
					}
				}
				if got := disktest.Names(t, root); got != tt.after {
					t.Errorf("the tree holds %s, want %s", got, tt.after)
				}
			})
		})
	}
}

// TestRewriteReport checks the reports of a change, of no change, and of a new file in new folders.
func TestRewriteReport(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = old"})
		w := fixture.OpenWorkspace(t, root, o)
		ctx := context.Background()
		calls := 0
		done, err := transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "./f"}, func(old []byte, existed bool) ([]byte, error) {
			calls++
			return append(old[:len(old):len(old)], " and new"...), nil
		})
		disktest.Must(t, err)
		if got := fmt.Sprintf("%s %v %v %q %q %d %d", done.Path, done.Existed, done.Changed, done.Old, done.New, done.ParentsCreated, done.Links); got != `f true true "old" "old and new" 0 1` || calls != 1 {
			t.Errorf("reported %s after %d calls", got, calls)
		}

		before := fixture.Snapshot(t, root)
		done, err = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "f", Creation: transaction.MayCreate}, fixture.Content("old and new"))
		disktest.Must(t, err)
		if done.Changed || !done.Existed || fixture.Snapshot(t, root) != before {
			t.Errorf("equal content: reported %+v, tree\n%s", done, fixture.Snapshot(t, root))
		}

		done, err = transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "a/b/f", Creation: transaction.MustCreate, Parents: true}, func(old []byte, existed bool) ([]byte, error) {
			if old != nil || existed {
				t.Errorf("a new file had %q, existed %v", old, existed)
			}
			return nil, nil
		})
		disktest.Must(t, err)
		if !done.Changed || done.Existed || done.ParentsCreated != 2 || done.ETag != openfile.ContentETag(nil) {
			t.Errorf("new file: reported %+v", done)
		}
	})
}

// TestRewriteDryRun does everything except change the disk.
func TestRewriteDryRun(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f", "d/f", "l => d/f"})
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		mode := fs.FileMode(0o600)
		for _, target := range []transaction.WriteOptions{
			{Path: "f"}, {Path: "l"}, {Path: "new", Creation: transaction.MustCreate}, {Path: "a/b/new", Creation: transaction.MayCreate, Parents: true},
			{Path: "d/f", Mode: &mode, IfMatch: openfile.ContentETag([]byte("d/f"))},
		} {
			target.DryRun = true
			done, err := transaction.Rewrite(context.Background(), w, target, fixture.Content("new"))
			disktest.Must(t, err)
			present := ""
			if done.Existed {
				present = openfile.ContentETag(done.Old)
			}
			if !done.Changed || string(done.New) != "new" || done.ETag != present {
				t.Errorf("%s: reported %+v", target.Path, done)
			}
			appended, err := transaction.Append(context.Background(), w, target, fixture.More("new"))
			disktest.Must(t, err)
			if appended.Bytes != 3 {
				t.Errorf("%s: reported %+v", target.Path, appended)
			}
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("the tree changed:\n%s\nbefore:\n%s", after, before)
		}
		_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f", IfMatch: "c00", DryRun: true}, fixture.Content("new"))
		fixture.Fails(t, err, "f", fserr.ErrStale)
	})
}

func TestRewriteStale(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f"})
		w := fixture.OpenWorkspace(t, root, o)
		asked := 0
		for _, tt := range []struct{ path, current string }{{"f", openfile.ContentETag([]byte("f"))}, {"missing", ""}} {
			target := transaction.WriteOptions{Path: tt.path, Creation: transaction.MayCreate, IfMatch: openfile.ContentETag([]byte("seen"))}
			_, err := transaction.Rewrite(context.Background(), w, target, func([]byte, bool) ([]byte, error) { asked++; return nil, nil })
			_, err2 := transaction.Append(context.Background(), w, target, func(openfile.Edges) ([]byte, error) { asked++; return nil, nil })
			for _, err := range []error{err, err2} {
				var stale *fserr.StaleError
				if !errors.As(err, &stale) || stale.Current != tt.current {
					t.Errorf("%s: error %v, current %+v, want %q", tt.path, err, stale, tt.current)
				}
				fixture.Fails(t, err, tt.path, fserr.ErrStale)
			}
		}
		if asked != 0 {
			t.Errorf("the new content was asked for %d times", asked)
		}
	})
}

func TestRewriteMode(t *testing.T) {
	fixture.Lacks(t, "permission bits")
	setMode := func(m fs.FileMode) *fs.FileMode { return &m }
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, nil)
		w := fixture.OpenWorkspace(t, root, o)
		for _, bits := range []uint32{0o644, 0o600, 0o755, 0o777, 0o640, 0o200, 0o4755, 0o2711, 0o1644, 0o6777} {
			path := filepath.Join(root, "f")
			if bits == 0o200 && os.Geteuid() != 0 {
				continue // it can't be read
			}
			disktest.Must(t, os.WriteFile(path, []byte("old"), 0o666))
			disktest.Must(t, os.Chmod(path, stat.FileBits(bits)))
			disktest.Must(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.Content("new"))))
			checkMode(t, path, bits&^0o6000)
			disktest.Must(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f", Mode: setMode(0o755)}, fixture.Content("new"))))
			checkMode(t, path, 0o755)
			disktest.Must(t, os.Remove(path))
			disktest.Must(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f", Creation: transaction.MustCreate, Mode: setMode(stat.FileBits(bits))},
				fixture.Content("new"))))
			checkMode(t, path, bits&^0o6000)
			disktest.Must(t, os.Remove(path))
		}
		// A change of the mode alone is a change; the same mode and content is none.
		disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte("x"), 0o600))
		for _, changed := range []bool{true, false} {
			done, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f", Mode: setMode(0o644)}, fixture.Content("x"))
			disktest.Must(t, err)
			if done.Changed != changed {
				t.Errorf("changed %v, want %v", done.Changed, changed)
			}
		}
		// A new file has the mode that the process gives any new file.
		disktest.Must(t, os.WriteFile(filepath.Join(root, "usual"), nil, 0o666))
		usual, err := os.Stat(filepath.Join(root, "usual"))
		disktest.Must(t, err)
		disktest.Must(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "new", Creation: transaction.MustCreate}, fixture.Content("new"))))
		checkMode(t, filepath.Join(root, "new"), stat.UnixBits(usual.Mode()))
	})
}

func second[T any](_ T, err error) error { return err }

func checkMode(t *testing.T, path string, want uint32) {
	t.Helper()
	info, err := os.Stat(path)
	disktest.Must(t, err)
	if got := stat.UnixBits(info.Mode()); got != want {
		t.Errorf("mode %o, want %o", got, want)
	}
}

// TestRewriteProtected: a file without write permission is refused, although a rename could replace
// it; also for root.
func TestRewriteProtected(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f"})
		disktest.Must(t, os.Chmod(filepath.Join(root, "f"), 0o444))
		before := fixture.Snapshot(t, root)
		w := fixture.OpenWorkspace(t, root, o)
		fixture.Fails(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f", Creation: transaction.MayCreate}, fixture.Content("new"))), "f", fserr.ErrPermission)
		fixture.Fails(t, second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.More("new"))), "f", fserr.ErrPermission)
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("the tree changed:\n%s", after)
		}
	})
}

// TestHardLinks: a write separates a file from its other names on purpose, so that a file outside
// the workspace keeps its content.
func TestHardLinks(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, nil)
		for _, name := range []string{"rewritten", "appended"} {
			if err := os.Link(filepath.Join(fixture.Outside(root), "secret"), filepath.Join(root, name)); err != nil {
				t.Skipf("no hard links here: %v", err)
			}
		}
		before := fixture.Snapshot(t, fixture.Outside(root))
		w := fixture.OpenWorkspace(t, root, o)
		done, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "rewritten"}, fixture.Content("new"))
		disktest.Must(t, err)
		appended, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "appended"}, fixture.More("+"))
		disktest.Must(t, err)
		if runtime.GOOS != "windows" && (done.Links != 3 || appended.Links != 2) {
			t.Errorf("links %d and %d, want 3 and 2", done.Links, appended.Links)
		}
		if a, b := fixture.Read(t, filepath.Join(root, "rewritten")), fixture.Read(t, filepath.Join(root, "appended")); a != "new" || b != fixture.Secret+"+" {
			t.Errorf("inside there is %q and %q", a, b)
		}
		if after := fixture.Snapshot(t, fixture.Outside(root)); after != before {
			t.Errorf("outside there is now:\n%s\nbefore:\n%s", after, before)
		}
	})
}

// TestRewriteTooLarge: the limit is exact.
func TestRewriteTooLarge(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"small = 12345", "large = 123456"})
		o.Whole = 5
		w := fixture.OpenWorkspace(t, root, o)
		disktest.Must(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "small"}, fixture.Content("123456"))))
		_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "large"}, fixture.Content("x"))
		fixture.Fails(t, err, "large", fserr.ErrTooLarge)
		var size *fserr.SizeError
		if !errors.As(err, &size) || *size != (fserr.SizeError{Size: 6, Limit: 5}) {
			t.Errorf("error %v with %+v", err, size)
		}
	})
}

// TestCreateOnce: of eight goroutines that create the same file, one succeeds and the others get an
// error.
func TestCreateOnce(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, nil)
		w := fixture.OpenWorkspace(t, root, o)
		for round := range 20 {
			path := fmt.Sprintf("a%d/f", round)
			errs := make([]error, 8)
			fixture.Together(len(errs), func(i int) {
				_, errs[i] = transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: path, Creation: transaction.MustCreate, Parents: true}, fixture.Content(strconv.Itoa(i)))
			})
			winner := -1
			for i, err := range errs {
				switch {
				case err == nil && winner >= 0:
					t.Errorf("%d and %d both created the file", winner, i)
				case err == nil:
					winner = i
				default:
					fixture.Fails(t, err, path, fserr.ErrExists)
				}
			}
			if got := fixture.Read(t, filepath.Join(root, path)); got != strconv.Itoa(winner) {
				t.Errorf("the file is of %q, the winner is %d", got, winner)
			}
			if got := disktest.Names(t, filepath.Join(root, fmt.Sprintf("a%d", round))); got != "f" {
				t.Errorf("beside the file there is %s", got)
			}
		}
	})
}

var errRefused = errors.New("the caller refuses")

// TestRewriteUndone: if the caller refuses or cancels, or the file can't be made, no temporary file
// and no new parent folder is left.
func TestRewriteUndone(t *testing.T) {
	fixture.Lacks(t, "removing or replacing what is open")
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f", "d/f"})
		w := fixture.OpenWorkspace(t, root, o)
		before := disktest.Names(t, root)
		for _, path := range []string{"f", "d/new", "a/b/new"} {
			target := transaction.WriteOptions{Path: path, Creation: transaction.MayCreate, Parents: true}
			_, err := transaction.Rewrite(context.Background(), w, target, func([]byte, bool) ([]byte, error) { return nil, errRefused })
			_, err2 := transaction.Append(context.Background(), w, target, func(openfile.Edges) ([]byte, error) { return nil, errRefused })
			if !errors.Is(err, errRefused) || !errors.Is(err2, errRefused) || kindless(err) || kindless(err2) {
				t.Errorf("%s: the caller's error became %v and %v", path, err, err2)
			}
			ctx, cancel := context.WithCancel(context.Background())
			_, err = transaction.Rewrite(ctx, w, target, func([]byte, bool) ([]byte, error) { cancel(); return []byte("new"), nil })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: canceled, but %v", path, err)
			}
			ctx, cancel = context.WithCancel(context.Background())
			_, err = transaction.Append(ctx, w, target, func(openfile.Edges) ([]byte, error) { cancel(); return []byte("new"), nil })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: canceled, but %v", path, err)
			}
		}
		long := "a/b/" + strings.Repeat("n", 256)
		fixture.Fails(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: long, Creation: transaction.MayCreate, Parents: true}, fixture.Content("x"))), long,
			fserr.ErrInvalidPath)
		fixture.Fails(t, second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: long, Creation: transaction.MayCreate, Parents: true}, fixture.More("x"))), long,
			fserr.ErrInvalidPath)
		fixture.Fails(t, second(transaction.Mkdir(context.Background(), w, long, true)), long, fserr.ErrInvalidPath)
		if after := disktest.Names(t, root); after != before || fixture.Read(t, filepath.Join(root, "f")) != "f" {
			t.Errorf("the tree holds %s, before %s", after, before)
		}
	})
}

// kindless reports whether an error of the caller was given a kind of this package.
func kindless(err error) bool {
	for _, k := range fixture.AllKinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}

// TestForeignChange: somebody changes the file between a call's read and its rename. The call uses
// the new content or fails, and never overwrites it.
func TestForeignChange(t *testing.T) {
	const foreign = "foreign"
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, path string)
		err    error
		want   string // content in the end; the call adds "+"
	}{
		{"in place", func(t *testing.T, path string) { disktest.Must(t, os.WriteFile(path, []byte(foreign), 0o666)) }, nil, "foreign+"},
		{"in place, same size and time", func(t *testing.T, path string) {
			info, err := os.Stat(path)
			disktest.Must(t, err)
			disktest.Must(t, os.WriteFile(path, []byte("OLD"), 0o666))
			disktest.Must(t, os.Chtimes(path, time.Time{}, info.ModTime()))
		}, nil, "OLD+"},
		{"appended to", func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			disktest.Must(t, err)
			_, err = f.WriteString(foreign)
			disktest.Must(t, errors.Join(err, f.Close()))
		}, nil, "oldforeign+"},
		{"replaced", func(t *testing.T, path string) {
			disktest.Must(t, os.WriteFile(path+".new", []byte(foreign), 0o666))
			disktest.Must(t, os.Rename(path+".new", path))
		}, nil, "foreign+"},
		{"removed", func(t *testing.T, path string) { disktest.Must(t, os.Remove(path)) }, fserr.ErrNotFound, ""},
		{"made a directory", func(t *testing.T, path string) {
			disktest.Must(t, os.Remove(path))
			disktest.Must(t, os.Mkdir(path, 0o777))
		}, fserr.ErrNotFile, ""},
		{"made a link outside", func(t *testing.T, path string) {
			disktest.Must(t, os.Remove(path))
			disktest.Symlink(t, "../out/secret", path)
		}, fserr.ErrLinkOutside, ""},
		{"made a link inside", func(t *testing.T, path string) {
			disktest.Must(t, os.Remove(path))
			disktest.Must(t, os.WriteFile(filepath.Join(filepath.Dir(path), "other"), []byte(foreign), 0o666))
			disktest.Symlink(t, "other", path)
		}, nil, "foreign+"},
		{"protected", func(t *testing.T, path string) { disktest.Must(t, os.Chmod(path, 0o444)) }, fserr.ErrPermission, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "replaced" || tt.name == "removed" || strings.HasPrefix(tt.name, "made") {
				fixture.Lacks(t, "removing or replacing what is open")
			}
			fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
				calls := map[string]func(w *sandbox.Workspace, back func()) error{
					"Rewrite": func(w *sandbox.Workspace, back func()) error {
						return second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f"}, func(old []byte, _ bool) ([]byte, error) {
							back()
							return append(old[:len(old):len(old)], '+'), nil
						}))
					},
					"Append": func(w *sandbox.Workspace, back func()) error {
						return second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f"}, func(openfile.Edges) ([]byte, error) {
							back()
							return []byte("+"), nil
						}))
					},
				}
				for name, call := range calls {
					if name == "Append" && tt.name == "protected" {
						continue // it was opened for writing before
					}
					root := fixture.MakeTree(t, []string{"f = old"})
					path := filepath.Join(root, "f")
					err := call(fixture.OpenWorkspace(t, root, o), sync.OnceFunc(func() { tt.change(t, path) }))
					if tt.err != nil {
						fixture.Fails(t, err, "f", tt.err)
					} else if got := fixture.Read(t, path); err != nil || got != tt.want {
						t.Errorf("%s: the file holds %q, want %q, error %v", name, got, tt.want, err)
					}
					if got := fixture.Read(t, filepath.Join(fixture.Outside(root), "secret")); got != fixture.Secret {
						t.Errorf("%s: outside there is %q", name, got)
					}
					if strings.Contains(disktest.Names(t, root), policy.TempPrefix) {
						t.Errorf("%s: a temporary file is left: %s", name, disktest.Names(t, root))
					}
				}
			})
		})
	}
}

// TestForeignChangeForEver: somebody is always faster. The call gives up and overwrites nothing.
func TestForeignChangeForEver(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = old"})
		w := fixture.OpenWorkspace(t, root, o)
		n := 0
		_, err := transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f"}, func(old []byte, _ bool) ([]byte, error) {
			n++
			disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte(strconv.Itoa(n)), 0o666))
			return []byte("mine"), nil
		})
		fixture.Fails(t, err, "f", fserr.ErrBusy)
		if got := fixture.Read(t, filepath.Join(root, "f")); got != strconv.Itoa(plan.MaxCollisions) || n != plan.MaxCollisions || disktest.Names(t, root) != "f" {
			t.Errorf("after %d tries the file holds %q, and there is %s", n, got, disktest.Names(t, root))
		}
	})
}

func init() {
	fixture.Children["count"] = func(args []string) error { return countUp(args[1], args[2] == "etag", times(args[0])) }
	fixture.Children["append"] = func(args []string) error { return appendLines(args[1], args[2], times(args[0])) }
}

// times is how often a process of runEight does what it does.
func times(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// countUp adds 1 to the number in a file, n times: from the content that Rewrite passes, or by
// reading first and trying again when the etag no longer fits.
func countUp(root string, byETag bool, n int) error {
	w, err := sandbox.Open(root, sandbox.Options{NoSync: true, Whole: 1 << 20})
	if err != nil {
		return err
	}
	defer w.Close()
	for done := 0; done < n; {
		target := transaction.WriteOptions{Path: "n"}
		if byETag {
			if target.IfMatch, err = etagOf(w, "n"); err != nil {
				return err
			}
		}
		_, err := transaction.Rewrite(context.Background(), w, target, func(old []byte, _ bool) ([]byte, error) {
			n, err := strconv.Atoi(string(old))
			return []byte(strconv.Itoa(n + 1)), err
		})
		switch {
		case err == nil:
			done++
		case !errors.Is(err, fserr.ErrStale) && !errors.Is(err, fserr.ErrBusy):
			return err
		}
	}
	return nil
}

func etagOf(w *sandbox.Workspace, path string) (string, error) {
	f, err := w.OpenFile(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return w.ETag(context.Background(), f, nil)
}

// TestNoLostUpdate: eight processes and eight goroutines count up, and the sum is exact.
func TestNoLostUpdate(t *testing.T) {
	for _, way := range []string{"transform", "etag"} {
		t.Run(way, func(t *testing.T) {
			root := fixture.MakeTree(t, []string{"n = 0"})
			runEight(t, "count", root, way)
			if got := fixture.Read(t, filepath.Join(root, "n")); got != strconv.Itoa(8*fixture.Few(50)) || disktest.Names(t, root) != "n" {
				t.Errorf("eight processes counted to %s, and there is %s", got, disktest.Names(t, root))
			}
			fixture.Together(8, func(int) {
				if err := countUp(root, way == "etag", fixture.Few(10)); err != nil {
					t.Error(err)
				}
			})
			if got := fixture.Read(t, filepath.Join(root, "n")); got != strconv.Itoa(8*fixture.Few(50)+8*fixture.Few(10)) {
				t.Errorf("eight goroutines counted on to %s", got)
			}
		})
	}
}

// runEight starts eight processes at once, and waits for all. Their first argument says how often
// they do what they do, the last one is their number.
func runEight(t *testing.T, name string, args ...string) {
	t.Helper()
	fixture.Together(8, func(i int) {
		cmd := exec.Command(os.Args[0], slices.Concat([]string{strconv.Itoa(fixture.Few(50))}, args, []string{strconv.Itoa(i)})...)
		cmd.Env = append(os.Environ(), fixture.ChildVariable+"="+name)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the process %s %d: %v: %s", name, i, err, out)
		}
	})
}

const appendedLine = 9000 // bytes: more than a pipe or a page holds

func appendLines(root, id string, n int) error {
	w, err := sandbox.Open(root, sandbox.Options{NoSync: true, Whole: 1 << 10})
	if err != nil {
		return err
	}
	defer w.Close()
	for range n {
		line := strings.Repeat(id, appendedLine) + "\n"
		if err := second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "log", Creation: transaction.MayCreate}, fixture.More(line))); err != nil {
			return err
		}
	}
	return nil
}

// TestAppendsTogether: eight processes append long lines; all are there, and whole.
func TestAppendsTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := fixture.MakeTree(t, nil)
	runEight(t, "append", root)
	count := map[byte]int{}
	for line := range strings.Lines(fixture.Read(t, filepath.Join(root, "log"))) {
		if strings.Count(line, line[:1]) != appendedLine || len(line) != appendedLine+1 {
			t.Fatalf("a line of %d bytes is mixed: %.20q…", len(line), line)
		}
		count[line[0]]++
	}
	for i := range 8 {
		if id := strconv.Itoa(i); count[id[0]] != fixture.Few(50) {
			t.Errorf("of process %s there are %d lines of %d", id, count[id[0]], fixture.Few(50))
		}
	}
	if disktest.Names(t, root) != "log" {
		t.Errorf("there is %s", disktest.Names(t, root))
	}
}
