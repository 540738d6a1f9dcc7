package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	historyModules = flag.String("history", "",
		"Go modules to download and patch from version to version, such as golang.org/x/text,github.com/alecthomas/kong")
	historyLength = flag.Int("history-versions", 10, "how many of the newest versions of each")
)

// TestPatchHistory takes the versions of Go modules, in order, and brings each to the next with
// what git diff says of the two. Binary files are left out of the patches and copied.
func TestPatchHistory(t *testing.T) {
	if *historyModules == "" {
		t.Skip("needs a network: name modules with -history")
	}
	needGit(t)
	for module := range strings.SplitSeq(*historyModules, ",") {
		t.Run(module, func(t *testing.T) {
			h := newHistory(t)
			var sum patchedSum
			versions := moduleVersions(t, module, *historyLength)
			for _, dir := range versions {
				sum.add(h.step(t, dir))
			}
			t.Logf("%d versions: %+v", len(versions), sum)
			if sum.patches == 0 {
				t.Error("nothing was patched")
			}
		})
	}
}

// patchedSum is what a history came to.
type patchedSum struct{ patches, files, hunks, bytes, binary int }

func (s *patchedSum) add(one patchedSum) {
	s.patches += one.patches
	s.files += one.files
	s.hunks += one.hunks
	s.bytes += one.bytes
	s.binary += one.binary
}

// moduleVersions downloads the newest versions that the proxy has and gives their folders, oldest
// first.
func moduleVersions(t *testing.T, module string, n int) (dirs []string) {
	t.Helper()
	work := t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "go.mod"), []byte("module history\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	goTool := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		return cmd.Output()
	}
	list, err := goTool("list", "-m", "-versions", module)
	if err != nil {
		t.Fatalf("%s: %v", module, err)
	}
	versions := strings.Fields(string(list))[1:]
	for _, version := range slices.Backward(versions) {
		if len(dirs) == n {
			break
		}
		var found struct{ Dir string }
		out, err := goTool("mod", "download", "-json", module+"@"+version)
		if err := errors.Join(err, json.Unmarshal(out, &found)); err != nil || found.Dir == "" {
			t.Logf("%s@%s can't be had: %v", module, version, err)
			continue
		}
		dirs = append(dirs, found.Dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// history is a workspace that goes from version to version, and the repository that compares them.
type history struct {
	patchWorkspace
	repo, tree string // tree is the object name of the version that the workspace has
}

func newHistory(t *testing.T) *history {
	h := &history{patchWorkspace: newWorkspace(t), repo: t.TempDir()}
	if _, err := git(h.repo, nil, "init", "-q", "--bare"); err != nil {
		t.Fatal(err)
	}
	attributes := "* -text -filter -ident !diff\n" // whatever the module's own .gitattributes say
	if err := os.MkdirAll(filepath.Join(h.repo, "info"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.repo, "info", "attributes"), []byte(attributes), 0o666); err != nil {
		t.Fatal(err)
	}
	return h
}

// step brings the workspace to the version in a folder; the first one is copied.
func (h *history) step(t *testing.T, dir string) (sum patchedSum) {
	t.Helper()
	want := readTree(t, dir).files()
	for path, file := range want { // the module cache is write-protected
		want[path] = treeFile{file.data, 0o644}
	}
	before := h.tree
	h.tree = h.store(t, dir)
	switch before {
	case "":
		want.write(t, h.root)
		return sum
	case h.tree:
		return sum
	}
	patch, binary := h.diff(t, before, h.tree)
	old := readTree(t, h.root)
	a := h.run(t, patch, "--no-default-deny", "--max-write-bytes", "256MiB", "--max-read-bytes", "256MiB", "patch", "--patch-file", "-")
	if !a.Success {
		t.Fatalf("%s: %s: %s: %+v", dir, a.Error, a.Message, a.Details)
	}
	if err := h.undoTwice(t, old, readTree(t, h.root)); err != nil {
		t.Errorf("%s: %v", dir, err)
	}
	h.copyBinary(t, want, binary)
	if d := readTree(t, h.root).files().difference(want); d != "" {
		t.Errorf("%s: %.500s", dir, d)
	}
	sum = patchedSum{patches: 1, files: len(a.Result.Files), bytes: len(patch), binary: len(binary)}
	for _, f := range a.Result.Files {
		sum.hunks += len(f.Hunks)
	}
	return sum
}

// store puts a folder into the repository.
func (h *history) store(t *testing.T, dir string) (tree string) {
	t.Helper()
	if _, err := git(h.repo, nil, "--work-tree", dir, "add", "-A", "-f", "."); err != nil {
		t.Fatal(err)
	}
	out, err := git(h.repo, nil, "write-tree")
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(out))
}

// diff gives the patch between two trees, and the files that it leaves out.
func (h *history) diff(t *testing.T, from, to string) (patch []byte, binary []string) {
	t.Helper()
	counts, err := git(h.repo, nil, "diff-tree", "-r", "-z", "--numstat", from, to)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"diff-tree", "-r", "-p", "-M", from, to, "--", "."}
	for line := range strings.SplitSeq(string(counts), "\x00") {
		if path, found := strings.CutPrefix(line, "-\t-\t"); found {
			binary = append(binary, path)
			args = append(args, ":(exclude,literal)"+path)
		}
	}
	if patch, err = git(h.repo, nil, args...); err != nil {
		t.Fatal(err)
	}
	return patch, binary
}

// copyBinary brings the files that the patch left out to the wanted version.
func (h *history) copyBinary(t *testing.T, want fileTree, paths []string) {
	t.Helper()
	have := readTree(t, h.root).files()
	for _, path := range paths {
		delete(have, path)
		if file, there := want[path]; there {
			have[path] = file
		}
	}
	for path, file := range maps.Clone(have) {
		have[path] = treeFile{file.data, file.mode.Perm()}
	}
	if len(paths) > 0 {
		have.write(t, h.root)
	}
}
