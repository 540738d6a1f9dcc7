package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"fsbox/commands/stream"
)

// earlyTimeout is how long a test waits for what has to come.
const earlyTimeout = 20 * time.Second

// fakeTools are tools whose calls the test itself carries out.
type fakeTools struct {
	run     func(ctx context.Context, name string, client *Client) Result
	changes func(name string) bool
}

func (f fakeTools) List() []byte { return []byte(`[{"name":"echo","inputSchema":{"type":"object"}}]`) }

func (f fakeTools) Prepare(name string, arguments []byte) (Call, error) {
	if name == "nosuch" {
		return Call{}, errors.New(`there is no tool "nosuch"`)
	}
	weight := 1
	if strings.HasPrefix(name, "heavy") {
		weight = maxWeight/2 + 1
	}
	return Call{Changes: f.changes != nil && f.changes(name), Last: name == "last", Weight: weight,
		Run: func(ctx context.Context, client *Client, late func(Result)) Result {
			return f.carryOut(ctx, name, string(arguments), client, late)
		}, NoRoom: func() Result { return text("no room") }}, nil
}

func (f fakeTools) carryOut(ctx context.Context, name, arguments string, client *Client, late func(Result)) Result {
	if name == "hang" {
		go late(text("late"))
		<-ctx.Done() // it ends with the answer
		runtime.Goexit()
	}
	if f.run != nil {
		return f.run(ctx, name+arguments, client)
	}
	return Result{Text: name + arguments}
}

// session is a client of a server that runs in the same process.
type session struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan error
}

func begin(t *testing.T, tools Tools) *session {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	s := &session{t: t, in: toServer, out: bufio.NewReader(fromServer), ended: make(chan error, 1)}
	about := About{Name: "test", Title: "Test", Version: "1", Instructions: "Try."}
	go func() {
		s.ended <- Serve(context.Background(), in, out, tools, about)
		out.Close()
	}()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	return s
}

func (s *session) send(lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		sent := make(chan error, 1)
		go func() {
			_, err := io.WriteString(s.in, line+"\n")
			sent <- err
		}()
		select {
		case err := <-sent:
			if err != nil {
				s.t.Fatalf("send %.100s: %v", line, err)
			}
		case <-time.After(earlyTimeout):
			s.t.Fatalf("the server doesn't read %.100s", line)
		}
	}
}

// next is the next line of output, without its end; "" at the end.
func (s *session) next() string {
	s.t.Helper()
	got := make(chan string, 1)
	go func() {
		line, _ := s.out.ReadString('\n')
		got <- strings.TrimSuffix(line, "\n")
	}()
	select {
	case line := <-got:
		if line != "" && !json.Valid([]byte(line)) {
			s.t.Fatalf("not JSON: %s", line)
		}
		return line
	case <-time.After(earlyTimeout):
		s.t.Fatal("no answer")
		return ""
	}
}

func (s *session) want(lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		if got := s.next(); got != line {
			s.t.Fatalf("got  %s\nwant %s", got, line)
		}
	}
}

// end closes the input, and gives what Serve returned and all output that was left.
func (s *session) end() (rest []string, err error) {
	s.t.Helper()
	s.in.Close()
	for line := s.next(); line != ""; line = s.next() {
		rest = append(rest, line)
	}
	select {
	case err = <-s.ended:
	case <-time.After(earlyTimeout):
		s.t.Fatal("Serve doesn't return")
	}
	return rest, err
}

const (
	hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`
	modernly = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	complete = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","title":"Test","version":"1"}}`
)

func initialized(version string) string {
	return `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"test","title":"Test","version":"1"},"instructions":"Try."}}`
}

