// Package examples tests the examples: each runs with a binary built from this repository, in a
// workspace of its own.
package examples

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	_ "fsbox/commands" // what is built and run here: so that go test keeps no result of an older program
)

// TestMain builds fsbox and the example in Go, and puts them first on the PATH.
func TestMain(m *testing.M) { os.Exit(withProgram(m)) }

func withProgram(m *testing.M) int {
	if flag.Parse(); testing.Short() {
		return m.Run() // no test that is left starts a program
	}
	if run := flag.Lookup("test.run"); *update && run.Value.String() == "" {
		_ = run.Value.Set("^TestExamples$")
	}
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
	for name, source := range map[string]string{"fsbox": "..", "replace": "go"} { // the example in Go is a module of its own
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		build := exec.Command("go", "-C", source, "build", "-o", filepath.Join(folder, name), ".")
		if out, err := build.CombinedOutput(); err != nil {
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
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := workspace(t)
	out := run(t, root, "python3", absolute(t, "python/ten_lines.py"))
	wantText(t, out, `created "numbers.txt"`, "-two\n+2\n")
	wantFile(t, root, "numbers.txt", "one\n2\n")
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
	_, lines, _ := strings.Cut(string(code), "\"\"\"\n") // without what it says of itself
	wantText(t, string(readme), "```python title=\"ten_lines.py\"\n"+lines+"```")
}

// example is an example that runs as a program. It fills an empty folder itself.
type example struct {
	file, usage string            // how a person runs it, with WORKSPACE as the folder
	args        []string          // after the workspace
	prints      []string          // parts of what it prints
	leaves      map[string]string // files
}

var examples = []example{
	{"python/one_shot.py", "python3 one_shot.py WORKSPACE OLD NEW", []string{"old", "new"},
		[]string{`made 1 replacement in "a.txt"`, `made 2 replacements in "sub/b.txt"`},
		map[string]string{"a.txt": "new older\n", "sub/b.txt": "an new one\nnew\n", "c.txt": "older\n"}},
	{"python/keep_open.py", "python3 keep_open.py WORKSPACE", nil,
		[]string{"a.py done\n", "b.py rewritten\n", "empty.py is empty\n", "not_found ['README.md']"},
		map[string]string{"a.py": "# Part of the demo.\nimport os\n", "b.py": "# Part of the demo.\nx = 1\ny = 2\nx = 1\n"}},
	{"python/openai_loop.py", "python3 openai_loop.py WORKSPACE", nil, []string{"The greeting is fixed."},
		map[string]string{"greeting.txt": "Hello, world!\n"}},
	{"python/anthropic_loop.py", "python3 anthropic_loop.py WORKSPACE", nil, []string{"The greeting is fixed."},
		map[string]string{"greeting.txt": "Hello, world!\nSomebody else was here.\n"}},
	{"python/langchain_tools.py", "python3 langchain_tools.py WORKSPACE", nil, []string{"made 1 replacement", "continue with start_line 2"},
		map[string]string{"greeting.txt": "Hello, world!\nHow are you?\n"}},
	{"node/todo.mjs", "node todo.mjs WORKSPACE", nil, []string{"README.md\nTODO.md\n", "not_found: ", `did you mean "TODO.md"?`},
		map[string]string{"TODO.md": "- a.go:1 x := 1 // TODO: more\n- src/b.js:1 // TODO\n"}},
	{"go/main.go", "go run . WORKSPACE OLD NEW", []string{"ioutil.ReadFile", "os.ReadFile"},
		[]string{"a.go: 2\n", "b.go: 1\n", "+os.ReadFile(z)\n"},
		map[string]string{"a.go": "os.ReadFile(x)\nos.ReadFile(y)\n", "b.go": "os.ReadFile(z)\n"}},
	{"shell/release.sh", "sh release.sh WORKSPACE OLD NEW", []string{"1.2", "1.3"},
		[]string{"made 2 replacements in 2 files\nVERSION:1\ndoc/history.md:1\n"}, map[string]string{"VERSION": "1.3", "doc/history.md": "since 1.3"}},
}

// command is the example with its arguments, as it is run here.
func (e example) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	line := append([]string{strings.Fields(e.usage)[0], absolute(t, e.file)}, args...)
	if e.file == "go/main.go" {
		line = append([]string{"replace"}, args...)
	}
	if _, err := exec.LookPath(line[0]); err != nil {
		t.Skipf("%s is missing", line[0])
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = t.TempDir()
	return cmd
}

var update = flag.Bool("update", false, "write docs/examples.md anew, and do nothing else")

// recordHead is the beginning of docs/examples.md.
const recordHead = `# What do the examples print?

For anyone who looks for a starting point in their own language. A test runs each of [the examples](../examples/README.md) as shown,
in an empty directory, which the example fills; the first works in its current directory. If an example needs a model, a script takes its place.
`

// TestExamples runs each example in an empty folder, with a form of answers that programs don't
// expect, and in the folder that it leaves. docs/examples.md shows what they print.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	t.Setenv("FSBOX_FORMAT", "text") // what a person likes to see; programs ask for what they read
	record, all := recordHead, true
	shown := func(file, command, out string) string {
		return fmt.Sprintf("\n## %s\n\n```text\n$ %s\n%s\n```\n", file, command, strings.TrimRight(out, "\n"))
	}
	record += shown("python/ten_lines.py", "python3 ten_lines.py", run(t, workspace(t), "python3", absolute(t, "python/ten_lines.py")))
	for _, e := range examples {
		all = t.Run(e.file, func(t *testing.T) {
			cmd := e.command(t, append([]string{"demo"}, e.args...)...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			wantText(t, string(out), e.prints...)
			root := filepath.Join(cmd.Dir, "demo")
			for name, want := range e.leaves {
				wantFile(t, root, name, want)
			}
			program, _, _ := strings.Cut(e.usage, " WORKSPACE")
			record += shown(e.file, strings.Join(append([]string{program, "demo"}, e.args...), " "), string(out))
			again := e.command(t, append([]string{root}, e.args...)...)
			out, err = again.CombinedOutput()
			scripted := strings.Contains(string(out), "is not empty") // a model that knows one folder only
			if (err != nil) != scripted {
				t.Errorf("once more: %v\n%s", err, out)
			}
		}) && all
	}
	if *update && all {
		if err := os.WriteFile("../docs/examples.md", []byte(record), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	was, err := os.ReadFile("../docs/examples.md")
	whole := strings.Count(record, "\n## ") == 1+len(examples) // nothing was skipped
	if all && whole && (err != nil || strings.ReplaceAll(string(was), "\r\n", "\n") != record) {
		t.Errorf("docs/examples.md isn't what the examples print (%v); if that is meant: go test ./examples -run Examples -update", err)
	}
}

// TestUsage: without arguments an example says how it is run, and ends with
// status 2. A workspace that can't be used is status 1 and a reason.
func TestUsage(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, e := range examples {
		t.Run(e.file, func(t *testing.T) {
			cmd := e.command(t)
			out, _ := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), "usage: ") || !strings.Contains(string(out), " WORKSPACE") {
				t.Errorf("without arguments: status %d\n%s", cmd.ProcessState.ExitCode(), out)
			}
			taken := e.command(t, append([]string{"file"}, e.args...)...)
			if err := os.WriteFile(filepath.Join(taken.Dir, "file"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			out, _ = taken.CombinedOutput()
			if taken.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "not_a_directory") {
				t.Errorf("a file as workspace: status %d\n%s", taken.ProcessState.ExitCode(), out)
			}
		})
	}
}

// A program that could not begin has ended before the client writes to it. The client tells what it
// said.
func TestEndedBeforeTheCall(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := workspace(t, "file", "")
	script := "import sys; sys.path.insert(0, sys.argv[1])\nfrom fsbox import *\n" +
		"try:\n\twith Fsbox('file') as box:\n\t\tbox.process.wait()\n\t\tbox.call('ls')\n" +
		"except FsboxError as e:\n\tprint(e.code)\n"
	if got := run(t, root, "python3", "-c", script, absolute(t, "python")); got != "not_a_directory\n" {
		t.Errorf("%q", got)
	}
}

// A process that has ended, here by its limit of calls, fails every later call.
func TestEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	const script = `import sys; sys.path.insert(0, sys.argv[1])
from fsbox import *
with Fsbox('.', '--max-calls', '1') as box:
	for _ in range(4):
		try:
			print(box.answer('ls', {}).get('error'))
		except RuntimeError:
			print('ended')
`
	wantText(t, run(t, workspace(t), "python3", "-c", script, absolute(t, "python")), "None\ncall_limit\nended\nended\n")
	const module = `const { Fsbox } = await import(process.argv[1]);
const box = new Fsbox(".", "--max-calls", "1");
const call = () => box.answer("ls").then((a) => console.log(a.error), (e) => console.log(e.message));
await call(); await call(); await box.ended; await call(); await call();
`
	out := run(t, workspace(t), "node", "--input-type=module", "-e", module, absolute(t, "node/fsbox.mjs"))
	wantText(t, out, "undefined\ncall_limit\nfsbox ended: 1\nfsbox ended: 1\n")
}

// guarded is what a client with etags is asked to do, one call a line. Somebody else changes a.txt
// before each line that begins with "!". After its input each line has the code that it fails
// with, "" for none.
const guarded = `
 read {"path": "./a.txt"} ""
 edit {"path": "a.txt", "expected_text": "a", "replacement_text": "b", "dry_run": true} ""
! edit {"path": "a.txt", "expected_text": "a", "replacement_text": "b"} "stale"
 edit {"path": "a.txt", "expected_text": "a", "replacement_text": "b"} "stale"
 edit {"path": "./a.txt", "expected_text": "a", "replacement_text": "b"} "stale"
 edit {"path": "HERE/a.txt", "expected_text": "a", "replacement_text": "b"} "stale"
 edit {"file_path": "a.txt", "expected_text": "a", "replacement_text": "b"} "stale"
 Edit {"file_path": "./a.txt", "old_string": "a", "new_string": "b"} "stale"
 write {"path": "./a.txt", "content": "b", "mode": "overwrite"} "stale"
 delete {"path": "HERE/a.txt"} "stale"
 copy {"from": "a.txt", "to": "b.txt"} ""
 edit {"path": "a.txt", "expected_text": "a", "replacement_text": "b"} "stale"
 write {"path": ["a.txt"], "content": "b"} "invalid_input"
 read_file {"file_path": "a.txt"} ""
 edit {"path": "./a.txt", "expected_text": "a", "replacement_text": "b"} ""
 read {"path": "link"} ""
 delete {"path": "link"} ""
 move {"from": "a.txt", "to": "c.txt"} ""
 write {"path": "a.txt", "content": "new\n"} ""
 delete {"path": "./a.txt"} ""
 write {"path": "a.txt", "content": "new\n"} ""
! write {"file_path": "a.txt", "content": "newer\n", "mode": "overwrite"} "stale"
`

// No name of a file, a field or a tool gets around the etags that a client keeps.
func TestEtagsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	clients := [][]string{
		{"python3", "-c", `import json, sys; sys.path.insert(0, sys.argv[1])
from fsbox import *
with Fsbox('.', '--allow-write', '--allow-delete') as box:
	for other, tool, request in json.loads(sys.argv[2]):
		if other: open('a.txt', 'a').write('more\n')
		print(tool, json.dumps(box.answer(tool, request).get('error', '')))
`, absolute(t, "python")},
		{"node", "--input-type=module", "-e", `import { appendFileSync } from "node:fs";
const { Fsbox } = await import(process.argv[1]);
const box = new Fsbox(".", "--allow-write", "--allow-delete");
for (const [other, tool, request] of JSON.parse(process.argv[2])) {
  if (other) appendFileSync("a.txt", "more\n");
  console.log(tool, JSON.stringify((await box.answer(tool, request)).error ?? ""));
}
await box.close();
`, absolute(t, "node/fsbox.mjs")},
	}
	for _, client := range clients {
		t.Run(client[0], func(t *testing.T) {
			root := workspace(t, "a.txt", "a\n")
			if err := os.Symlink("a.txt", filepath.Join(root, "link")); err != nil {
				t.Skip(err)
			}
			var calls [][]any
			want := ""
			for line := range strings.Lines(strings.ReplaceAll(guarded[1:], "HERE", filepath.ToSlash(root))) {
				head, rest, _ := strings.Cut(line, " {")
				end := strings.LastIndex(rest, " ")
				tool := strings.TrimLeft(head, "! ")
				calls = append(calls, []any{line[0] == '!', tool, json.RawMessage("{" + rest[:end])})
				want += tool + rest[end:]
			}
			list, err := json.Marshal(calls)
			if err != nil {
				t.Fatal(err)
			}
			if got := run(t, root, client[0], append(client[1:], string(list))...); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// A client finds its own workspace full: it changes that and adds nothing.
func TestFullFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := workspace(t, "VERSION", "1.2\n", "doc/a b.md", "since 1.2, not 1.1\n", "other", "2.0 11.25 x1.2y\n")
	run(t, root, "sh", absolute(t, "shell/release.sh"), ".", "1.2", "1.3")
	wantFile(t, root, "VERSION", "1.3\n")
	wantFile(t, root, "doc/a b.md", "since 1.3, not 1.1\n")
	wantFile(t, root, "other", "2.0 11.25 x1.2y\n")
	if names, err := filepath.Glob(filepath.Join(root, "*")); err != nil || len(names) != 3 {
		t.Errorf("%q, %v", names, err)
	}
	if out := run(t, root, "sh", absolute(t, "shell/release.sh"), ".", "1.2", "1.3"); out != "no file has 1.2\n" {
		t.Errorf("%q", out)
	}
}

// Names and versions that a shell may take for something else are changed like any other.
func TestUnusualNames(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("it takes no such names")
	}
	names := []string{"-d.conf", "tab\there", "line\nbreak", "[x", `"quoted"`, "back\\slash", "a b", `"count":0`}
	if runtime.GOOS == "linux" {
		names = append(names, "\xff.conf")
	}
	var files []string
	for _, name := range names {
		files = append(files, name, "1.2\n")
	}
	root := workspace(t, files...)
	run(t, root, "sh", absolute(t, "shell/release.sh"), ".", "1.2", "-1.3")
	for _, name := range names {
		wantFile(t, root, name, "-1.3\n")
	}
	run(t, root, "sh", absolute(t, "shell/release.sh"), ".", "-1.3", "1.2")
	for _, name := range names {
		wantFile(t, root, name, "1.2\n")
	}
	run(t, root, "python3", absolute(t, "python/one_shot.py"), ".", "1.2", "1.3")
	for _, name := range names {
		wantFile(t, root, name, "1.3\n")
	}
	if found, err := os.ReadDir(root); err != nil || len(found) != len(names) {
		t.Errorf("%v, %v", found, err)
	}
}

// Every command in what models are told works, one after the other, as it is written there.
func TestAdvice(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	t.Setenv("FSBOX_ALLOW_WRITE", "1") // which is left to the person
	for _, name := range []string{"skill/SKILL.md", "AGENTS.md"} {
		if text, err := os.ReadFile(name); err != nil || strings.Contains(string(text), "--allow-") {
			t.Errorf("%s (%v) has a model allow its own changes", name, err)
		}
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
	Args, Tools  []string
	Enabled      *bool
}

// The command of each client's configuration starts a server in the project, which says what it
// has.
func TestClientConfigs(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
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

// So does the configuration with approval in docs/approval.md.
func TestApprovalConfig(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the key file has a mode")
	}
	page, err := os.ReadFile("../docs/approval.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```json title=\"mcp.json\"\n")
	text, _, _ = strings.Cut(text, "```")
	var c clientConfig
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, make([]byte, 32), 0o600); err != nil {
		t.Fatal(err)
	}
	line := c.McpServers["files"].line()
	for i := range line {
		line[i] = strings.NewReplacer("/home/me/project", "/path/to/your/project", "/home/me/.config/fsbox/key", key).Replace(line[i])
	}
	startServer(t, "docs/approval.md", line)
}

// Codex reads TOML, of which its file needs no more than JSON has.
func TestCodexConfig(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
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

// Continue reads YAML.
func TestContinueConfig(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	text, err := os.ReadFile("mcp/continue.config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		McpServers []struct {
			Name    string
			Command string
			Args    []string
		} `yaml:"mcpServers"`
		Name, Version, Schema string
	}
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.DisallowUnknownField()); err != nil || len(c.McpServers) != 1 {
		t.Fatal(c, err)
	}
	startServer(t, "mcp/continue.config.yaml", append([]string{c.McpServers[0].Command}, c.McpServers[0].Args...))
}

// Each framework's program is a module that says how it is run; hosts/ runs them, with the packages
// that they need.
func TestFrameworks(t *testing.T) {
	files, err := filepath.Glob("frameworks/*.mjs")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		run(t, ".", "node", "--check", file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, string(text), ". npm install ", "usage: node "+filepath.Base(file)+" WORKSPACE TASK", `"--root", project, "--allow-write"`)
	}
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
