package sandbox_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/fixture"

	"golang.org/x/sys/unix"
)

// TestResolveModel walks random paths in random trees of folders, files and links. Both
// implementations must agree, an opened file must be under the root at the reported path, and the
// kernel must resolve the path in the same way.
func TestResolveModel(t *testing.T) {
	const paths = 40
	trees := 40
	switch {
	case *fixture.Sweep:
		trees = 400
	case testing.Short():
		trees = 10
	}
	seen, asksKernel := map[error]int{}, hasOpenat2()
	for seed := range uint64(trees) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		entries := randomTree(rnd)
		root := fixture.MakeTree(t, entries)
		fd, own := fixture.OpenWorkspace(t, root, sandbox.Options{}), fixture.OpenWorkspace(t, root, sandbox.Options{Portable: true})
		for range paths {
			ask := randomPath(rnd)
			err := agree(t, fd, own, ask)
			// the kernel refuses every absolute link, also one that stays inside
			if asksKernel && !strings.Contains(strings.Join(entries, " "), "$") {
				err = errors.Join(err, agreeWithKernel(fd, ask))
			}
			if err != nil {
				t.Fatalf("seed %d, tree %q, path %q: %v", seed, entries, ask, err)
			}
			_, refused := fd.OpenFile(ask)
			seen[fixture.Kind(t, refused)]++
		}
		fd.Close()
		own.Close()
	}
	for _, k := range []error{nil, fserr.ErrLinkOutside, fserr.ErrLinkLoop, fserr.ErrNotFound, fserr.ErrNotFolder, fserr.ErrNotFile} {
		if seen[k] < trees*paths/200 {
			t.Errorf("%v was met only %d times in %d: the trees don't show it", k, seen[k], trees*paths)
		}
	}
	if !asksKernel {
		t.Skip("not compared with the kernel: it has no openat2")
	}
}

var modelNames = []string{"a", "b", "c", "e"}

func randomTree(rnd *rand.Rand) []string {
	absolute := rnd.IntN(2) == 0
	var entries []string
	var grow func(dir string, depth int)
	grow = func(dir string, depth int) {
		for _, name := range modelNames {
			at := path.Join(dir, name)
			switch n := rnd.IntN(10); {
			case n < 3 && depth < 3:
				entries = append(entries, at+"/")
				grow(at, depth+1)
			case n < 4:
				entries = append(entries, at)
			case n < 8:
				entries = append(entries, at+" => "+randomTarget(rnd, absolute))
			}
		}
	}
	grow("", 0)
	return entries
}

func randomTarget(rnd *rand.Rand, absolute bool) string {
	parts := make([]string, 1+rnd.IntN(4))
	for i := range parts {
		parts[i] = []string{"a", "b", "c", "e", "..", "..", ".", "zz"}[rnd.IntN(8)]
	}
	target := strings.Join(parts, "/")
	switch n := rnd.IntN(20); {
	case n == 0:
		return "../../../../out/" + target
	case n < 4 && absolute:
		return "$ROOT/" + target
	case n == 4 && absolute:
		return "$OUT/" + target
	case n == 5:
		return target + "/"
	}
	return target
}

func randomPath(rnd *rand.Rand) string {
	parts := make([]string, 1+rnd.IntN(4))
	for i := range parts {
		parts[i] = modelNames[rnd.IntN(len(modelNames))]
	}
	return strings.Join(parts, "/") + []string{"", "", "", "/"}[rnd.IntN(4)]
}

// agree compares the two implementations.
func agree(t *testing.T, fd, own *sandbox.Workspace, ask string) error {
	for _, follow := range []bool{true, false} {
		a, errA := fd.Locate(ask, sandbox.Purpose{Follow: follow})
		b, errB := own.Locate(ask, sandbox.Purpose{Follow: follow})
		if fixture.Kind(t, errA) != fixture.Kind(t, errB) {
			return fmt.Errorf("descriptors: %v, os.Root: %v", errA, errB)
		}
		if errA != nil {
			continue
		}
		defer a.Close()
		defer b.Close()
		if a.Path != b.Path || a.Exists != b.Exists || a.Info.Identity != b.Info.Identity || !slices.Equal(a.Missing, b.Missing) ||
			a.ViaLink != b.ViaLink {
			return fmt.Errorf("descriptors: %+v, os.Root: %+v", a, b)
		}
		if follow {
			if err := agreeOnOpen(t, fd, own, ask, a.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

func agreeOnOpen(t *testing.T, fd, own *sandbox.Workspace, ask, want string) error {
	f, errA := fd.OpenFile(ask)
	g, errB := own.OpenFile(ask)
	if fixture.Kind(t, errA) != fixture.Kind(t, errB) {
		return fmt.Errorf("open: descriptors: %v, os.Root: %v", errA, errB)
	}
	if errA != nil {
		return nil
	}
	for _, f := range []*openfile.File{f, g} {
		if text := fixture.ReadAll(t, f); !isAt(f, filepath.Join(fd.Root(), want)) || text != want {
			return fmt.Errorf("opened what holds %q, want %q", text, want)
		}
	}
	return nil
}

// isAt asks the kernel whether an open file is the one at a host path.
func isAt(f *openfile.File, path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) == nil && st.Ino == f.Info.Ino && uint64(st.Dev) == f.Info.Dev
}

// hasOpenat2 reports whether the kernel can be asked. qemu-user doesn't pass openat2 on.
func hasOpenat2() bool {
	_, err := unix.Openat2(unix.AT_FDCWD, "", &unix.OpenHow{})
	return err != unix.ENOSYS
}

// agreeWithKernel compares with openat2(RESOLVE_BENEATH), which differs only for absolute links
// that stay inside.
func agreeWithKernel(w *sandbox.Workspace, ask string) error {
	root, err := unix.Open(w.Root(), unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(root)
	fd, want := -1, error(unix.EAGAIN)
	for want == unix.EAGAIN { // no verdict: somebody on this machine renamed or mounted something meanwhile
		fd, want = unix.Openat2(root, ask, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH})
	}
	var st unix.Stat_t
	if want == nil {
		defer unix.Close(fd)
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
	}
	p, err := w.Locate(ask, sandbox.Purpose{Follow: true})
	if err == nil {
		defer p.Close()
		if !p.Exists {
			err = fserr.ErrNotFound
		}
	}
	for errno, kind := range map[unix.Errno]error{unix.EXDEV: fserr.ErrLinkOutside, unix.ELOOP: fserr.ErrLinkLoop, unix.ENOENT: fserr.ErrNotFound,
		unix.ENOTDIR: fserr.ErrNotFolder} {
		if errors.Is(want, errno) != errors.Is(err, kind) {
			return fmt.Errorf("the kernel says %v, this package %v", want, err)
		}
	}
	if want == nil && st.Ino != p.Info.Ino {
		return fmt.Errorf("the kernel opens inode %d, this package %d", st.Ino, p.Info.Ino)
	}
	return nil
}
