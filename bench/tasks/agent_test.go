package tasks

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/bench/results"
)

// agent does the steps of a task, and knows what it was shown.
type agent struct {
	t     *testing.T
	tree  string
	cost  results.Task
	marks map[string]string // of the lines that it was shown with an anchor, by path:line
	in    io.Writer         // of fsbox mcp
	out   *bufio.Reader
}

// start starts fsbox in the tree, without the settings of the person who runs this.
func (a *agent) start(fsbox string) {
	server := exec.Command(fsbox, "mcp", "--allow-write", "--allow-delete", "--root", a.tree)
	server.Env = []string{"HOME=" + a.t.TempDir()}
	in, inErr := server.StdinPipe()
	out, outErr := server.StdoutPipe()
	if err := errors.Join(inErr, outErr, server.Start()); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() {
		if err := errors.Join(in.Close(), server.Wait()); err != nil {
			a.t.Error(err)
		}
	})
	a.in, a.out = in, bufio.NewReader(out)
	a.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tasks","version":"1"}}`)
}

// do does a step: a command of a shell, or a tool with its arguments.
func (a *agent) do(step any) {
	var sent, read string
	var failed bool
	switch step := step.(type) {
	case string:
		shell := exec.Command("bash", "-c", step)
		shell.Dir = a.tree
		said, err := shell.CombinedOutput()
		sent, read, failed = step, string(said), err != nil
	case map[string]any:
		for tool, arguments := range step {
			sent = a.request(tool, arguments.(map[string]any))
			read, failed = a.ask("tools/call", sent)
			a.learn(fmt.Sprint(arguments.(map[string]any)["path"]), read)
		}
	}
	a.cost.Calls++
	a.cost.Sent += utf8.RuneCountInString(sent)
	a.cost.Read += utf8.RuneCountInString(read)
	a.t.Logf("%s\n%s", sent, read)
	if failed {
		a.cost.Errors++
	}
}

// quoted is where a step quotes the anchor of a line, and shown where an answer shows one.
var (
	quoted = regexp.MustCompile(`("(start_anchor|end_anchor|insert_after|source_start|source_end)":")([1-9]\d*)"`)
	shown  = regexp.MustCompile(`^(\d+)#[B-Z2-9]{3}`)
)

// request is a call as it is sent, with the anchors that the agent was shown.
func (a *agent) request(tool string, arguments map[string]any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"name": tool, "arguments": arguments}); err != nil {
		a.t.Fatal(err)
	}
	return quoted.ReplaceAllStringFunc(strings.TrimSpace(text.String()), func(field string) string {
		part := quoted.FindStringSubmatch(field)
		path := arguments["path"]
		if other, given := arguments["source_path"]; given && strings.HasPrefix(part[2], "source") {
			path = other
		}
		mark, known := a.marks[fmt.Sprint(path, ":", part[3])]
		if !known {
			a.t.Fatalf("line %s was not shown with its anchor", part[3])
		}
		return part[1] + mark + `"`
	})
}

// learn takes the anchors from an answer about a path. A search names the file of the lines that
// follow; "--" is between lines that are apart, and notes are in brackets.
func (a *agent) learn(path, answer string) {
	for line := range strings.Lines(answer) {
		if mark := shown.FindStringSubmatch(line); mark != nil {
			a.marks[path+":"+mark[1]] = mark[0]
		} else if line = strings.TrimSpace(line); line != "" && line != "--" && line[0] != '[' {
			path = line
		}
	}
}

// ask sends a request by MCP, and gives the text of its answer, and whether that is an error.
func (a *agent) ask(method, params string) (string, bool) {
	_, err := fmt.Fprintf(a.in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params)
	line, readErr := a.out.ReadBytes('\n')
	var answer struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
		Error json.RawMessage
	}
	if err := errors.Join(err, readErr, json.Unmarshal(line, &answer)); err != nil || answer.Error != nil {
		a.t.Fatalf("%v: %s", err, line)
	}
	text := ""
	for _, part := range answer.Result.Content {
		text += part.Text
	}
	return text, answer.Result.IsError
}
