package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"fsbox/commands/command"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// variedCalls are more than 100 different requests, "TOOL REQUEST": those of answeredCalls, and
// others that only read.
func variedCalls() []string {
	calls := strings.Split(strings.TrimSpace(answeredCalls), "\n")
	for n := 1; n <= 8; n++ {
		calls = append(calls, fmt.Sprintf(`read {"path":"code.go","start_line":%d,"max_lines":2}`, n),
			fmt.Sprintf(`Read {"file_path":"long","start_line":-%d,"line_numbers":%v,"limit":1}`, n, n%2 == 0),
			fmt.Sprintf(`grep {"pattern":"o","context":%d,"max_matches":%d,"include_hidden":true}`, n%3, n),
			fmt.Sprintf(`search_text {"query":"m.","use_regex":true,"max_matches":%d}`, n),
			fmt.Sprintf(`ls {"recursive":true,"depth":%d,"include_hidden":true}`, n),
			fmt.Sprintf(`Glob {"pattern":"**/*","type":"any","limit":%d}`, n))
	}
	return append(calls, `read {"path":"picture.png","encoding":"base64","max_lines":1}`, `read {"pth":"code.go"}`, `ls {"max_entries":0}`,
		`grep {}`, `read {"path":"code.go","path":"long"}`, `read {"path":"code.go","encoding":"klingon"}`)
}

// steady replaces what differs between two workspaces with the same history: folders, ids, times,
// and cursors, which have inodes.
func steady(root, state, answer string) string {
	answer = strings.ReplaceAll(strings.ReplaceAll(answer, root, "ROOT"), state, "STATE")
	for _, r := range []string{`STATE/[^"\s]+`, `"next_cursor":"[^"]*`, `\bcursor "?[^\s"\];]+`, `m[0-9a-z]{12}`, `"(modified|time)":[0-9.]+`,
		`\d{4}-\d\d-\d\dT?[^"\n ]*`, `\d\d:\d\d(:\d\d)?`, `modified: [0-9.]+`, `[a-z][0-9a-f]{32}`} {
		answer = regexp.MustCompile(r).ReplaceAllString(answer, "~")
	}
	return answer
}

// cli gives the answer of a call of its own process to a request, in one format.
func cli(t *testing.T, root, state, format, line string) string {
	t.Helper()
	name, request, _ := strings.Cut(line, " ")
	tool, _ := command.FindLoosely(All(), name)
	var out bytes.Buffer
	Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Commands: All()}.Run(t.Context(),
		[]string{tool.Name, "--json", request, "--root", root, "--state-dir", state, "--allow-write", "--allow-delete", "--no-fsync",
			"--format", format})
	return steady(root, state, out.String())
}

// TestMCPAnswersLikeTheCommandLine: the same requests, in three workspaces that are alike, give the
// same by --format text, by --format json, and as content and structuredContent by MCP.
func TestMCPAnswersLikeTheCommandLine(t *testing.T) {
	var roots, states [3]string
	for i := range roots {
		roots[i], states[i] = variedEnv(t).Workspace.Root(), t.TempDir()
	}
	c := startMCP(t, "--root", roots[2], "--state-dir", states[2], "--allow-write", "--allow-delete", "--no-fsync", "--structured",
		"--all-fields")
	calls := variedCalls()
	if len(calls) < 100 {
		t.Fatalf("only %d calls", len(calls))
	}
	for i, line := range calls {
		if line == `read {"path":"picture.png"}` {
			continue // MCP shows the picture; the script mcp holds that
		}
		name, request, _ := strings.Cut(line, " ")
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i+1, name, request))
		var got struct {
			Result struct {
				Content           []struct{ Text string }
				StructuredContent json.RawMessage
				IsError           bool
			}
		}
		if err := json.Unmarshal([]byte(c.next(t)), &got); err != nil || len(got.Result.Content) != 1 {
			t.Fatalf("%s: %v", line, err)
		}
		if text, want := steady(roots[2], states[2], got.Result.Content[0].Text), cli(t, roots[0], states[0], "text", line); text != want {
			t.Errorf("%s\nMCP:\n%s\n--format text:\n%s", line, text, want)
		}
		structured, want := steady(roots[2], states[2], string(got.Result.StructuredContent)), cli(t, roots[1], states[1], "json", line)
		failed := strings.HasPrefix(want, `{"success":false`)
		if failed { // it has only the text: some hosts would show both
			want = ""
		}
		if want = brief(name, strings.TrimSuffix(want, "\n")); structured != want {
			t.Errorf("%s\nMCP:\n%s\nJSON:\n%s", line, structured, want)
		}
		if failed != got.Result.IsError {
			t.Errorf("%s: isError %v", line, got.Result.IsError)
		}
	}
}

