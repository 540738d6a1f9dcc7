package main

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// installation is fsbox as one way to install it leaves it.
type installation struct {
	program    string
	completion string // the script for bash
	man        string // folder with manual pages, or the page itself
}

// use does what a person does who has installed fsbox and reads on: the version, a first session,
// completion in bash, the manual page.
func (i installation) use(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("FSBOX_STATE_DIR", t.TempDir())
	t.Setenv("FSBOX_FORMAT", "text")
	if err := writeFile(filepath.Join(folder, "src", "main.go"), []byte("hello, wrold\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, step := range [...]struct {
		args   string
		shows  string
		status int
	}{
		{"--version", "1.2.3 (commit ", 0},
		{"grep wrold", "src/main.go\n1:hello, wrold\n", 0},
		{"read src/mian.go", `did you mean "src/main.go"?`, 1},
		{"edit src/main.go --expected-text wrold --replacement-text world", "writes_disabled: ", 1},
		{"edit src/main.go --expected-text wrold --replacement-text world --allow-write", "made 1 replacement", 0},
		{"undo --allow-write", "undid edit", 0},
		{"read src/main.go", "hello, wrold\n", 0},
		{"raed", `did you mean "read"?`, 2},
	} {
		cmd := exec.Command(i.program, strings.Fields(step.args)...)
		cmd.Dir = folder
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != step.status || !strings.Contains(string(out), step.shows) {
			t.Errorf("%s %s: %v\n%s", i.program, step.args, err, out)
		}
	}
	i.completes(t)
	i.showsManual(t)
}

func (i installation) completes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Log("bash is not installed: completion is not tried")
		return
	}
	script := `source "$1"; COMP_WORDS=(fsbox gr) COMP_CWORD=1; _fsbox; echo "${COMPREPLY[@]}"`
	out, err := exec.Command("bash", "-c", script, "bash", i.completion).CombinedOutput()
	if err != nil || string(out) != "grep\n" {
		t.Errorf("completion of gr: %v, %q", err, out)
	}
}

func (i installation) showsManual(t *testing.T) {
	if _, err := exec.LookPath("man"); err != nil {
		t.Log("man is not installed: the page is not looked at")
		return
	}
	page := "fsbox"
	if info, err := os.Stat(i.man); err != nil || !info.IsDir() {
		page = i.man
	} else {
		t.Setenv("MANPATH", i.man)
	}
	out, err := exec.Command("man", "-P", "cat", page).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "fsbox - file tools inside one workspace directory") {
		t.Errorf("man %s: %v, %.300q", page, err, out)
	}
}

// archive packs a binary as goreleaser.yaml has it.
func archive(t *testing.T, binary string) []byte {
	t.Helper()
	entries := []entry{{path.Base(binary), content(t, binary), true}}
	for _, item := range releaseConfig(t)["archives"].([]any)[0].(map[string]any)["files"].([]any) {
		file := item.(map[string]any)
		source := file["src"].(string)
		folder, moved := file["dst"].(string)
		if !moved {
			folder = path.Dir(source)
		}
		for _, name := range files(t, "..", source) {
			entries = append(entries, entry{path.Join(folder, path.Base(name)), content(t, filepath.Join("..", name)), false})
		}
	}
	packed, err := tarred(entries)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// archiveSession unpacks an archive and uses it where it lies.
func archiveSession(t *testing.T, to string) {
	if _, err := exec.LookPath("tar"); err != nil {
		t.Skip("tar is not installed")
	}
	unpacked := t.TempDir()
	cmd := exec.Command("tar", "-xzf", "-")
	cmd.Dir, cmd.Stdin = unpacked, bytes.NewReader(content(t, filepath.Join(to, "archive", "fsbox.tar.gz")))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	at := func(name string) string { return filepath.Join(unpacked, filepath.FromSlash(name)) }
	installation{program: at(binaryName()), completion: at("completions/fsbox.bash"), man: at("man/fsbox.1")}.use(t)
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "completions/_fsbox", "completions/fsbox.fish"} {
		if len(content(t, at(name))) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
}
