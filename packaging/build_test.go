package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tagged is a repository with one commit, tagged v1.2.3, of the files of this one.
func tagged(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	folder := t.TempDir()
	listing := exec.Command("git", "ls-files", "-z", "--cached", "--", "*.go", "*.s", "search/walk/filetypes.txt",
		"commands/hint/*.txt", "go.mod", "go.sum", "LICENSE")
	listing.Dir = ".."
	out, err := listing.Output()
	if err != nil {
		t.Skipf("this is no clone: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join("..", name))
		if os.IsNotExist(err) {
			continue // removed, and that isn't committed yet
		} else if err != nil {
			t.Fatal(err)
		}
		if err := writeFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in(t, folder, "git", "init", "-q")
	in(t, folder, "git", "add", "-A")
	in(t, folder, "git", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "all")
	in(t, folder, "git", "tag", "v1.2.3")
	return folder
}

// in runs a command in a folder, under a name and at a time that are always the same.
func in(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", cmd, err, out, &stderr)
	}
	return string(out)
}

func binaryName() string {
	if runtime.GOOS == "windows" {
		return "fsbox.exe"
	}
	return "fsbox"
}

var sweep = flag.Bool("sweep", false, "also build twice, and install each package, as .ci/sweep does: about half a minute")

// Two builds of a commit, in two folders, are the same to the byte, and know their version.
func TestBuildIsReproducible(t *testing.T) {
	if !*sweep {
		t.Skip("takes long: -sweep")
	}
	var builds [2][]byte
	for i := range builds {
		folder := tagged(t)
		binary := filepath.Join(t.TempDir(), binaryName())
		in(t, folder, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", binary, ".")
		content, err := os.ReadFile(binary)
		if err != nil {
			t.Fatal(err)
		}
		builds[i] = content
		line := in(t, folder, binary, "--version")
		commit := strings.TrimSpace(in(t, folder, "git", "rev-parse", "HEAD"))
		if want := "1.2.3 (commit " + commit + ", 2026-01-02T03:04:05Z)\n"; line != want {
			t.Errorf("--version: %q, want %q", line, want)
		}
		answer := in(t, folder, binary, "check")
		if want := `"version":"1.2.3","commit":"` + commit + `","commit_time":"2026-01-02T03:04:05Z"`; !strings.Contains(answer, want) {
			t.Errorf("check lacks %s: %s", want, answer)
		}
	}
	if !bytes.Equal(builds[0], builds[1]) {
		t.Error("two builds of one commit differ")
	}
}
