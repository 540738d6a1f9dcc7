package commands

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"fsbox/commands/approval"
	"fsbox/commands/cmdline"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"io"
	"os"
	"path/filepath"
	"regexp"
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
	client, _, file = mcpOver(t)
	return client, file
}

// mcpOver is mcpWithPrompt, with the session that the server serves.
func mcpOver(t *testing.T) (client mcpClient, env *session.Session, file string) {
	now := time.Now()
	env = tokenEnv(t, &now)
	env.Settings.Approval = settings.ApprovalPrompt
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	p := Program{Stdin: in, Stdout: out, Stderr: io.Discard, Commands: All(), abandoned: env.Abandoned}
	ended := make(chan struct{})
	go func() {
		p.serveMCP(context.Background(), env, cmdline.MCP{Structured: true})
		close(ended)
	}()
	t.Cleanup(func() {
		toServer.Close()
		<-ended
	})
	return mcpClient{t, toServer, bufio.NewReader(fromServer)}, env, filepath.Join(env.Workspace.Root(), "a.txt")
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

// refusal is the code of a call that failed, and all that is said of it; "" for one that succeeded.
func refusal(answer map[string]any) (code, text string) {
	content, _ := at(answer, "result", "content").([]any)
	if at(answer, "result", "isError") != true || len(content) != 1 {
		return "", ""
	}
	text, _ = at(content[0], "text").(string)
	code, _, _ = strings.Cut(text, ": ")
	return code, text
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
	for i, tt := range []struct{ action, decision, code, message string }{
		{"decline", "", "approval_denied", "the client declined this edit"},
		{"accept", "", "approval_denied", "the client declined this edit"},
		{"accept", "no", "approval_denied", "the client declined this edit"},
		{"cancel", "", "approval_required", "this edit needs a person's approval: the question was closed without an answer"},
		{"decline", "yes", "approval_denied", "the client declined this edit"},
		{"cancel", "", "approval_required", "this edit needs a person's approval: the question was closed without an answer"},
		{"cancel", "yes", "approval_denied", "the question about this edit got no answer twice"},
		{"cancel", "", "approval_denied", "the question about this edit got no answer twice"},
		{"accept", "yes", "", ""},
	} {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s}}`, i+1, editOfMCP)
		question := c.receive()
		if text := fmt.Sprint(at(question, "params", "message")); question["method"] != "elicitation/create" ||
			!strings.Contains(text, "|+two\n") {
			t.Fatalf("%v", question)
		}
		c.send(`{"jsonrpc":"2.0","id":%q,"result":{"action":%q,"content":{"decision":%q}}}`, question["id"], tt.action, tt.decision)
		answer := c.receive()
		code, text := refusal(answer)
		if code != tt.code || tt.code != "" && !strings.HasPrefix(text, tt.code+": "+tt.message+"\nhint: nothing was changed") {
			t.Errorf("%s: %v", tt.action, answer)
		}
		if all, err := json.Marshal(answer); err != nil || code != "" && (len(all) > 400 || len(text) > 300 || strings.Contains(text, "two")) {
			t.Errorf("%s: too much goes back in %s", tt.action, all)
		}
	}
	if content, _ := os.ReadFile(file); string(content) != "two\n" {
		t.Errorf("the file has %q", content)
	}
}

// wrapped is between the parts of a row that goes on in the next one.
var wrapped = regexp.MustCompile(`\n[a-z0-9]+\\`)

// What the client's dialog shows is what will be on disk, in bytes where the request names an
// encoding that the file won't have.
func TestElicitationOfEncoding(t *testing.T) {
	c, _ := mcpWithPrompt(t)
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},` +
		`"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, tt := range []struct{ encoding, shown string }{
		{"utf-16le", `|+\xff\xfe#`},
		{"windows-1252", "the encoding is unknown-8bit, the request enc"},
	} {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{"path":"new","content":%q,"encoding":%q}}}`,
			i+1, map[string]string{"utf-16le": "ਣ捥潨瀠湷摥砾", "windows-1252": "é"}[tt.encoding], tt.encoding)
		question := c.receive()
		text := wrapped.ReplaceAllString(fmt.Sprint(at(question, "params", "message")), "")
		if !strings.Contains(text, tt.shown) {
			t.Errorf("%s: %q", tt.encoding, text)
		}
		c.send(`{"jsonrpc":"2.0","id":%q,"result":{"action":"decline","content":{}}}`, question["id"])
		c.receive()
	}
}

// clientWithoutSession is a client of the era without sessions.
type clientWithoutSession struct {
	mcpClient
	id int
}

// call makes a call, with the answer to an earlier question.
func (c *clientWithoutSession) call(call, state, key, answer string) map[string]any {
	c.t.Helper()
	more := ""
	if key != "" {
		more = fmt.Sprintf(`,"inputResponses":{%q:%s},"requestState":%q`, key, answer, state)
	}
	c.id++
	c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}%s}}`, c.id, call, more)
	return c.receive()
}

