package search

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/testscript"
)

// TestLinkedLikeGit compares what glob finds with what git lists where .git is a file: in linked
// worktrees, by absolute and by relative paths, in a submodule, and where the repository lies
// elsewhere. The exclude file that counts is that of the repository, if it is inside the root.
func TestLinkedLikeGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git to compare with")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(at string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always", "-c",
			"core.excludesFile="}, args...)...)
		cmd.Dir = filepath.Join(dir, at)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	write := func(name, content string) {
		t.Helper()
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const exclude = "skip*.txt\n!skip-not.txt\n/top.txt\nout/\nsub/deep.txt\n"
	git(".", "init", "-q", "m")
	write("m/a.txt", "a\n")
	git("m", "add", "a.txt")
	git("m", "commit", "-qm", "1")
	write("m/.git/info/exclude", exclude)
	git("m", "worktree", "add", "-q", "../wt", "-b", "w")
	git("m", "worktree", "add", "-q", "../deep/wt2", "-b", "w2")
	write("deep/wt2/.git", "gitdir: ../../m/.git/worktrees/wt2\r\n\n")
	os.Mkdir(filepath.Join(dir, "store"), 0o777)
	git(".", "init", "-q", "--separate-git-dir", filepath.Join(dir, "store/x.git"), "far")
	write("store/x.git/info/exclude", "far.txt\n*.log\n")
	git(".", "init", "-q", "super")
	git("super", "submodule", "--quiet", "add", filepath.Join(dir, "m"), "mod")
	write("super/.git/modules/mod/info/exclude", "mod*.txt\n")
	repositories := []string{"m", "wt", "deep/wt2", "far", "super/mod"}
	for _, repository := range repositories {
		for _, name := range []string{"skip.txt", "skip-not.txt", "top.txt", "sub/top.txt", "sub/deep.txt", "out/x", "keep.txt", "far.txt",
			"x.log", "mod1.txt", "sub/mod.txt"} {
			write(repository+"/"+name, "x\n")
		}
	}
	find := func(root, path string) []string {
		var answer struct {
			Result struct{ Files []string }
		}
		var out, errs bytes.Buffer
		status := testscript.RunHere([]string{"-C", root, "glob", "**", "--path", path, "--limit", "1000"}, strings.NewReader(""), &out, &errs)
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil || status != 0 {
			t.Fatalf("%v: %s %s", err, &out, &errs)
		}
		return answer.Result.Files
	}
	left := 0
	for _, repository := range repositories {
		all := strings.Fields(git(repository, "ls-files", "--cached", "--others", "--exclude-standard"))
		slices.Sort(all)
		var got []string
		for _, name := range find(dir, repository) {
			got = append(got, strings.TrimPrefix(name, repository+"/"))
		}
		slices.Sort(got)
		left += 12 - len(got)
		if !slices.Equal(got, all) {
			t.Errorf("%s:\n%q, git\n%q", repository, got, all)
		}
	}
	if left < 15 {
		t.Errorf("%d files omitted: the trees don't show it", left)
	}
	if found := find(filepath.Join(dir, "wt"), "."); !slices.Contains(found, "skip.txt") {
		t.Errorf("an exclude file outside the root counts: %q", found)
	}
	for _, odd := range []string{"gitdir: ", "gitdir:", "gitdir: ../none", "gitdir: /", "gitdir: ..", "gitdir: ../../..", "x", "gitdir: .git",
		strings.Repeat("x", 1<<20), "gitdir: ../m/.git/worktrees/wt" + strings.Repeat("/.", 8<<10) + "/none"} {
		write("wt/.git", odd)
		if found := find(dir, "wt"); !slices.Contains(found, "wt/skip.txt") {
			t.Errorf("%.20q: %q", odd, found)
		}
	}
}