// brief is an answer in JSON as it goes out beside the text form.
func brief(tool, answer string) string {
	switch tool {
	case "ls":
		answer = regexp.MustCompile(`\{"name":"[^"]*",`).ReplaceAllString(answer, "{")
		answer = regexp.MustCompile(`,"size":\d+,~`).ReplaceAllString(answer, "")
		return strings.ReplaceAll(answer, `,"type":"file"`, "")
	case "grep", "search_text":
		return briefMatches(answer)
	}
	return answer
}

// briefMatches is an answer of grep without offsets, with each file once in a row, and without the
// lines of context that another match has.
func briefMatches(whole string) string {
	type match struct {
		File         string   `json:"file,omitempty"`
		PathBase64   string   `json:"path_base64,omitempty"`
		Line         int      `json:"line"`
		Anchor       string   `json:"anchor,omitempty"`
		EndLine      int      `json:"end_line,omitempty"`
		Snippet      string   `json:"snippet"`
		SnippetStart int      `json:"snippet_start,omitempty"`
		Before       []string `json:"before,omitempty"`
		After        []string `json:"after,omitempty"`
		ContextCut   bool     `json:"context_cut,omitempty"`
	}
	head, rest, _ := strings.Cut(whole, `"matches":`) // the answer has marks that aren't JSON
	var list []match
	from := json.NewDecoder(strings.NewReader(rest))
	if from.Decode(&list) != nil {
		return whole
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	out.WriteByte('[')
	shown := 0 // the last line that the file at hand has in the answer
	for i, m := range list {
		if i > 0 && m.File == list[i-1].File {
			before := m.Line - len(m.Before)
			m.Before = m.Before[min(len(m.Before), max(0, shown+1-before)):]
			m.File, m.PathBase64 = "", ""
		}
		shown = max(m.Line, m.EndLine) + len(m.After)
		if i+1 < len(list) && list[i+1].File == list[i].File {
			m.After = m.After[:min(len(m.After), max(0, list[i+1].Line-1-max(m.Line, m.EndLine)))]
		}
		if i > 0 {
			out.WriteByte(',')
		}
		_ = encoder.Encode(m)
		out.Truncate(out.Len() - 1)
	}
	out.WriteByte(']')
	return head + `"matches":` + out.String() + rest[from.InputOffset():]
}

// TestMCPSizes: the list of tools, and a file of 200 KiB as a page of lines, on the wire.
func TestMCPSizes(t *testing.T) {
	root := t.TempDir()
	content := strings.Repeat("\tif err := f.Close(); err != nil { // \"quoted\" <text>"+strings.Repeat(" and so on", 6)+"\n", 1900)
	if err := os.WriteFile(filepath.Join(root, "file.go"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startMCP(t, "--root", root)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if size := len(c.next(t)); size >= 20<<10 {
		t.Errorf("tools/list takes %d bytes", size)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read",` +
		`"arguments":{"path":"file.go","max_lines":10000,"max_bytes":262144}}}`)
	answer := c.next(t)
	if limit := len(content) * 12 / 10; len(answer) > limit || !strings.Contains(answer, `"type":"text"`) {
		t.Errorf("%d bytes for a file of %d: more than %d", len(answer), len(content), limit)
	}
	var got struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Result.Content[0].Text != content {
		t.Errorf("not the file: %v", err)
	}
}

// TestStructuredIsShort: hosts show a model the JSON form in place of the text, or both. Of usual
// names and lines, it is at most 1.6 times as long.
func TestStructuredIsShort(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "internal", "handlers"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		name := filepath.Join(root, "internal", "handlers", fmt.Sprintf("request_%03d_test.go", i))
		writeFile(t, name, strings.Repeat("// close ends a request, and says so to all that wait for it.\n"+
			"func (h *handler) close(ctx context.Context) error {\n\th.closed.Store(true)\n\treturn h.answer(ctx, http.StatusOK)\n}\n\n", 3))
	}
	c := startMCP(t, "--root", root, "--structured")
	for i, call := range []string{`"ls","arguments":{"path":"internal/handlers"}`, `"grep","arguments":{"query":"return"}`,
		`"glob","arguments":{"pattern":"**/*.go"}`, `"grep","arguments":{"query":"return","context":2}`,
		`"grep","arguments":{"query":"func|closed|return","use_regex":true,"context":3}`,
		`"grep","arguments":{"query":"return","output_mode":"files"}`} {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`, i+1, call))
		var got struct {
			Result struct {
				Content           []struct{ Text string }
				StructuredContent json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(c.next(t)), &got); err != nil {
			t.Fatal(err)
		}
		text, structured := len(got.Result.Content[0].Text), len(got.Result.StructuredContent)
		if text < 1000 || structured*10 > text*16 {
			t.Errorf("%s: %d characters of text, and %d of JSON", call, text, structured)
		}
	}
}
