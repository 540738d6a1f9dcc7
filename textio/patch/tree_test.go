package patch

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// testFile is a file of a tree held in memory.
type testFile struct {
	data string
	exec bool
}

// testTree is files by path, "/" between components.
type testTree map[string]testFile

func testNames() []string {
	return []string{
		"plain.txt", "dir/deep/er.go", "with space", "dir/two  spaces.md", "ünï.txt", "quote\"d", "tab\there", "back\\slash",
		"a/x", "b/x", "a/a/x", "w/i/c", " leading", "trailing ", "-dash", "new\nline", "a b/a b", "x\xffy", "#hash", "dev/null",
		"x.orig", "1", "--- a", "a/b/c/d",
	}
}

// testLines is text of few different lines, so that context is often repeated.
func testLines(r *rand.Rand, lines int) string {
	words := []string{"", "a", "b", "}", "\treturn nil", "-- x", "++ y", "@@ -1 +1 @@", " lead", "é", "\xe9", "tail ", `\ No newline`}
	ending := []string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)]
	mixed := r.IntN(8) == 0
	var b strings.Builder
	for i := range lines {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "unique %d", r.IntN(1000))
		} else {
			b.WriteString(words[r.IntN(len(words))])
		}
		if i == lines-1 && r.IntN(3) == 0 {
			break
		}
		if mixed && r.IntN(2) == 0 {
			b.WriteString("\r\n")
		} else {
			b.WriteString(ending)
		}
	}
	return b.String()
}

// mutateLines inserts, deletes, replaces and repeats a few lines.
func mutateLines(r *rand.Rand, text string, changes int) string {
	lines := slices.Collect(strings.Lines(text))
	for range changes {
		at := r.IntN(len(lines) + 1)
		switch end := min(len(lines), at+r.IntN(3)); r.IntN(5) {
		case 0:
			lines = slices.Insert(lines, at, slices.Collect(strings.Lines(testLines(r, 1+r.IntN(4))))...)
		case 1:
			lines = slices.Delete(lines, at, end)
		case 2:
			lines = slices.Insert(lines, at, slices.Clone(lines[at:end])...)
		case 3:
			if at < len(lines) {
				lines[at] = fmt.Sprintf("changed %d\n", r.IntN(100))
			}
		case 4:
			if n := len(lines); n > 0 && at == n {
				lines[n-1] = strings.TrimRight(lines[n-1], "\r\n")
			}
		}
	}
	for i, line := range lines { // a line end may be missing at the end only
		if i < len(lines)-1 && !strings.HasSuffix(line, "\n") {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

func randomTree(r *rand.Rand, files int) testTree {
	tree := testTree{}
	for _, i := range r.Perm(len(testNames()))[:files] {
		lines := r.IntN(40)
		if r.IntN(6) == 0 {
			lines = 0
		}
		tree.put(testNames()[i], testFile{testLines(r, lines), r.IntN(4) == 0})
	}
	return tree
}

// put adds a file unless its path is a folder of another, or the reverse.
func (tree testTree) put(path string, file testFile) {
	for other := range tree {
		if strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			return
		}
	}
	tree[path] = file
}

// mutateTree edits, adds, deletes, renames, and changes modes.
func mutateTree(r *rand.Rand, tree testTree) testTree {
	out := maps.Clone(tree)
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		file := tree[path]
		switch r.IntN(10) {
		case 0:
			delete(out, path)
		case 1:
			delete(out, path)
			out.put(path+".moved", testFile{mutateLines(r, file.data, r.IntN(3)), file.exec})
		case 2:
			out[path] = testFile{file.data, !file.exec}
		case 3:
		default:
			out[path] = testFile{mutateLines(r, file.data, 1+r.IntN(4)), file.exec != (r.IntN(8) == 0)}
		}
	}
	for range r.IntN(3) {
		out.put(testNames()[r.IntN(len(testNames()))]+".new", testFile{testLines(r, r.IntN(10)), r.IntN(3) == 0})
	}
	return out
}

// apply applies a patch: every part reads the files as they were, as git does.
func (tree testTree) apply(patch *Patch) (testTree, error) {
	out := maps.Clone(tree)
	for i := range patch.Files {
		delete(out, patch.Files[i].source())
	}
	for i := range patch.Files {
		f := &patch.Files[i]
		old, exists := tree[f.source()]
		if exists == (f.Action == Add) {
			return nil, fmt.Errorf("%s %q: exists is %v", f.Action, f.Path, exists)
		}
		data, results, err := f.Apply(context.Background(), []byte(old.data), Options{})
		if err != nil {
			return nil, fmt.Errorf("%q: %w", f.Path, err)
		}
		if len(results) != len(f.Hunks) {
			return nil, fmt.Errorf("%q: %d results for %d hunks", f.Path, len(results), len(f.Hunks))
		}
		if f.Action == Delete {
			continue
		}
		if f.NewMode != 0 && f.OldMode != f.NewMode {
			old.exec = f.NewMode&0o100 != 0
		}
		out[f.Path] = testFile{string(data), old.exec}
	}
	return out, nil
}

func (f *File) source() string {
	if f.From != "" {
		return f.From
	}
	return f.Path
}

// write puts the tree into an empty folder.
func (tree testTree) write(t *testing.T, dir string) {
	t.Helper()
	for path, file := range tree {
		name := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if file.exec {
			mode = 0o755
		}
		if err := os.WriteFile(name, []byte(file.data), mode); err != nil {
			t.Fatal(err)
		}
	}
}

// readTree reads a folder back.
func readTree(t *testing.T, dir string) testTree {
	t.Helper()
	tree := testTree{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		path, err := filepath.Rel(dir, name)
		tree[filepath.ToSlash(path)] = testFile{string(data), info.Mode()&0o100 != 0}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// gitRun runs git without anybody's settings and returns its output.
func gitRun(dir string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %v: %w: %s", args, err, stderr.Bytes())
	}
	return out.Bytes(), nil
}

// needGit skips the test where there is no git, or no POSIX names and modes.
func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	if os.PathSeparator != '/' {
		t.Skip("needs file names that only POSIX systems take")
	}
}

// gitDiff has git compare two trees.
func gitDiff(t *testing.T, before, after testTree, flags ...string) []byte {
	t.Helper()
	repo := t.TempDir()
	git := func(args ...string) []byte {
		out, err := gitRun(repo, nil, args...)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.TrimSpace(out)
	}
	git("init", "-q")
	var trees []string
	for _, tree := range []testTree{before, after} {
		clearTree(t, repo)
		tree.write(t, repo)
		git("-c", "core.autocrlf=false", "add", "-A", "-f")
		trees = append(trees, string(git("write-tree")))
	}
	out, err := gitRun(repo, nil, slices.Concat([]string{"diff-tree", "-r", "-p", "--text"}, flags, trees)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func clearTree(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == ".git" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// gitApplyTree has git apply a patch to a tree.
func gitApplyTree(t *testing.T, tree testTree, patch []byte, flags ...string) (testTree, error) {
	t.Helper()
	dir := t.TempDir()
	tree.write(t, dir)
	if _, err := gitRun(dir, patch, slices.Concat([]string{"apply", "--whitespace=nowarn"}, flags, []string{"-"})...); err != nil {
		return nil, err
	}
	return readTree(t, dir), nil
}
