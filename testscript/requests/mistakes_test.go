package requests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/testscript"

	"github.com/rogpeppe/go-internal/txtar"
)

// mistake is a request as a model sends it by mistake, and the words in the answer that lead on.
// See mistakes.table.
type mistake struct {
	line   int
	asked  string // TOOL OBJECT, a line of batch after "> ", or arguments after "$ "
	code   string // ok for a success
	words  []string
	absent []string
}

// mostOfFailedEdit is how long the answer to a failed edit may be, in characters.
const mostOfFailedEdit = 1200

// TestMistakes holds that a model can act on the answer to each of its mistakes.
func TestMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	testscript.NeedsUnix(t, "a search for similar names that ends in a tenth of a second")
	if testscript.Emulated() {
		t.Skip("an emulator is too slow for the tenth of a second that a search for similar names has")
	}
	text, err := os.ReadFile("mistakes.table")
	if err != nil {
		t.Fatal(err)
	}
	table := txtar.Parse(text)
	total := 0
	for _, section := range mistakeSections(t, string(table.Comment)) {
		t.Run(section.name, func(t *testing.T) {
			run := newMistakeRun(t, table.Files)
			for i, answer := range run.answers(section.rows) {
				run.judge(section.rows[i], answer)
			}
			newMistakeRun(t, table.Files).byMCP(section.rows)
		})
		total += len(section.rows)
	}
	if total < 500 {
		t.Errorf("%d mistakes in the table, want at least 500", total)
	}
}

type mistakeSection struct {
	name string
	rows []mistake
}

// mistakeSections reads the table: a heading after "#" begins a section, a row has two lines.
func mistakeSections(t *testing.T, text string) (all []mistakeSection) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "# "):
			all = append(all, mistakeSection{name: line[2:]})
		case strings.HasPrefix(line, "\t"):
			rows := all[len(all)-1].rows
			row := &rows[len(rows)-1]
			for i, word := range strings.Split(line[1:], " | ") {
				switch {
				case i == 0:
					row.code = word
				case strings.HasPrefix(word, "!"):
					row.absent = append(row.absent, word[1:])
				default:
					row.words = append(row.words, word)
				}
			}
			if len(row.words) == 0 {
				t.Errorf("line %d names no word that leads on", number)
			}
		default:
			rows := &all[len(all)-1].rows
			*rows = append(*rows, mistake{line: number, asked: line})
		}
	}
	return all
}

// mistakeRun is a fresh copy of the workspace.
type mistakeRun struct {
	t         *testing.T
	dir, root string
}

