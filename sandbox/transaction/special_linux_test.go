package transaction_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/transaction"

	"golang.org/x/sys/unix"
)

// makeSpecial makes special files that look like files by their names. It returns the names with
// the types that messages use.
func makeSpecial(t *testing.T, root string) map[string]string {
	t.Helper()
	kinds := map[string]string{"fifo": "FIFO", "socket": "socket", "d": "directory"}
	disktest.Must(t, os.Mkdir(filepath.Join(root, "d"), 0o777))
	disktest.Must(t, unix.Mkfifo(filepath.Join(root, "fifo"), 0o666))
	short, err := os.MkdirTemp("", "s") // the path of a socket has at most 107 bytes
	disktest.Must(t, err)
	defer os.RemoveAll(short)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(short, "s"), Net: "unix"})
	disktest.Must(t, err)
	l.SetUnlinkOnClose(false)
	t.Cleanup(func() { l.Close() })
	disktest.Must(t, os.Rename(filepath.Join(short, "s"), filepath.Join(root, "socket")))
	if os.Geteuid() == 0 {
		const zero = 1<<8 | 5 // /dev/zero
		if err := unix.Mknod(filepath.Join(root, "zero"), unix.S_IFCHR|0o666, zero); err != nil {
			t.Logf("no devices here: %v", err)
		} else {
			kinds["zero"] = "device"
		}
	}
	for name := range kinds {
		disktest.Symlink(t, name, filepath.Join(root, "to-"+name))
	}
	return kinds
}

// TestSpecialFiles: calls never block on a FIFO, and read and write only regular files.
func TestSpecialFiles(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, nil)
		special := makeSpecial(t, root)
		w := fixture.OpenWorkspace(t, root, o)
		before := fixture.Snapshot(t, root)
		ctx := context.Background()
		walk, err := w.OpenFolder(".")
		disktest.Must(t, err)
		defer walk.Close()
		for name, what := range special {
			for _, path := range []string{name, "to-" + name} {
				for call, err := range map[string]error{
					"OpenFile": second(w.OpenFile(path)),
					"Rewrite":  second(transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate}, fixture.Content("x"))),
					"create":   second(transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.MustCreate}, fixture.Content("x"))),
					"Append":   second(transaction.Append(ctx, w, transaction.WriteOptions{Path: path, Creation: transaction.MayCreate}, fixture.More("x"))),
				} {
					fixture.Fails(t, err, path, fserr.ErrNotFile)
					var e *fserr.PathError
					if !errors.As(err, &e) || e.Type != what {
						t.Errorf("%s %s: error %#v, want one about a %s", call, path, err, what)
					}
				}
			}
			if err := second(walk.File(name)); fixture.Kind(t, err) != fserr.ErrNotFile {
				t.Errorf("File %s: error %v", name, err)
			}
			if name == "d" {
				continue
			}
			for call, err := range map[string]error{
				"OpenFolder": second(w.OpenFolder(name)), "Directory": second(walk.Folder(name)), "Mkdir": second(transaction.Mkdir(context.Background(), w, name,
					true)),
				"through it": second(w.OpenFile(name + "/x")), "as the root": second(sandbox.Open(filepath.Join(root, name), o)),
			} {
				if fixture.Kind(t, err) != fserr.ErrNotFolder {
					t.Errorf("%s %s: error %v", call, name, err)
				}
			}
			s, err := w.Stat(name)
			disktest.Must(t, err)
			if s.Type() != "other" || stat.TypeName(s.Mode) != what {
				t.Errorf("%s is described as %s, %s", name, s.Type(), stat.TypeName(s.Mode))
			}
		}
		if after := fixture.Snapshot(t, root); after != before {
			t.Errorf("the tree changed:\n%s\nbefore:\n%s", after, before)
		}
	})
}

