package patch

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// treeFile is a file, or a folder: one without content.
type treeFile struct {
	data string
	mode fs.FileMode
}

// fileTree is what lies below a folder, by path with "/" between names.
type fileTree map[string]treeFile

// treeNames are paths that diffs quote, or that look like a part of one.
func treeNames() []string {
	return []string{
		"main.go", "src/deep/er/x.c", "with blank", "two  blanks/in a row", "é/ü.txt", `quo"te`, "tab\tname", `back\slash`, "a/a.txt", "b/a.txt",
		" first", "last ", "-rf", "line\nbreak", "not\xffutf-8", "dev/null", "+++ b", "a/b/a/b", "empty", "[x]{y}.txt", "CON.txt",
	}
}

// treeText is text of few different lines, so that context comes again and again.
func treeText(r *rand.Rand, lines int) string {
	words := []string{"", "x", "}", "\treturn err", "--- x", "+++ x", "@@ -1 +1 @@", "é", "\xe9", " y ", `\ No newline at end of file`}
	ending, mixed := "\n", r.IntN(10) == 0
	if r.IntN(4) == 0 {
		ending = "\r\n"
	}
	var b strings.Builder
	for i := range lines {
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "line %d", r.IntN(10_000))
		} else {
			b.WriteString(words[r.IntN(len(words))])
		}
		switch {
		case i == lines-1 && r.IntN(3) == 0: // no final newline
		case mixed && r.IntN(2) == 0:
			b.WriteString("\r\n")
		default:
			b.WriteString(ending)
		}
	}
	return b.String()
}

// editText changes, inserts, takes out and repeats lines, and the newline at the end.
func editText(r *rand.Rand, text string, changes int) string {
	lines := slices.Collect(strings.Lines(text))
	for range changes {
		at := r.IntN(len(lines) + 1)
		end := min(len(lines), at+1+r.IntN(3))
		switch r.IntN(5) {
		case 0:
			lines = slices.Insert(lines, at, slices.Collect(strings.Lines(treeText(r, 1+r.IntN(4))))...)
		case 1:
			lines = slices.Delete(lines, at, end)
		case 2:
			lines = slices.Insert(lines, at, slices.Clone(lines[at:end])...)
		case 3:
			if at < len(lines) {
				lines[at] = fmt.Sprintf("changed %d\n", r.IntN(1000))
			}
		case 4:
			if n := len(lines); n > 0 && strings.TrimRight(lines[n-1], "\r\n") != "" {
				lines[n-1] = strings.TrimRight(lines[n-1], "\r\n")
			}
		}
	}
	return joinLines(lines)
}