// TestMessages sends one message to a server, after initialize if the case says so.
func TestMessages(t *testing.T) {
	fails := func(id, code, message string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"` + message + `"}}`
	}
	const needs = `params._meta needs \"io.modelcontextprotocol/protocolVersion\"`
	const needsCapabilities = `params._meta needs \"io.modelcontextprotocol/clientCapabilities\"`
	const supported = `"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":`
	tests := []struct {
		name       string
		session    bool
		send, want string // want is "" for no answer
	}{
		{"ping", true, `{"jsonrpc":"2.0","id":"p","method":"ping"}`, `{"jsonrpc":"2.0","id":"p","result":{}}`},
		{"ping before initialize", false, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"ping without sessions", false, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + modernly + `}}`,
			fails("1", "-32601", `there is no method \"ping\"`)},
		{"list", true, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}`},
		{"list, null cursor", true, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}`},
		{"list without sessions", false, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernly + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}],"ttlMs":3600000,"cacheScope":"public",` +
				complete + `}}`},
		{"list with a cursor", true, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`,
			fails("1", "-32602", `\"cursor\" is from no answer: all tools are on one page`)},
		{"call", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"\u00e9"}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"echo{\"a\":\"\\u00e9\"}"}]}}`},
		{"call without sessions", false, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"e\u0063ho",` + modernly + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"echo"}],` + complete + `}}`},
		{"both eras at once", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` + modernly + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"echo"}],` + complete + `}}`},
		{"unknown tool", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nosuch"}}`,
			fails("1", "-32602", `there is no tool \"nosuch\"`)},
		{"call without a name", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`,
			fails("1", "-32602", `\"name\" is missing`)},
		{"call without params", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, fails("1", "-32602", `\"name\" is missing`)},
		{"a name that is a number", true, `{"method":"tools/call","params":{"name":5},"jsonrpc":"2.0","id":1}`,
			fails("1", "-32602", `\"name\" must be a string`)},
		{"arguments that are a list", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[]}}`,
			fails("1", "-32602", `\"arguments\" must be an object`)},
		{"arguments in a string", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":"{}"}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"echo\"{}\""}]}}`},
		{"null arguments", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":null}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"echo"}]}}`},
		{"a progress token that is an object", true,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":{}}}}`,
			fails("1", "-32602", `\"progressToken\" must be a string or an integer`)},
		{"params that are a list", true, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`,
			fails("1", "-32602", `\"params\" must be an object`)},
		{"null params", true, `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"unknown method", true, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`,
			fails("1", "-32601", `there is no method \"resources/list\"`)},
		{"discover in a session", true, `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
			fails("1", "-32601", `there is no method \"server/discover\"`)},
		{"discover", false, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernly + `}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],` +
				`"capabilities":{"tools":{}},"instructions":"Try.","ttlMs":3600000,"cacheScope":"public",` + complete + `}}`},
		{"initialize without sessions", false, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` + modernly + `}}`,
			fails("1", "-32601", `there is no method \"initialize\"`)},
		{"nothing said of the era", false, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			fails("1", "-32602", needs+` and \"io.modelcontextprotocol/clientCapabilities\", or \"initialize\" must come first`)},
		{"no version", false,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}`,
			fails("1", "-32602", needs)},
		{"no capabilities", false,
			`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			fails("1", "-32602", needsCapabilities)},
		{"unsupported version", false, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` +
			strings.Replace(modernly, "2026-07-28", "1900-01-01", 1) + `}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version",` + supported + `"1900-01-01"}}}`},
		{"garbage", true, `hello`, fails("null", "-32700", `not valid JSON: invalid character 'h' at start of value`)},
		{"a cut message", true, `{"jsonrpc":"2.0","id":7,"method":"pi`,
			fails("7", "-32700", `not valid JSON: unexpected EOF within \"/method\" after offset 36`)},
		{"two messages", true, `{"jsonrpc":"2.0","id":7,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}`,
			fails("7", "-32700", `not valid JSON: invalid character '{' after top-level value after offset 40`)},
		{"a list of messages", true, `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`,
			fails("null", "-32600", `send one message a line, not an array of them`)},
		{"a number", true, `12`, fails("null", "-32600", `a message is a JSON object`)},
		{"an object that is none", true, `{}`, fails("null", "-32600", `\"jsonrpc\" must be \"2.0\"`)},
		{"no method", true, `{"jsonrpc":"2.0","id":1}`, fails("1", "-32600", `\"method\" is missing`)},
		{"a method that is a number", true, `{"jsonrpc":"2.0","id":1,"method":2}`, fails("1", "-32600", `\"method\" must be a string`)},
		{"another JSON-RPC", true, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, fails("1", "-32600", `\"jsonrpc\" must be \"2.0\"`)},
		{"null id", true, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, fails("null", "-32600", `\"id\" must be a string or an integer`)},
		{"an id with a fraction", true, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
			fails("null", "-32600", `\"id\" must be a string or an integer`)},
		{"an id that is not UTF-8", true, "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}",
			fails("null", "-32700", `not valid JSON: invalid UTF-8 within \"/id\" after offset 23`)},
		{"a large id", true, `{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":12345678901234567890,"result":{}}`},
		{"blanks and a carriage return", true, " \t{ \"jsonrpc\" : \"2.0\", \"id\" : 1, \"method\" : \"ping\" }\r",
			`{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"an id that is too long", true, `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 512) + `","method":"ping"}`,
			fails("null", "-32600", `\"id\" must be a string or an integer`)},
		{"an id that is an object", true, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
			fails("null", "-32600", `\"id\" must be a string or an integer`)},
		{"a request and an answer", true, `{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`,
			fails("1", "-32600", `a message has \"method\", or \"result\" or \"error\", not both`)},
		{"a method twice", true, `{"jsonrpc":"2.0","id":1,"method":"x","method":"ping"}`,
			fails("1", "-32600", `member \"method\" appears twice`)},
		{"a method twice, spelled differently", true, `{"jsonrpc":"2.0","id":1,"method":"x","metho\u0064":"ping"}`,
			fails("1", "-32600", `member \"method\" appears twice`)},
		{"an id twice", true, `{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}`, fails("null", "-32600", `member \"id\" appears twice`)},
		{"params twice", true,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}},"params":{"name":"last"}}`,
			fails("1", "-32600", `member \"params\" appears twice`)},
		{"a name twice, id last", true, `{"method":"tools/call","params":{"name":"last","name":"echo"},"jsonrpc":"2.0","id":1}`,
			fails("1", "-32600", `member \"name\" appears twice`)},
		{"arguments twice", true,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1},"arguments":{"b":1}}}`,
			fails("1", "-32600", `member \"arguments\" appears twice`)},
		{"_meta twice", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` + modernly + `,` + modernly + `}}`,
			fails("1", "-32600", `member \"_meta\" appears twice`)},
		{"an unknown member twice", true, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[{"y":1,"y":1}]}}`,
			fails("1", "-32600", `member \"y\" appears twice`)},
		{"a member of arguments twice is for the tool", true,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":1,"a":2}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"echo{\"a\":1,\"a\":2}"}]}}`},
		{"a name that is not UTF-8", true, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\"}}",
			fails("1", "-32700", `not valid JSON: invalid UTF-8 within \"/params/name\" after offset 64`)},
		{"half a surrogate pair", true, `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
			fails("null", "-32700", "not valid JSON: invalid surrogate pair `\\\\ud800\\\",\\\"met` in string within \\\"/id\\\" after offset 23")},
		{"members in another case", true, `{"jsonrpc":"2.0","id":1,"method":"tools/call","Params":{"name":"echo"},"Method":"ping"}`,
			fails("1", "-32602", `\"name\" is missing`)},
		{"a notification with a method twice", true, `{"jsonrpc":"2.0","method":"x","method":"ping"}`, ""},
		{"a notification with params twice", true, `{"jsonrpc":"2.0","method":"ping","params":{"x":1,"x":1}}`, ""},
		{"an answer with a result twice", true, `{"jsonrpc":"2.0","id":1,"result":{"action":"decline"},"result":{"action":"accept"}}`, ""},
		{"an answer with a result of a wrong type", true, `{"jsonrpc":"2.0","id":1,"result":[]}`, ""},
		{"_meta that is a list", true, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}`,
			fails("1", "-32602", `\"_meta\" must be an object`)},
		{"very much besides the arguments", true, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", maxAround) +
			`"}}`,
			fails("1", "-32600", `the message has more than 262144 bytes besides its \"arguments\"`)},
		{"very many members", true, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + strings.Repeat(`"":0,`, maxNames) + `"x":0}}`,
			fails("1", "-32600", `the objects of a message have more than 20000 members`)},
		{"an unknown notification", true, `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, ""},
		{"a notification that is wrong", true, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`, ""},
		{"cancellation of nothing", true, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, ""},
		{"an answer to nothing", true, `{"jsonrpc":"2.0","id":99,"result":{}}`, ""},
		{"an empty line", true, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := begin(t, fakeTools{})
			if test.session {
				s.send(hello)
				s.want(initialized("2025-11-25"))
			}
			s.send(test.send)
			if test.want != "" {
				s.want(test.want)
			}
			s.send(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`)
			s.want(`{"jsonrpc":"2.0","id":"alive","result":{}}`)
			if rest, err := s.end(); err != nil || len(rest) > 0 {
				t.Errorf("in the end: %v, %v", rest, err)
			}
		})
	}
}

func TestInitialize(t *testing.T) {
	versions := map[string]string{"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26",
		"2024-11-05": "2024-11-05", "2026-07-28": "2025-11-25", "1900-01-01": "2025-11-25"}
	for asked, want := range versions {
		s := begin(t, fakeTools{})
		s.send(strings.Replace(hello, "2025-11-25", asked, 1))
		s.want(initialized(want))
	}
	s := begin(t, fakeTools{})
	s.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	s.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"\"protocolVersion\" is missing"}}`)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
	if got := s.next(); !strings.Contains(got, "-32602") {
		t.Errorf("after an initialize that failed: %s", got)
	}
}