// questionIn is the question in an answer, "" if there is none.
func questionIn(answer map[string]any) (state, key, message string) {
	questions, _ := at(answer, "result", "inputRequests").(map[string]any)
	for key := range questions {
		state, _ = at(answer, "result", "requestState").(string)
		message, _ = at(questions, key, "params", "message").(string)
		return state, key, message
	}
	return "", "", ""
}

const saysYes = `{"action":"accept","content":{"decision":"yes"}}`

func TestElicitationWithoutSession(t *testing.T) {
	inner, file := mcpWithPrompt(t)
	c := &clientWithoutSession{mcpClient: inner}
	ask := func(state, key, answer string) (string, string) {
		t.Helper()
		a := c.call(editOfMCP, state, key, answer)
		state, key, message := questionIn(a)
		if at(a, "result", "resultType") != "input_required" || key == "" || state == "" || !strings.Contains(message, "change 1 file (+1 -1)") {
			t.Fatalf("%v", a)
		}
		return state, key
	}
	wants := func(a map[string]any, want string) {
		t.Helper()
		if code, _ := refusal(a); code != want || at(a, "result", "resultType") != "complete" {
			t.Errorf("%v", a)
		}
	}
	state, key := ask("", "", "")
	wants(c.call(editOfMCP, state, key, `{"action":"decline"}`), "approval_denied")
	state, key = ask(state, key, saysYes) // after that no
	wants(c.call(editOfMCP, state, key, `{"action":"accept"}`), "approval_denied")
	state, key = ask("", "", "")
	// a yes to one plan is none to another
	writeFile(t, file, "more\none\n")
	_, other := ask(state, key, saysYes)
	if other == key {
		t.Errorf("the question is still %s", key)
	}
	state, _ = ask("", key, saysYes) // nor without its state
	wants(c.call(editOfMCP, state, other, saysYes), "")
	if content, _ := os.ReadFile(file); string(content) != "more\ntwo\n" {
		t.Errorf("the file has %q", content)
	}
	// nor to the same plan once more, when somebody has put the file back
	writeFile(t, file, "more\none\n")
	ask(state, other, saysYes)
	if content, _ := os.ReadFile(file); string(content) != "more\none\n" {
		t.Errorf("the file has %q", content)
	}
	for i, want := range []string{"approval_required", "approval_denied"} {
		state, key = ask("", "", "")
		a := c.call(editOfMCP, state, key, `{"action":"cancel"}`)
		if wants(a, want); strings.Contains(fmt.Sprint(a), "two") {
			t.Errorf("%d: the plan goes back in %v", i, a)
		}
	}
}

// A question has as many rows as the client shows.
func TestElicitationRows(t *testing.T) {
	for name, most := range map[string]int{"claude-code": 4, "copilot-cli": 9, "codex-mcp-client": 12, "another": approval.QuestionRows} {
		c, _ := mcpWithPrompt(t)
		c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},`+
			`"clientInfo":{"name":%q,"version":"1"}}}`, name)
		c.receive()
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"path":"new","content":%q}}}`,
			strings.Repeat("line\n", 50))
		question := c.receive()
		rows := strings.Split(fmt.Sprint(at(question, "params", "message")), "\n")
		if len(rows) != most || !strings.Contains(rows[0], ": create ") {
			t.Errorf("%s: %q", name, rows)
		}
		c.send(`{"jsonrpc":"2.0","id":%q,"result":{"action":"decline"}}`, question["id"])
		c.receive()
	}
}