// TestWalkFollowsNoLink: the calls of a walk find links where the walk found none.
func TestWalkFollowsNoLink(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/f", "l => d", "lf => d/f", "o => ../out", "of => ../out/secret", "dangling => nothing"})
		w := fixture.OpenWorkspace(t, root, o)
		folder, err := w.OpenFolder(".")
		disktest.Must(t, err)
		defer folder.Close()
		for _, name := range []string{"l", "lf", "o", "of", "dangling"} {
			if k := fixture.Kind(t, second(folder.Folder(name))); k != fserr.ErrNotFolder {
				t.Errorf("Directory %s: %v", name, k)
			}
			if k := fixture.Kind(t, second(folder.File(name))); k != fserr.ErrBusy && k != fserr.ErrNotFile {
				t.Errorf("File %s: %v", name, k)
			}
			if info, err := folder.Lstat(name); err != nil || info.Type() != "symlink" {
				t.Errorf("Lstat %s: %v, %v", name, info, err)
			}
		}
	})
}

// TestProc: links lead into /proc, where the kernel has links to every open file; and /proc itself
// is the root.
func TestProc(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("no /proc here")
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, nil)
		held, err := os.Open(filepath.Join(fixture.Outside(root), "secret"))
		disktest.Must(t, err)
		defer held.Close()
		w := fixture.OpenWorkspace(t, root, o)
		for i, target := range []string{
			"/proc/self/environ", "/proc/self/mem", "/proc/self/cwd", "/proc/self/root/etc/passwd", "/proc/self/exe", "/dev/stdin", "/dev/zero",
			fmt.Sprintf("/proc/self/fd/%d", held.Fd()), fmt.Sprintf("/dev/fd/%d", held.Fd()), "/proc/self/root" + root,
		} {
			name := fmt.Sprintf("l%d", i)
			disktest.Symlink(t, target, filepath.Join(root, name))
			checkRefused(t, w, name, fserr.ErrLinkOutside)
			checkRefused(t, w, name+"/x", fserr.ErrLinkOutside)
		}

		// With the process's own folder in /proc as root, a magic link is resolved by its text,
		// which leads outside.
		self := fixture.OpenWorkspace(t, "/proc/self", o)
		fd := fmt.Sprintf("fd/%d", held.Fd())
		for _, path := range []string{fd, "root/etc/passwd", "root", "cwd", "cwd/special_linux_test.go", "exe"} {
			fixture.Fails(t, second(self.OpenFile(path)), path, fserr.ErrLinkOutside)
			fixture.Fails(t, second(self.OpenFolder(path)), path, fserr.ErrLinkOutside)
		}
		r, write, err := os.Pipe()
		disktest.Must(t, err)
		defer r.Close()
		defer write.Close()
		pipe := fmt.Sprintf("fd/%d", r.Fd())
		fixture.Fails(t, second(self.OpenFile(pipe)), pipe, fserr.ErrNotFound) // its text is "pipe:[123]", a path that doesn't exist
	})
}

func init() {
	fixture.Children["lease"] = func(args []string) error {
		f, err := os.OpenFile(args[0], os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
			return err
		}
		<-fixture.Ready()
		return nil
	}
}

// TestLease opens a file on which another process holds a lease: a blocking open would wait for up
// to 45 seconds.
func TestLease(t *testing.T) {
	root := fixture.MakeTree(t, []string{"f"})
	path := filepath.Join(root, "f")
	probe, err := os.OpenFile(path, os.O_RDWR, 0)
	disktest.Must(t, err)
	_, err = unix.FcntlInt(probe.Fd(), unix.F_SETLEASE, unix.F_WRLCK)
	disktest.Must(t, probe.Close())
	if err != nil {
		t.Skipf("no leases here: %v", err)
	}
	release := fixture.Child(t, "lease", path)
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		w := fixture.OpenWorkspace(t, root, o)
		fixture.Fails(t, second(w.OpenFile("f")), "f", fserr.ErrBusy)
		fixture.Fails(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.Content("x"))), "f", fserr.ErrBusy)
		fixture.Fails(t, second(transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.More("x"))), "f", fserr.ErrBusy)
	})
	release()
	f, err := fixture.OpenWorkspace(t, root, sandbox.Options{}).OpenFile("f")
	disktest.Must(t, err)
	if got := fixture.ReadAll(t, f); got != "f" || disktest.Names(t, root) != "f" {
		t.Errorf("the file holds %q, and there is %s", got, disktest.Names(t, root))
	}
}

