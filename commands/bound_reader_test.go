package commands

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"fsbox/commands/clients"
	"fsbox/textio"
)

// host is a client as a host is one: it counts each answer, and reads on only as the first line
// says.
type host struct {
	*pipedClient
	client clients.Client
	most   int64 // of one answer, as the client counts it
	own    bool  // most is the operator's number
	modern bool  // the era without sessions
	both   bool  // answers have the structured form
	calls  int
	longer []int64 // how long the answers were that the bound cut
}

// connect starts a server for a client. most is the operator's bound, 0 for the client's own.
func connect(t *testing.T, root string, client clients.Client, most int64, modern bool, flags ...string) *host {
	h := &host{client: client, most: client.Most, own: most > 0, modern: modern}
	args := append([]string{"--root", root}, flags...)
	if most > 0 {
		h.most, args = most, append(args, "--max-answer-chars", strconv.FormatInt(most, 10))
	}
	if h.most == 0 {
		h.most = 256 << 10
	}
	h.pipedClient = startMCPNamed(t, h.name(), args...)
	return h
}

// name is one that the table's row is for.
func (h *host) name() string { return strings.ReplaceAll(h.client.Name, "*", "fsbox") }

// call gives the text of an answer, or fails the test where the answer is longer than its bound.
func (h *host) call(t *testing.T, tool string, arguments map[string]any) string {
	t.Helper()
	h.calls++
	meta := ""
	if h.modern {
		meta = fmt.Sprintf(`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
			`"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"}}`, h.name())
	}
	h.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, h.calls, tool,
		jsonText(t, arguments), meta))
	line := h.next(t)
	var got struct {
		Result json.RawMessage
	}
	var result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil || json.Unmarshal(got.Result, &result) != nil || len(result.Content) != 1 {
		t.Fatalf("%s %v: %s", tool, arguments, line)
	}
	if h.most < 256<<10 && strings.Contains(string(result.StructuredContent), `"truncated_by":"max_output_bytes"`) {
		t.Fatalf("%s with a bound of %d: %s %v is cut by another limit, it says: %.300s", h.name(), h.most, tool, arguments, line)
	}
	text, n := result.Content[0].Text, int64(0)
	if h.both && !strings.Contains(line, `"isError":true`) == (result.StructuredContent == nil) {
		t.Fatalf("%s: structured content: %.300s", tool, line)
	}
	if n = h.count(text, string(got.Result), string(result.StructuredContent)); n > h.most {
		t.Fatalf("%s with a bound of %d: %s %v has %d:\n%.300s", h.name(), h.most, tool, arguments, n, text)
	}
	if lines := strings.Count(text, "\n"); lines > 1990 {
		t.Fatalf("%s: %s %v has %d lines", h.name(), tool, arguments, lines)
	}
	h.longer = append(h.longer, n)
	return text
}

// count counts an answer as the host does.
func (h *host) count(text, result, structured string) int64 {
	switch {
	case h.client.Unit == textio.JSONChars:
		return chars(result)
	case h.client.Unit == textio.Bytes && (h.own || h.client.Most > 0):
		return int64(max(len(text), len(structured)))
	case h.client.Both:
		return chars(text) + chars(structured)
	}
	return max(chars(text), chars(structured))
}

func chars(text string) int64 { return int64(len(utf16.Encode([]rune(text)))) }

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var continues = regexp.MustCompile(`^\[(?:[^\n]*; )?continue with (start_line|cursor) (\S+?)(?:; [^\n]*)?\]\n`)

// pages reads all pages of an answer, each without its first line, which says how to continue.
func (h *host) pages(t *testing.T, tool string, arguments map[string]any) (all []string) {
	t.Helper()
	for {
		text := h.call(t, tool, arguments)
		m := continues.FindStringSubmatch(text)
		if m == nil {
			if strings.Contains(text, "continue with") {
				t.Fatalf("%s: not in the first line: %.300s", tool, text)
			}
			return append(all, text)
		}
		all = append(all, strings.TrimPrefix(text, m[0]))
		if m[1] == "start_line" {
			arguments[m[1]] = json.RawMessage(m[2])
		} else {
			arguments[m[1]] = m[2]
		}
		if len(all) > 5000 {
			t.Fatalf("%s %v doesn't end", tool, arguments)
		}
	}
}

// startMCPNamed is startMCP for a client with a name.
func startMCPNamed(t testing.TB, name string, args ...string) *pipedClient {
	c := pipeMCP(t, args...)
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},`+
		`"clientInfo":{"name":%q,"version":"1"}}}`, name))
	c.next(t)
	return c
}