// joinLines puts lines together; only the last may lack its end.
func joinLines(lines []string) string {
	for i := range lines[:max(0, len(lines)-1)] {
		if !strings.HasSuffix(lines[i], "\n") {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

func randomTree(r *rand.Rand, files int) fileTree {
	tree := fileTree{}
	for _, i := range r.Perm(len(treeNames()))[:files] {
		tree.put(treeNames()[i], treeFile{treeText(r, r.IntN(40)*min(1, r.IntN(6))), []fs.FileMode{0o644, 0o644, 0o755}[r.IntN(3)]})
	}
	return tree
}

// put adds a file, unless a folder needs the name or a file has that of one of its folders.
func (tree fileTree) put(path string, file treeFile) {
	for other := range tree {
		if other == path || strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/") {
			return
		}
	}
	tree[path] = file
}

// change gives another tree: edits, files that go, come, move, change their names with each other,
// modes.
func (tree fileTree) change(r *rand.Rand) fileTree {
	out := maps.Clone(tree)
	paths := slices.Sorted(maps.Keys(tree))
	for _, path := range paths {
		file := tree[path]
		switch r.IntN(10) {
		case 0:
			delete(out, path)
		case 1:
			delete(out, path)
			out.put([]string{path + ".moved", "moved/" + path}[r.IntN(2)], treeFile{editText(r, file.data, r.IntN(3)), file.mode})
		case 2:
			out[path] = treeFile{file.data, file.mode ^ 0o111}
		case 3: // stays
		case 4:
			out[path] = treeFile{editText(r, file.data, 1+r.IntN(4)), file.mode ^ 0o111}
		default:
			out[path] = treeFile{editText(r, file.data, 1+r.IntN(4)), file.mode}
		}
	}
	if a, b := paths[r.IntN(len(paths))], paths[r.IntN(len(paths))]; r.IntN(6) == 0 {
		out[a], out[b] = tree[b], tree[a]
	}
	for range r.IntN(3) {
		out.put(treeNames()[r.IntN(len(treeNames()))]+".new", treeFile{treeText(r, r.IntN(10)), []fs.FileMode{0o644, 0o755}[r.IntN(2)]})
	}
	return out
}

// drift gives a tree that somebody has worked on since: most often a few lines inserted somewhere,
// so that hunks must be looked for; else anything.
func (tree fileTree) drift(r *rand.Rand, other fileTree) fileTree {
	out := maps.Clone(tree)
	paths := slices.Sorted(maps.Keys(tree))
	for range 1 + r.IntN(2) {
		path := paths[r.IntN(len(paths))]
		file, there := out[path]
		switch kind := r.IntN(15); {
		case !there:
		case kind < 12:
			lines := slices.Collect(strings.Lines(file.data))
			at := []int{0, 0, r.IntN(len(lines) + 1)}[r.IntN(3)]
			for range 1 + r.IntN(9) {
				lines = slices.Insert(lines, at, fmt.Sprintf("drifted %d\n", r.IntN(10_000)))
			}
			out[path] = treeFile{joinLines(lines), file.mode}
		case kind == 12:
			out[path] = treeFile{editText(r, file.data, 1+r.IntN(3)), file.mode}
		case kind == 13:
			delete(out, path)
		default: // patched before
			if now, stays := other[path]; stays {
				out[path] = now
			}
		}
	}
	return out
}

// write makes the files below a folder, and nothing else there.
func (tree fileTree) write(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, file := range tree {
		name := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(file.data), file.mode); err != nil {
			t.Fatal(err)
		}
	}
}

// readTree reads everything below a folder back, folders too.
func readTree(t *testing.T, dir string) fileTree {
	t.Helper()
	tree := fileTree{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		file := treeFile{mode: info.Mode()}
		if !d.IsDir() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			file.data = string(data)
		}
		path, err := filepath.Rel(dir, name)
		tree[filepath.ToSlash(path)] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// files is the tree without its folders.
func (tree fileTree) files() fileTree {
	out := maps.Clone(tree)
	maps.DeleteFunc(out, func(_ string, file treeFile) bool { return file.mode.IsDir() })
	return out
}

// plain is the tree as git knows it: no folders, and of the modes only whether the owner may
// execute.
func (tree fileTree) plain() fileTree {
	out := tree.files()
	for path, file := range out {
		out[path] = treeFile{file.data, file.mode & 0o100}
	}
	return out
}

// difference tells the first file in which two trees differ, "" if they are the same.
func (tree fileTree) difference(want fileTree) string {
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got, there := tree[path]; got != want[path] || !there {
			return fmt.Sprintf("%q is %q, %v\nwant %q, %v", path, got.data, got.mode, want[path].data, want[path].mode)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		if _, there := want[path]; !there {
			return fmt.Sprintf("%q should not be there", path)
		}
	}
	return ""
}

// needGit skips a test where there is no git, or where names and modes are not those of a POSIX
// system.
func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs file names that other systems refuse")
	}
}

// git runs git in a folder, without anybody's settings, and returns what it prints.
func git(dir string, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "LC_ALL=C",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %q: %w: %s", args, err, errs.Bytes())
	}
	return out.Bytes(), nil
}

// importTrees makes a repository of one branch for each tree, t0, t1 and so on.
func importTrees(t *testing.T, trees []fileTree) (repo string) {
	t.Helper()
	var b bytes.Buffer
	for i, tree := range trees {
		fmt.Fprintf(&b, "commit refs/heads/t%d\ncommitter a <a> 0 +0000\ndata 0\ndeleteall\n", i)
		for _, path := range slices.Sorted(maps.Keys(tree)) {
			file := tree[path]
			fmt.Fprintf(&b, "M 100%o inline \"%s\"\ndata %d\n%s\n", file.mode, gitQuote(path), len(file.data), file.data)
		}
	}
	repo = t.TempDir()
	if _, err := git(repo, nil, "init", "-q", "--bare"); err != nil {
		t.Fatal(err)
	}
	if _, err := git(repo, b.Bytes(), "fast-import", "--quiet"); err != nil {
		t.Fatal(err)
	}
	return repo
}

func gitQuote(path string) string {
	return strings.NewReplacer("\\", "\\\\", "\"", "\\\"", "\n", "\\n").Replace(path)
}