// TestSparse has a file of 15 TB: no call may allocate memory by the reported size.
func TestSparse(t *testing.T) {
	const size = 15 << 40
	root := fixture.MakeTree(t, []string{"f = beginning"})
	if err := os.Truncate(filepath.Join(root, "f"), size); err != nil {
		t.Skipf("no file of 15 TB here: %v", err)
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		w := fixture.OpenWorkspace(t, root, o)
		f, err := w.OpenFile("f")
		disktest.Must(t, err)
		defer f.Close()
		_, err = f.ReadAll(context.Background(), 10<<20)
		var large *fserr.SizeError
		if !errors.As(err, &large) || *large != (fserr.SizeError{Size: size, Limit: 10 << 20}) {
			t.Errorf("ReadAll: %v", err)
		}
		etag, err := w.ETag(context.Background(), f, nil)
		if err != nil || etag != openfile.StateETag(f.Info) {
			t.Errorf("etag %s, error %v", etag, err)
		}
		fixture.Fails(t, second(transaction.Rewrite(context.Background(), w, transaction.WriteOptions{Path: "f"}, fixture.Content("x"))), "f", fserr.ErrTooLarge)
		done, err := transaction.Append(context.Background(), w, transaction.WriteOptions{Path: "f", IfMatch: etag, DryRun: true}, func(e openfile.Edges) ([]byte, error) {
			if !strings.HasPrefix(string(e.Head), "beginning\x00") || len(e.Tail) != openfile.EdgeBytes {
				t.Errorf("head %.20q, tail of %d bytes", e.Head, len(e.Tail))
			}
			return []byte("+"), nil
		})
		disktest.Must(t, err)
		if done.Size != size+1 {
			t.Errorf("size %d", done.Size)
		}
	})
}

// endless is a file whose reported size is 0 and that never ends.
type endless struct{ openfile.Handle }

func (endless) ReadSome(b []byte, _ int64) (int, error) { return len(b), nil }

// TestReadAllLimit: ReadAll counts what it reads, and doesn't trust the reported size.
func TestReadAllLimit(t *testing.T) {
	for _, limit := range []int64{0, 1, 511, 512, 513, openfile.ReadBlock, openfile.ReadBlock + 1, 3*openfile.ReadBlock + 5} {
		_, err := (&openfile.File{Handle: endless{}}).ReadAll(context.Background(), limit)
		var large *fserr.SizeError
		if !errors.As(err, &large) || large.Limit != limit || large.Size <= limit || large.Size > 2*limit+openfile.ReadBlock {
			t.Errorf("endless file, limit %d: %+v, %v", limit, large, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&openfile.File{Handle: endless{}}).ReadAll(ctx, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled, but %v", err)
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f = 12345"})
		f, err := fixture.OpenWorkspace(t, root, o).OpenFile("f")
		disktest.Must(t, err)
		defer f.Close()
		grown := strings.Repeat("x", 2*openfile.ReadBlock+3)
		disktest.Must(t, os.WriteFile(filepath.Join(root, "f"), []byte(grown), 0o666)) // after it was opened
		got, err := f.ReadAll(context.Background(), int64(len(grown)))
		if err != nil || string(got) != grown {
			t.Errorf("a file that grew: %d bytes, %v", len(got), err)
		}
		_, err = f.ReadAll(context.Background(), int64(len(grown)-1))
		var large *fserr.SizeError
		if !errors.As(err, &large) {
			t.Errorf("a file that grew beyond the limit: %v", err)
		}
		disktest.Must(t, os.Truncate(filepath.Join(root, "f"), 2))
		if got, err := f.ReadAll(context.Background(), 100); err != nil || string(got) != "xx" {
			t.Errorf("a file that shrank: %q, %v", got, err)
		}
	})
}
