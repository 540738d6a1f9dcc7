package search

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/testscript"
)

// listed is what the tests below read of an answer to ls, glob or grep.
type listed struct {
	Result struct {
		Entries []struct {
			Path string
			Size int64
		}
		Files        []string
		Truncated    bool
		NextCursor   string `json:"next_cursor"`
		SkippedCount int64  `json:"skipped_count"`
	}
}

func (l *listed) paths() []string {
	paths := slices.Clone(l.Result.Files)
	for _, e := range l.Result.Entries {
		paths = append(paths, e.Path)
	}
	return paths
}

// frugal runs the program in dir with no more than 64 descriptors.
func frugal(t *testing.T, dir string, args ...string) *listed {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fsbox := filepath.Join(t.TempDir(), "fsbox") // by this name the test binary is the program
	if err := os.Symlink(program, fsbox); err != nil {
		t.Fatal(err)
	}
	limits := []string{"--max-results", "1000000", "--max-output-bytes", "1GiB", "--timeout", "5m"}
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -n 64; exec "$@"`, "-", fsbox}, append(limits, args...)...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v: %.300s", args, err, out)
	}
	answer := new(listed)
	if err := json.Unmarshal(out, answer); err != nil {
		t.Fatalf("%v: %v: %.300s", args, err, out)
	}
	if answer.Result.SkippedCount > 0 {
		t.Errorf("%v: %d skipped", args, answer.Result.SkippedCount)
	}
	return answer
}

func needsShell(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell that can limit descriptors")
	}
}

// grow makes a chain of folders with a file before the next folder and a folder with a file after
// it at each level. Its paths get longer than a system call takes.
func grow(t *testing.T, dir string, levels int) (want []string) {
	t.Helper()
	at, err := os.OpenRoot(dir)
	var behind []string
	path := ""
	for range levels {
		if err == nil {
			err = at.WriteFile("a", []byte("x"), 0o666)
		}
		for _, name := range []string{"d", "z"} {
			if err == nil {
				err = at.Mkdir(name, 0o777)
			}
		}
		if err == nil {
			err = at.WriteFile("z/f", nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, path+"a", path+"d")
		behind = append(behind, path+"z/f", path+"z")
		path += "d/"
		var next *os.Root
		next, err = at.OpenRoot("d")
		at.Close()
		at = next
	}
	at.Close()
	slices.Reverse(behind)
	return append(want, behind...)
}

// TestDeepTree: 300 levels, or 1,500, are walked with 64 descriptors, in order, and can be resumed
// far down.
func TestDeepTree(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	testscript.NeedsUnix(t, "a shell that limits open files")
	needsShell(t)
	levels := 300
	if testscript.Sweep() {
		levels = 1500 // 3,000 work, too, in a minute: where the kernel confines the process, each open looks at all folders above
	}
	dir := t.TempDir()
	want := grow(t, dir, levels)
	got := frugal(t, dir, "ls", "--recursive", "--max-entries", "1000000")
	if paths := got.paths(); !slices.Equal(paths, want) {
		t.Fatalf("%d paths, want %d", len(paths), len(want))
	}
	for _, e := range got.Result.Entries {
		if (e.Size == 1) != strings.HasSuffix(e.Path, "a") {
			t.Fatalf("%.50q… has %d bytes", e.Path, e.Size)
		}
	}
	page := frugal(t, dir, "ls", "--recursive", "--max-entries", fmt.Sprint(levels*5/2))
	rest := frugal(t, dir, "ls", "--recursive", "--max-entries", "1000000", "--cursor", page.Result.NextCursor)
	if paths := append(page.paths(), rest.paths()...); !slices.Equal(paths, want) || len(rest.paths()) != levels*3/2 {
		t.Errorf("two pages have %d paths, want %d", len(paths), len(want))
	}
	files := slices.DeleteFunc(slices.Clone(want), func(p string) bool { return !strings.HasSuffix(p, "z/f") })
	if found := frugal(t, dir, "glob", "**/f", "--limit", "1000000").paths(); !slices.Equal(found, files) {
		t.Errorf("glob finds %d files, want %d", len(found), len(files))
	}
}

// TestWideFolder: 300,000 names in one folder are listed in order, in parts and whole.
func TestWideFolder(t *testing.T) {
	testscript.NeedsUnix(t, "a shell that limits open files")
	needsShell(t)
	if !testscript.Sweep() {
		t.Skip("makes 300,000 files: runs with -sweep")
	}
	const names = 300_000
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.Mkdir("wide", 0o777); err != nil {
		t.Fatal(err)
	}
	wide, err := root.OpenRoot("wide")
	if err != nil {
		t.Fatal(err)
	}
	defer wide.Close()
	want := make([]string, names)
	for i := range want {
		name := fmt.Sprintf("%06d", i)
		want[i] = "wide/" + name
		if f, err := wide.Create(name); err != nil {
			t.Fatal(err)
		} else {
			f.Close()
		}
	}
	if paths := frugal(t, dir, "glob", "wide/*", "--limit", "1000000").paths(); !slices.Equal(paths, want) {
		t.Errorf("glob finds %d files, want %d", len(paths), names)
	}
	first := frugal(t, dir, "ls", "wide", "--max-entries", "100000")
	rest := frugal(t, dir, "ls", "wide", "--max-entries", "1000000", "--cursor", first.Result.NextCursor)
	if paths := append(first.paths(), rest.paths()...); !slices.Equal(paths, want) || len(rest.paths()) != names-100_000 {
		t.Errorf("two pages have %d paths, want %d", len(paths), names)
	}
}
