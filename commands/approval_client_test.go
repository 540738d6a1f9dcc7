package commands

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"fsbox/commands/cmdline"
	"fsbox/commands/settings"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mcpClient talks to a server in this process.
type mcpClient struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

// mcpWithPrompt serves a workspace in which a person has to agree to changes.
func mcpWithPrompt(t *testing.T) (client mcpClient, file string) {
	now := time.Now()
	env := tokenEnv(t, &now)
	env.Settings.Approval = settings.ApprovalPrompt
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	p := Program{Stdin: in, Stdout: out, Stderr: io.Discard, Tools: Tools(), abandoned: env.Abandoned}
	ended := make(chan struct{})
	go func() {
		p.serveMCP(context.Background(), env, cmdline.MCP{Structured: true})
		close(ended)
	}()
	t.Cleanup(func() {
		toServer.Close()
		<-ended
	})
	return mcpClient{t, toServer, bufio.NewReader(fromServer)}, filepath.Join(env.Workspace.Root(), "a.txt")
}

func (c mcpClient) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

func (c mcpClient) receive() (m map[string]any) {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		c.t.Fatal(line, err)
	}
	return m
}

// at follows names into a message.
func at(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

const editOfMCP = `"name":"edit","arguments":{"path":"a.txt","expected_text":"one","replacement_text":"two"}`

func TestElicitationInSession(t *testing.T) {
	c, file := mcpWithPrompt(t)
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},` +
		`"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, tt := range []struct{ action, code string }{{"decline", "approval_denied"}, {"cancel", "approval_required"}, {"accept", ""}} {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s}}`, i+1, editOfMCP)
		question := c.receive()
		if text := fmt.Sprint(at(question, "params", "message")); question["method"] != "elicitation/create" ||
			!strings.Contains(text, "| +two") {
			t.Fatalf("%v", question)
		}
		c.send(`{"jsonrpc":"2.0","id":%q,"result":{"action":%q,"content":{}}}`, question["id"], tt.action)
		answer := c.receive()
		if code, _ := at(answer, "result", "structuredContent", "error").(string); code != tt.code {
			t.Errorf("%s: %v", tt.action, answer)
		}
		hint, _ := at(answer, "result", "structuredContent", "hint").(string)
		if closed := strings.Contains(hint, "send the same request once more"); closed != (tt.action == "cancel") {
			t.Errorf("%s: hint %q", tt.action, hint)
		}
	}
	if content, _ := os.ReadFile(file); string(content) != "two\n" {
		t.Errorf("the file has %q", content)
	}
}

// What the client's dialog shows is what will be on disk, in bytes where the request names an
// encoding that the file won't have.
func TestElicitationOfEncoding(t *testing.T) {
	c, _ := mcpWithPrompt(t)
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},` +
		`"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, tt := range []struct{ encoding, shown string }{
		{"utf-16le", "\n  | +\\xff\\xfe#\n  | +echo pwned>x\n"},
		{"iso-2022-jp", "but the file is read as utf-8"},
	} {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{"path":"new","content":%q,"encoding":%q}}}`,
			i+1, map[string]string{"utf-16le": "ਣ捥潨瀠湷摥砾", "iso-2022-jp": "日本"}[tt.encoding], tt.encoding)
		question := c.receive()
		if text := fmt.Sprint(at(question, "params", "message")); !strings.Contains(text, tt.shown) {
			t.Errorf("%s: %q", tt.encoding, text)
		}
		c.send(`{"jsonrpc":"2.0","id":%q,"result":{"action":"decline","content":{}}}`, question["id"])
		c.receive()
	}
}

func TestElicitationWithoutSession(t *testing.T) {
	c, file := mcpWithPrompt(t)
	call := func(id int, more string) map[string]any {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}%s}}`, id, editOfMCP, more)
		return c.receive()
	}
	ask := func(id int, more string) (key string) {
		t.Helper()
		answer := call(id, more)
		questions, _ := at(answer, "result", "inputRequests").(map[string]any)
		if at(answer, "result", "resultType") != "input_required" || len(questions) != 1 {
			t.Fatalf("%v", answer)
		}
		for key = range questions {
		}
		return key
	}
	key := ask(1, "")
	answer := call(2, `,"inputResponses":{"`+key+`":{"action":"decline"}}`)
	if at(answer, "result", "structuredContent", "error") != "approval_denied" {
		t.Errorf("%v", answer)
	}
	// a yes to one plan is none to another
	writeFile(t, file, "more\none\n")
	other := ask(3, `,"inputResponses":{"`+key+`":{"action":"accept"}}`)
	if other == key {
		t.Errorf("the question is still %s", key)
	}
	if answer := call(4, `,"inputResponses":{"`+other+`":{"action":"accept"}}`); at(answer, "result", "structuredContent", "success") != true {
		t.Errorf("%v", answer)
	}
	if content, _ := os.ReadFile(file); string(content) != "more\ntwo\n" {
		t.Errorf("the file has %q", content)
	}
}