// TestByteOrderMark: PowerShell begins a pipe with one.
func TestByteOrderMark(t *testing.T) {
	s := begin(t, fakeTools{})
	s.send("\ufeff" + hello)
	s.want(initialized("2025-11-25"))
}

func TestResults(t *testing.T) {
	results := map[string]Result{
		"text": {Text: "a\n\"b\"\xff<\u2028"},
		"fail": {Text: "no", Failed: true},
		"image": {Media: []byte("hi"), MediaType: "image/png",
			Structured: func(w io.Writer) { io.WriteString(w, `{"a":1}`) }},
	}
	wants := map[string]string{
		"text":  `"content":[{"type":"text","text":"a\n\"b\"` + "\ufffd<\u2028" + `"}]`,
		"fail":  `"content":[{"type":"text","text":"no"}],"isError":true`,
		"image": `"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}],"structuredContent":{"a":1}`,
	}
	s := begin(t, fakeTools{run: func(_ context.Context, name string, _ *Client) Result { return results[name] }})
	s.send(hello)
	s.want(initialized("2025-11-25"))
	for name, want := range wants {
		s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `"}}`)
		s.want(`{"jsonrpc":"2.0","id":1,"result":{` + want + `}}`)
	}
}

// TestLongText: a text that is quoted in parts is the same text.
func TestLongText(t *testing.T) {
	text := strings.Repeat("aé→\U0001f600\"\n", 50_000)
	s := begin(t, fakeTools{run: func(context.Context, string, *Client) Result {
		return Result{Text: text}
	}})
	s.send(hello)
	s.want(initialized("2025-11-25"))
	s.send(call(1, "x", ""))
	var answer struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(s.next()), &answer); err != nil || answer.Result.Content[0].Text != text {
		t.Errorf("another text: %v", err)
	}
}

