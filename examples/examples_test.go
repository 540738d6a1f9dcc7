// Package examples tests the examples: each runs with a binary built from this repository, in a
// workspace of its own.
package examples

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	_ "fsbox/commands" // what is built and run here: so that go test keeps no result of an older program
)

// TestMain builds fsbox and the example in Go, and puts them first on the PATH.
func TestMain(m *testing.M) { os.Exit(withProgram(m)) }

func withProgram(m *testing.M) int {
	if _, err := exec.LookPath("go"); err != nil {
		fmt.Println("all skipped: no go command builds the examples here")
		return 0
	}
	folder, err := os.MkdirTemp("", "fsbox-examples")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	os.Setenv("CGO_ENABLED", "0")
	for name, source := range map[string]string{"fsbox": "..", "go-example": "./go"} {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if out, err := exec.Command("go", "build", "-pgo=off", "-o", filepath.Join(folder, name), source).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
			return 1
		}
	}
	os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		os.Setenv(name, filepath.Join(folder, "home"))
	}
	os.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return m.Run()
}

// workspace makes a folder with the files, given as name and content.
func workspace(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(root, files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// run runs an example in a folder, and fails unless it ends well.
func run(t *testing.T, folder, name string, args ...string) (stdout string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is missing", name)
	}
	var errors strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = folder, &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, errors.String())
	}
	return string(out)
}

func wantFile(t *testing.T, root, name, want string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(root, name))
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
	}
}

func wantText(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTenLines(t *testing.T) {
	root := workspace(t)
	out := run(t, root, "python3", absolute(t, "python/ten_lines.py"))
	wantText(t, out, `created "notes.txt"`, "-two\n+2\n")
	wantFile(t, root, "notes.txt", "one\n2\n")
}

// The README shows the same lines.
func TestTenLinesInReadme(t *testing.T) {
	code, err := os.ReadFile("python/ten_lines.py")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(code), "\n") // without what it says of itself
	wantText(t, string(readme), "```python\n"+lines+"```")
}

func TestOneShot(t *testing.T) {
	t.Setenv("FSBOX_FORMAT", "text") // what a person likes to see; programs ask for what they read
	root := workspace(t, "a.txt", "old older\n", "sub/b.txt", "an old one\nold\n", "c.txt", "older\n")
	out := run(t, ".", "python3", "python/one_shot.py", root, "old", "new")
	wantText(t, out, `made 1 replacement in "a.txt"`, `made 2 replacements in "sub/b.txt"`)
	wantFile(t, root, "a.txt", "new older\n")
	wantFile(t, root, "sub/b.txt", "an new one\nnew\n")
	wantFile(t, root, "c.txt", "older\n")
}

func TestKeepOpen(t *testing.T) {
	t.Setenv("FSBOX_FORMAT", "text")
	root := workspace(t, "a.py", "import os\n", "b.py", "x = 1\ny = 2\nx = 1\n", "empty.py", "", "README.md", "text\n")
	out := run(t, ".", "python3", "python/keep_open.py", root)
	wantText(t, out, "a.py done\n", "b.py rewritten\n", "empty.py is empty\n", "not_found ['README.md']")
	wantFile(t, root, "a.py", "# Part of the demo.\nimport os\n")
	wantFile(t, root, "b.py", "# Part of the demo.\nx = 1\ny = 2\nx = 1\n")
	wantText(t, run(t, ".", "python3", "python/keep_open.py", root), "a.py has it\n", "b.py has it\n")
}

const greeting = "Helo, world!\n"

func TestOpenAILoop(t *testing.T) {
	root := workspace(t, "greeting.txt", greeting)
	wantText(t, run(t, ".", "python3", "python/openai_loop.py", root), "The greeting is fixed.")
	wantFile(t, root, "greeting.txt", "Hello, world!\n")
}

func TestAnthropicLoop(t *testing.T) {
	root := workspace(t, "greeting.txt", greeting)
	wantText(t, run(t, ".", "python3", "python/anthropic_loop.py", root), "The greeting is fixed.")
	wantFile(t, root, "greeting.txt", "Hello, world!\nSomebody else was here.\n")
}

func TestLangChainTools(t *testing.T) {
	root := workspace(t, "greeting.txt", greeting)
	wantText(t, run(t, ".", "python3", "python/langchain_tools.py", root), "-Helo, world!\n+Hello, world!\n")
	wantFile(t, root, "greeting.txt", "Hello, world!\n")
}

func TestNode(t *testing.T) {
	t.Setenv("FSBOX_FORMAT", "text")
	root := workspace(t, "a.go", "x := 1 // TODO: more\n", "src/b.js", "// TODO\n", "README.md", "text\n")
	want := "- a.go:1 x := 1 // TODO: more\n- src/b.js:1 // TODO\n"
	for range 2 { // the second time its list is there
		out := run(t, ".", "node", "node/todo.mjs", root)
		wantText(t, out, "README.md\nTODO.md\n", "not_found: ", `did you mean "TODO.md"?`)
		wantFile(t, root, "TODO.md", want)
	}
}

