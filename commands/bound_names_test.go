package commands

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/commands/clients"
)

// Whatever a client says of itself, or doesn't say, is no failure: it decides how long a page is.
func TestBoundByName(t *testing.T) {
	const unknown, claude = 20_000, 49_900
	hello := func(info string) string {
		return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}` + info + `}}`
	}
	named := func(name string) string { return hello(`,"clientInfo":{"name":"` + name + `","version":"1"}`) }
	long := strings.Repeat("n", 10<<10)
	for _, tt := range []struct {
		what   string
		hellos []string
		meta   string
		flags  []string
		want   int
	}{
		{"known", []string{named("claude-code")}, "", nil, claude},
		{"unknown", []string{named("nobody")}, "", nil, unknown},
		{"none", []string{hello("")}, "", nil, unknown},
		{"null", []string{hello(`,"clientInfo":null`)}, "", nil, unknown},
		{"a number", []string{hello(`,"clientInfo":7`)}, "", nil, unknown},
		{"a name that is a list", []string{hello(`,"clientInfo":{"name":["claude-code"]}`)}, "", nil, unknown},
		{"an empty name", []string{named("")}, "", nil, unknown},
		{"no name", []string{hello(`,"clientInfo":{"version":"1"}`)}, "", nil, unknown},
		{"long", []string{named(long)}, "", nil, unknown},
		{"long, as a known one begins", []string{named("qwen-cli-mcp-client-" + long)}, "", nil, unknown},
		{"much beside it", []string{hello(`,"clientInfo":{"name":"claude-code","icons":["` + long + `"]}`)}, "", nil, claude},
		{"escaped", []string{named(`claude\u002dcode`)}, "", nil, claude},
		{"twice the same", []string{named("claude-code"), named("claude-code")}, "", nil, claude},
		{"two names", []string{named("claude-code"), named("kilo")}, "", nil, unknown},
		{"a name and none", []string{named("claude-code"), hello("")}, "", nil, unknown},
		{"operator", []string{named("claude-code")}, "", []string{"--max-answer-chars", "30000"}, 30_000},
		{"operator's max_output_bytes", []string{named("claude-code")}, "", []string{"--max-output-bytes", "9000"}, 9000},
		{"other era", nil, modernMeta(`{"name":"claude-code"}`, ""), nil, claude},
		{"other era, unknown", nil, modernMeta(`{"name":"x"}`, ""), nil, unknown},
		{"other era, a wrong one", nil, modernMeta(`"claude-code"`, ""), nil, unknown},
		{"other era in a session", []string{named("kilo")}, modernMeta(`{"name":"claude-code"}`, ""), nil, claude},
		{"codex", []string{named("codex-mcp-client")}, "", nil, 11_900},
		{"codex, listed", []string{named("codex-mcp-client")}, `,"_meta":{"x-codex-turn-metadata":{"model":"gpt-5.5"}}`, nil, 39_900},
		{"codex, as a text", []string{named("codex-mcp-client")}, `,"_meta":{"x-codex-turn-metadata":"{\"model\":\"gpt-5.5\"}"}`, nil, 39_900},
		{"codex, other", []string{named("codex-mcp-client")}, `,"_meta":{"x-codex-turn-metadata":{"model":"mine"}}`, nil, 11_900},
		{"codex, wrong", []string{named("codex-mcp-client")}, `,"_meta":{"x-codex-turn-metadata":[1]}`, nil, 11_900},
	} {
		t.Run(tt.what, func(t *testing.T) {
			if n := pageLength(t, tt.hellos, tt.meta, tt.flags); n > tt.want || n*13/10 < min(tt.want, 40_000) {
				t.Errorf("a page of %d, with a bound of %d", n, tt.want)
			}
		})
	}
}

// A name is that of a client to the letter: in another case, or with something around it, it is
// unknown.
func TestBoundOfNearNames(t *testing.T) {
	for _, c := range clients.Known() {
		name := strings.ReplaceAll(c.Name, "*", "fsbox")
		for _, near := range []string{strings.ToUpper(name), " " + name, name + "\n", "x" + name} {
			if strings.HasSuffix(c.Name, "*") && strings.HasPrefix(near, strings.TrimSuffix(c.Name, "*")) {
				continue
			}
			hello, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": map[string]any{
				"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": near, "version": "1"}}})
			if err != nil {
				t.Fatal(err)
			}
			if n := pageLength(t, []string{string(hello)}, "", nil); n > 20_000 || n < 19_000 {
				t.Errorf("%q gets a page of %d", near, n)
			}
		}
	}
}

func modernMeta(info, more string) string {
	return `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":` + info + more + `}`
}

// pageLength is how long the first page of a long file is.
func pageLength(t *testing.T, hellos []string, meta string, flags []string) int {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "a.txt"), strings.Repeat("a line of the file that is read\n", 3000))
	c := pipeMCP(t, append([]string{"--root", root}, flags...)...)
	for _, hello := range hellos {
		c.send(hello)
		if got := c.next(t); !strings.Contains(got, `"result"`) {
			t.Fatal(got)
		}
	}
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"a.txt"}%s}}`, meta))
	var got struct {
		Result struct{ Content []struct{ Text string } }
	}
	line := c.next(t)
	if err := json.Unmarshal([]byte(line), &got); err != nil || len(got.Result.Content) != 1 || strings.Contains(line, `"isError"`) {
		t.Fatal(line)
	}
	return len(got.Result.Content[0].Text)
}