// TestLongLine: a message that is too long is refused by its id, wherever the client writes that.
func TestLongLine(t *testing.T) {
	content := strings.Repeat("x", stream.MaxBytes)
	const refused = `,"error":{"code":-32600,"message":"the message is longer than 16777216 bytes: split it"}}`
	tests := []struct{ line, id string }{
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"` + content + `"}}`, "5"},
		{`{"method":"tools/call","params":{"name":"` + content + `"},"jsonrpc":"2.0","id":"six"}`, `"six"`},
		{`{"method":"tools/call","params":{"name":"` + content + `","x":{"id":7}}}`, "null"},
		{`{"method":"tools/call","params":{"name":"` + content + `\"id\":8}`, "null"},
		{content + "x", "null"},
	}
	for _, test := range tests {
		s := begin(t, fakeTools{})
		s.send(test.line)
		s.want(`{"jsonrpc":"2.0","id":` + test.id + refused)
		s.send(hello)
		s.want(initialized("2025-11-25"))
	}
}

func TestPanic(t *testing.T) {
	s := begin(t, fakeTools{run: func(context.Context, string, *Client) Result { panic("a secret") }})
	s.send(hello)
	s.want(initialized("2025-11-25"))
	s.send(call(1, "x", ""))
	s.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":{}}`)
}