func TestGo(t *testing.T) {
	t.Setenv("FSBOX_FORMAT", "text")
	root := workspace(t, "a.go", "ioutil.ReadFile(x)\nioutil.ReadFile(y)\n", "b.go", "ioutil.ReadFile(z)\n", "c.txt", "ioutil.ReadFile\n")
	out := run(t, ".", "go-example", root)
	wantText(t, out, "a.go: 2\n", "b.go: 1\n", "+os.ReadFile(z)\n")
	wantFile(t, root, "a.go", "os.ReadFile(x)\nos.ReadFile(y)\n")
	wantFile(t, root, "b.go", "os.ReadFile(z)\n")
	wantFile(t, root, "c.txt", "ioutil.ReadFile\n")
}

func TestShell(t *testing.T) {
	root := workspace(t, "VERSION", "1.2\n", "doc/a b.md", "since 1.2, not 1.1\n", "other", "2.0\n")
	out := run(t, root, "sh", absolute(t, "shell/release.sh"), "1.2", "1.3")
	wantText(t, out, `made 1 replacement in "VERSION"`, "+since 1.3, not 1.1\n")
	wantFile(t, root, "VERSION", "1.3\n")
	wantFile(t, root, "doc/a b.md", "since 1.3, not 1.1\n")
	wantFile(t, root, "other", "2.0\n")
}

// Every command in what models are told works, one after the other, as it is written there.
func TestAdvice(t *testing.T) {
	for _, name := range []string{"skill/SKILL.md", "AGENTS.md"} {
		root := workspace(t, "src/app.py", "def greet():\n    return \"Helo\"\n\n# TODO: greet(name)\n")
		blocks := commands(t, name)
		if len(blocks) == 0 {
			t.Errorf("%s has no commands", name)
		}
		for _, block := range blocks {
			out := run(t, root, "sh", "-e", "-c", block)
			if out == "" || strings.Contains(out, `"success":false`) {
				t.Errorf("%s: %s\n%s", name, block, out)
			}
		}
		want := "def welcome():\n    return \"Hello!\"\n\n# TODO: welcome(name)\n"
		if name == "AGENTS.md" {
			want = "def greet():\n    return \"Helo\"\n\n# TODO: greet(name)\n"
		}
		wantFile(t, root, "src/app.py", want)
	}
}

// commands are the blocks of shell in a Markdown file.
func commands(t *testing.T, name string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

// clientConfig is what the configuration files of MCP clients hold, each under its own key.
type clientConfig struct {
	McpServers, Servers, Mcp map[string]clientEntry
	ContextServers           map[string]clientEntry `json:"context_servers"`
}

type clientEntry struct {
	Type, Source string
	Command      any // a program, or in opencode.json a program and its arguments
	Args         []string
	Enabled      *bool
}

// The command of each client's configuration starts a server in the project, which says what it
// has.
func TestClientConfigs(t *testing.T) {
	files, err := filepath.Glob("mcp/*.json")
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c clientConfig
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&c); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, servers := range []map[string]clientEntry{c.McpServers, c.Servers, c.Mcp, c.ContextServers} {
			if e, ok := servers["fsbox"]; ok {
				startServer(t, file, e.line())
			}
		}
	}
}

// Codex reads TOML, of which its file needs no more than JSON has.
func TestCodexConfig(t *testing.T) {
	text, err := os.ReadFile("mcp/codex.config.toml")
	if err != nil {
		t.Fatal(err)
	}
	var e clientEntry
	for line := range strings.Lines(strings.TrimPrefix(string(text), "[mcp_servers.fsbox]\n")) {
		key, value, _ := strings.Cut(line, " = ")
		if err := json.Unmarshal([]byte(`{"`+key+`":`+value+`}`), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	startServer(t, "mcp/codex.config.toml", e.line())
}

// line is the whole command line of an entry.
func (e clientEntry) line() []string {
	var line []string
	switch command := e.Command.(type) {
	case string:
		line = append(line, command)
	case []any:
		for _, word := range command {
			line = append(line, fmt.Sprint(word))
		}
	}
	return append(line, e.Args...)
}

// startServer runs a command line in a project as a client does: with the project's folder for its
// placeholders.
func startServer(t *testing.T, file string, line []string) {
	t.Helper()
	root := workspace(t, "file.txt", "text\n")
	if len(line) == 0 || line[0] != "fsbox" {
		t.Fatalf("%s doesn't start fsbox: %q", file, line)
	}
	for i := range line {
		line[i] = strings.NewReplacer("/path/to/your/project", root, "${workspaceFolder}", root).Replace(line[i])
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = root
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read","arguments":{"path":"file.txt"}}}
`)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", file, err, out)
	}
	wantText(t, string(out), `"name":"edit"`, `"text":"text\n"`)
}