func newMistakeRun(t *testing.T, files []txtar.File) *mistakeRun {
	dir := t.TempDir()
	r := &mistakeRun{t: t, dir: dir, root: filepath.Join(dir, "ws")}
	for _, f := range files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, f.Data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(os.WriteFile(filepath.Join(r.root, "empty.txt"), nil, 0o666),
		os.WriteFile(filepath.Join(r.root, "data.bin"), []byte("\x7fELF\x00\x01\x02"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// answers sends all requests of a section, in order, in as few processes as that takes.
func (r *mistakeRun) answers(rows []mistake) (all []string) {
	var lines []string
	flush := func() {
		if lines != nil {
			all = append(all, r.fsbox(strings.Join(lines, "\n"), "batch")...)
		}
		lines = nil
	}
	for _, row := range rows {
		kind, rest, _ := strings.Cut(row.asked, " ")
		switch kind {
		case "$":
			flush()
			answer := r.fsbox("", strings.Fields(rest)...)
			all = append(all, answer[0])
		case ">":
			lines = append(lines, r.expand(rest))
		default:
			lines = append(lines, fmt.Sprintf(`{"tool":%q,"input":%s}`, kind, r.expand(rest)))
		}
	}
	flush()
	if len(all) != len(rows) {
		r.t.Fatalf("%d answers to %d requests", len(all), len(rows))
	}
	return all
}

// byMCP sends the calls of a section, in order, as an MCP client does, and judges the answers.
func (r *mistakeRun) byMCP(rows []mistake) {
	cmd := r.command("mcp", "--structured", "--all-fields")
	in, err := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err, err2, cmd.Start()); err != nil {
		r.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	ask := func(method, params string) string {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
		lines.Scan()
		return lines.Text()
	}
	ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	for _, row := range rows {
		if row.code != "ok" { // its details are in the text form: text_failure holds what that says
			row.words = nil
		}
		if tool, object, _ := strings.Cut(row.asked, " "); tool != "$" && tool != ">" {
			r.judge(row, mcpEnvelope(r.t, ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, r.expand(object)))))
		}
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		r.t.Error(err)
	}
}

// mcpEnvelope is the envelope in an answer of MCP. An error of the protocol becomes one.
func mcpEnvelope(t *testing.T, line string) string {
	var answer struct {
		Result struct {
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
		Error struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatalf("%v in %q", err, line)
	}
	if answer.Result.StructuredContent != nil {
		return string(answer.Result.StructuredContent)
	}
	if answer.Error.Code == 0 {
		return testscript.FailureEnvelope(answer.Result.Content[0].Text)
	}
	code := map[int]string{-32602: "unknown_tool", -32600: "invalid_input"}[answer.Error.Code]
	message, hint, _ := strings.Cut(answer.Error.Message, ": ")
	envelope, err := json.Marshal(map[string]any{"error": code, "message": message, "hint": hint})
	if err != nil {
		t.Fatal(err)
	}
	return string(envelope)
}

// expand puts the folder of the root in the place of ROOT.
func (r *mistakeRun) expand(text string) string {
	return strings.ReplaceAll(text, "ROOT", filepath.ToSlash(r.root))
}

func (r *mistakeRun) fsbox(stdin string, args ...string) []string {
	for i, arg := range args {
		args[i] = r.expand(strings.ReplaceAll(arg, "␣", " "))
	}
	cmd := r.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

func (r *mistakeRun) command(args ...string) *exec.Cmd {
	cmd := exec.Command("fsbox", append([]string{"--root", r.root, "--allow-write", "--allow-delete", "--no-fsync"}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(r.dir, "home"), "XDG_STATE_HOME="+filepath.Join(r.dir, "state"))
	return cmd
}

// judge checks one answer: the code, the words that lead on, and what holds for every answer.
func (r *mistakeRun) judge(row mistake, line string) {
	var a struct {
		Success              bool
		Error, Message, Hint string
		Result, Details      json.RawMessage
		Warnings             []string
	}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		r.t.Errorf("line %d: not JSON: %v in %s", row.line, err, line)
		return
	}
	code := a.Error
	if a.Success {
		code = "ok"
	}
	var said bytes.Buffer // without the escapes of JSON in what a model reads first
	fmt.Fprintln(&said, a.Message, a.Hint, strings.Join(a.Warnings, " "), string(a.Details), string(a.Result))
	fail := func(format string, args ...any) {
		r.t.Errorf("line %d: %s\n%s: %s", row.line, row.asked, fmt.Sprintf(format, args...), line)
	}
	if testing.Verbose() {
		r.t.Logf("%s\n\t%s: %s -> %s %q", row.asked, code, a.Message, a.Hint, a.Warnings)
	}
	if code != row.code {
		fail("code %s, want %s", code, row.code)
	}
	for _, word := range row.words {
		if !strings.Contains(said.String(), r.expand(word)) {
			fail("it doesn't say %q", word)
		}
	}
	for _, word := range row.absent {
		if strings.Contains(said.String(), word) {
			fail("it says %q", word)
		}
	}
	switch {
	case !a.Success && a.Hint == "":
		fail("no hint")
	case strings.Contains(line, "hunter2"), strings.Contains(line, "confidential"):
		fail("it tells what it must not")
	case !strings.Contains(row.asked, "ROOT") && strings.Contains(line, r.dir):
		fail("it names a path of the host")
	case strings.HasSuffix(a.Hint, "."), a.Message != "" && 'A' <= a.Message[0] && a.Message[0] <= 'Z':
		fail("a sentence begins in lower case and has no full stop")
	case !a.Success && strings.HasPrefix(row.asked, "edit ") && utf8.RuneCountInString(line) > mostOfFailedEdit:
		fail("%d characters", utf8.RuneCountInString(line))
	}
}
