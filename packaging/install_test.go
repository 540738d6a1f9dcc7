package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	_ "fsbox/commands" // what is built and run here: so that go test keeps no result of an older program
)

// packages makes all packages from a binary of this system, and gives their folder.
func packages(t *testing.T) string {
	t.Helper()
	from, to := t.TempDir(), t.TempDir()
	binary := filepath.Join(from, "fsbox_"+runtime.GOOS+"_"+runtime.GOARCH+"_v1", binaryName())
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags",
		"-s -w -X fsbox/commands/version.buildVersion=1.2.3 -X fsbox/commands/version.buildCommit=0123456", "-o", binary, "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r := release{version: "1.2.3", top: "..", from: from, owner: "fsbox", url: "https://example.org/files"}
	if err := makePackages(r, to); err != nil {
		t.Fatal(err)
	}
	again := t.TempDir()
	if err := makePackages(r, again); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, to, "*/*") {
		if !bytes.Equal(content(t, filepath.Join(to, name)), content(t, filepath.Join(again, name))) {
			t.Errorf("%s is another one each time", name)
		}
	}
	if err := writeFile(filepath.Join(to, "archive", "fsbox.tar.gz"), archive(t, binary), 0o644); err != nil {
		t.Fatal(err)
	}
	return to
}

func content(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// files are the names of what matches, at least one.
func files(t *testing.T, folder, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	for i := range found {
		if found[i], err = filepath.Rel(folder, found[i]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// session has the program write a file and search another by MCP, as a first session would. A
// client that doesn't wait for answers may get them in any order.
func session(t *testing.T, folder string, program []string, env ...string) {
	t.Helper()
	if err := writeFile(filepath.Join(folder, "b.txt"), []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	requests := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{"path":"a.txt","content":"hello\n"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"grep","arguments":{"query":"hello","glob":["b.txt"]}}}
`
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(requests)
	cmd.Env = append(os.Environ(), append(env, "FSBOX_STATE_DIR="+t.TempDir())...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `"version":"1.2.3"`) || !strings.Contains(string(out), `1:hello`) {
		t.Errorf("%q: %v\n%s%s", program, err, out, &stderr)
	}
	if text := content(t, filepath.Join(folder, "a.txt")); string(text) != "hello\n" {
		t.Errorf("a.txt has %q", text)
	}
}

// install runs a package manager, which must not need a network.
func install(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "npm_config_cache="+t.TempDir(), "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_ROOT_USER_ACTION=ignore")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}

// Each package is installed from its files, and serves a first session.
func TestPackages(t *testing.T) {
	if !*sweep {
		t.Skip("takes long: -sweep")
	}
	to := packages(t)
	t.Run("archive", func(t *testing.T) { archiveSession(t, to) })
	t.Run("npm", func(t *testing.T) { npmSession(t, to) })
	t.Run("pip", func(t *testing.T) { pipSession(t, to) })
	t.Run("bundle", func(t *testing.T) { bundleSession(t, to) })
	t.Run("registry", func(t *testing.T) { registryFile(t, to) })
}

// npmSession installs by npm, which puts the binary itself where the launcher was; then without
// scripts, where the launcher stays.
func npmSession(t *testing.T, to string) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed")
	}
	for _, scripts := range []string{"--foreground-scripts", "--ignore-scripts"} {
		folder, args := t.TempDir(), []string{"install", "--offline", "--no-audit", "--no-fund", scripts}
		for _, name := range files(t, to, "npm/*.tgz") {
			args = append(args, filepath.Join(to, name))
		}
		install(t, folder, "npm", args...)
		program := filepath.Join(folder, "node_modules", ".bin", "fsbox")
		session(t, folder, []string{"npx", "--no-install", "fsbox", "mcp"}, "FSBOX_ALLOW_WRITE=true")
		failed := exec.Command("npx", "--no-install", "fsbox", "read", "nosuch")
		failed.Dir = folder
		if out, err := failed.Output(); failed.ProcessState == nil || failed.ProcessState.ExitCode() != 1 ||
			!bytes.Contains(out, []byte("not_found")) {
			t.Errorf("%s: the exit status isn't handed on: %v: %s", scripts, err, out)
		}
		if runtime.GOOS == "windows" {
			continue
		}
		isLauncher := bytes.HasPrefix(content(t, program), []byte("#!"))
		if isLauncher != (scripts == "--ignore-scripts") {
			t.Errorf("%s: a launcher is installed: %v", scripts, isLauncher)
		}
		endsTogether(t, folder, program)
	}
	npmGlobal(t, to)
}

// endsTogether kills the server in ways that it can't notice. Nothing that it started may stay,
// though its input is open.
func endsTogether(t *testing.T, folder, program string) {
	cmd := exec.Command(program, "mcp", "--root", folder)
	in, err := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if _, err := out.Read(make([]byte, 100)); err != nil { // all has started
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, out) // ends when nobody has the output any more
		ended <- err
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Errorf("%s: a process stays after a kill", program)
	}
	in.Close()
	_ = cmd.Wait() // it was killed
}

// npmGlobal installs for all folders, which brings the manual page. Completion is printed by the
// program.
func npmGlobal(t *testing.T, to string) {
	if runtime.GOOS == "windows" {
		return // npm has no folder of manual pages there
	}
	prefix := t.TempDir()
	for _, name := range files(t, to, "npm/*.tgz") {
		install(t, prefix, "npm", "install", "--global", "--prefix", prefix, "--offline", "--no-audit", "--no-fund", filepath.Join(to, name))
	}
	i := installation{program: filepath.Join(prefix, "bin", "fsbox"), completion: filepath.Join(prefix, "fsbox.bash"),
		man: filepath.Join(prefix, "share", "man")}
	script, err := exec.Command(i.program, "completion", "bash").Output()
	if err == nil {
		err = writeFile(i.completion, script, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	i.use(t)
}

func pipSession(t *testing.T, to string) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-m", "pip", "--version").Run() != nil {
		t.Skip("pip is not installed")
	}
	if found, _ := filepath.Glob(filepath.Join(to, "pip", "*.whl")); len(found) == 0 {
		t.Skip("there are no wheels for this system")
	}
	folder, target := t.TempDir(), t.TempDir()
	install(t, folder, python, "-m", "pip", "install", "--no-index", "--target", target, filepath.Join(to, files(t, to, "pip/*.whl")[0]))
	session(t, folder, []string{filepath.Join(target, "bin", binaryName()), "mcp"}, "FSBOX_ALLOW_WRITE=true")
	installation{program: filepath.Join(target, "bin", binaryName()), man: filepath.Join(target, "share", "man"),
		completion: filepath.Join(target, "share", "bash-completion", "completions", "fsbox")}.use(t)
}

// bundleSession does what a host does: it unpacks, asks the person, and runs the manifest's
// command.
func bundleSession(t *testing.T, to string) {
	unpacked, folder := t.TempDir(), t.TempDir()
	unzip(t, filepath.Join(to, files(t, to, "mcp/*.mcpb")[0]), unpacked)
	var manifest struct {
		Server struct {
			Config struct {
				Command string
				Args    []string
				Env     map[string]string
			} `json:"mcp_config"`
		}
	}
	if err := json.Unmarshal(content(t, filepath.Join(unpacked, "manifest.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("${__dirname}", unpacked, "${user_config.folder}", folder,
		"${user_config.allow_write}", "true", "${user_config.allow_delete}", "false").Replace
	program := []string{fill(manifest.Server.Config.Command)}
	for _, a := range manifest.Server.Config.Args {
		program = append(program, fill(a))
	}
	var env []string
	for name, value := range manifest.Server.Config.Env {
		env = append(env, name+"="+fill(value))
	}
	session(t, folder, program, env...)
}

func unzip(t *testing.T, name, to string) {
	t.Helper()
	r, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err == nil {
			err = writeFile(filepath.Join(to, filepath.FromSlash(f.Name)), text, f.Mode().Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The registry gets the names and versions that the packages have.
func registryFile(t *testing.T, to string) {
	var server struct {
		Name, Version, Description string
		Packages                   []struct{ RegistryType, Identifier, Version, FileSHA256 string }
	}
	if err := json.Unmarshal(content(t, filepath.Join(to, "mcp", "server.json")), &server); err != nil {
		t.Fatal(err)
	}
	if server.Name != "io.github.fsbox/fsbox" || server.Version != "1.2.3" || len(server.Description) > 100 {
		t.Errorf("%+v", server)
	}
	var kinds []string
	for _, p := range server.Packages {
		kinds = append(kinds, p.RegistryType)
		if p.RegistryType == "mcpb" && (len(p.FileSHA256) != 64 || !strings.HasPrefix(p.Identifier, "https://example.org/files/fsbox-1.2.3-")) {
			t.Errorf("%+v", p)
		}
	}
	if want := []string{"npm", "pypi", "mcpb"}; !slices.Equal(kinds, want) {
		t.Errorf("packages: %q, want %q", kinds, want)
	}
}

func TestVersions(t *testing.T) {
	for npm, python := range map[string]string{"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3rc1", "1.2.3-beta2": "1.2.3b2",
		"0.1.0-alpha.10": "0.1.0a10"} {
		if got := (release{version: npm}).pythonVersion(); got != python {
			t.Errorf("%s: %s, want %s", npm, got, python)
		}
	}
	for _, version := range []string{"", "1.2", "latest", "1.2.3-next", "1.2.3+dirty"} {
		if err := makePackages(release{version: version, from: t.TempDir()}, t.TempDir()); err == nil {
			t.Errorf("%q is taken for a version", version)
		}
	}
	if err := makePackages(release{version: "1.2.3", from: t.TempDir()}, t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "no binaries") {
		t.Errorf("a directory without binaries: %v", err)
	}
}
