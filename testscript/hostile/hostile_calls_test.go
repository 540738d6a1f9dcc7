package hostile

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fsbox/testscript"
)

// hostileCall is one request: a row by a command.
type hostileCall struct {
	hostileCommand
	hostilePath
	fields map[string]any
}

// calls are all rows by all commands. What an ordinary name, or a link itself, would change is only
// tried.
func (h *hostileTree) calls(paths []hostilePath) (all []hostileCall) {
	for _, v := range hostileCommands() {
		for _, row := range paths {
			row.path = h.expand(row.path)
			if runtime.GOOS == "windows" {
				row.kind = row.windows
			}
			c := hostileCall{v, row, v.request(row.path)}
			if row.tried(v) {
				c.fields["dry_run"] = true
			}
			if !c.senseless() {
				all = append(all, c)
			}
		}
	}
	return all
}

func (p hostilePath) tried(v hostileCommand) bool {
	return v.changes && v.tool != "mkdir" && (p.link || p.kind == missing || p.kind == aFile || p.kind == readOnly)
}

// senseless says which rows a command leaves out: a new folder, since that can't be only tried, and
// what a patch can't name.
func (c hostileCall) senseless() bool {
	plain := utf8.ValidString(c.path) && !strings.ContainsAny(c.path, "\n\r\x00\t\"")
	return c.tool == "mkdir" && c.kind == missing || c.inPatch && !c.quotes && !plain || c.name == "patch,unified" && c.path == "/dev/null"
}

// want are the codes that an answer may have; "ok" is success.
func (c hostileCall) want() []string {
	switch c.kind {
	case missing, aFile:
		if !c.listed {
			return []string{"ok", "not_found", "not_a_file", "not_a_directory"}
		}
		return strings.Fields(ordinaryAnswers[c.name][c.kind])
	case readOnly:
		if !c.changes || c.name == "copy,from" || c.tool == "undo" || c.link && c.itself {
			return []string{"ok", "not_a_file", "not_a_directory", "not_found", "path_blocked", "invalid_patch"}
		}
	}
	codes := []string{strings.Replace(string(c.kind), string(readOnly), string(denied), 1)}
	switch {
	case c.link && c.tool == "undo":
		codes = []string{"not_found"} // it is about the name
	case c.link && c.name == "patch,delete":
		codes = []string{"not_a_file"}
	case c.link && c.itself:
		codes = []string{"ok"}
	}
	if c.inPatch && (c.kind == badPath || strings.HasSuffix(c.path, "/") || strings.HasSuffix(c.path, "/.")) {
		codes = append(codes, "invalid_patch")
	}
	return codes
}

// ordinaryAnswers are the codes for a name that nothing has, and for that of a file. They are
// written down apart from the commands, as callers were promised them.
var ordinaryAnswers = map[string]map[hostileKind]string{
	"info": {missing: "ok", aFile: "ok"}, "info,hash": {missing: "ok", aFile: "ok"},
	"ls": {missing: "not_found", aFile: "not_a_directory"}, "ls,recursive": {missing: "not_found", aFile: "not_a_directory"},
	"glob": {missing: "not_found", aFile: "not_a_directory"}, "grep": {missing: "not_found", aFile: "ok"},
	"read": {missing: "not_found", aFile: "ok"}, "read,base64": {missing: "not_found", aFile: "ok"},
	"write": {missing: "ok", aFile: "ok"}, "write,create": {missing: "ok", aFile: "file_exists"}, "append": {missing: "ok", aFile: "ok"},
	"edit": {missing: "not_found", aFile: "ok"}, "mkdir": {aFile: "not_a_directory"}, "delete": {missing: "not_found", aFile: "ok"},
	"move,from": {missing: "not_found", aFile: "ok"}, "move,to": {missing: "ok", aFile: "ok"},
	"copy,from": {missing: "not_found", aFile: "ok"}, "copy,to": {missing: "ok", aFile: "ok"},
	"patch,add": {missing: "ok", aFile: "file_exists"}, "patch,update": {missing: "not_found", aFile: "ok"},
	"patch,delete": {missing: "not_found", aFile: "ok"},
	"patch,move":   {missing: "ok", aFile: "file_exists"}, "patch,unified": {missing: "not_found", aFile: "ok"},
	"patch,quoted": {missing: "not_found", aFile: "ok"}, "patch,rename": {missing: "ok", aFile: "file_exists"},
	"undo":               {missing: "not_found", aFile: "not_found"},
	"write,content_file": {missing: "not_found", aFile: "ok"}, "append,content_file": {missing: "not_found", aFile: "ok"},
	"patch,patch_file": {missing: "not_found", aFile: "invalid_patch"},
}

// input is the request as JSON. What isn't UTF-8 goes as base64.
func (c hostileCall) input() string {
	all := maps.Clone(c.fields)
	if !c.inPatch && !utf8.ValidString(c.path) {
		delete(all, c.field)
		all[c.field+"_base64"] = base64.StdEncoding.EncodeToString([]byte(c.path))
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// args is the request as flags.
func (c hostileCall) args() []string {
	args := []string{c.tool}
	for _, key := range slices.Sorted(maps.Keys(c.fields)) {
		if !slices.Contains(c.positional, key) {
			args = append(args, fmt.Sprintf("--%s=%v", strings.ReplaceAll(key, "_", "-"), c.fields[key]))
		}
	}
	args = append(args, "--")
	for _, key := range c.positional {
		args = append(args, fmt.Sprint(c.fields[key]))
	}
	return args
}

// hostileInterfaces are the ways in. Each gives an answer for each call.
var hostileInterfaces = []struct {
	name   string
	share  int // one in so many calls is made, with -sweep one in a fifth of that
	answer func(h *hostileTree, calls []hostileCall) []string
}{
	{"flags", 29, func(h *hostileTree, calls []hostileCall) (all []string) {
		for _, c := range calls {
			args := c.args()
			all = append(all, h.run("", slices.Insert(args, 1, h.settings()...)...))
		}
		return all
	}},
	{"--json", 31, func(h *hostileTree, calls []hostileCall) (all []string) {
		for _, c := range calls {
			all = append(all, h.run("", append([]string{c.tool, "--json", c.input()}, h.settings()...)...))
		}
		return all
	}},
	{"-", 3, func(h *hostileTree, calls []hostileCall) (all []string) {
		for i := 0; i < len(calls); {
			var lines strings.Builder
			tool := calls[i].tool
			for ; i < len(calls) && calls[i].tool == tool; i++ {
				lines.WriteString(calls[i].input() + "\n")
			}
			all = append(all, hostileLines(h.run(lines.String(), append([]string{tool, "-"}, h.settings()...)...))...)
		}
		return all
	}},
	{"batch", 3, func(h *hostileTree, calls []hostileCall) []string {
		var lines strings.Builder
		for _, c := range calls {
			fmt.Fprintf(&lines, `{"tool":%q,"input":%s}`+"\n", c.tool, c.input())
		}
		return hostileLines(h.run(lines.String(), append([]string{"batch"}, h.settings()...)...))
	}},
	{"mcp", 3, func(h *hostileTree, calls []hostileCall) []string {
		var lines strings.Builder
		lines.WriteString(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"t","version":"1"}}}` +
			"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
		for i, c := range calls {
			fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i, c.tool, c.input())
		}
		return mcpEnvelopes(h.serve(lines.String(), len(calls)+1), len(calls))
	}},
}

// serve has an MCP server answer so many requests. Its input ends after the last answer: at the end
// of the input a server gives the calls under way a moment only.
func (h *hostileTree) serve(requests string, answers int) string {
	in, feed := io.Pipe()
	defer in.Close()
	out := answerCount{left: answers, done: func() { feed.Close() }}
	go func() { _, _ = io.WriteString(feed, requests) }()
	overdue := time.AfterFunc(time.Minute, out.done)
	defer overdue.Stop()
	testscript.RunHere(append([]string{"mcp", "--structured"}, h.settings()...), in, &out, io.Discard)
	return out.String()
}

// answerCount is an output that calls done when it has so many lines.
type answerCount struct {
	bytes.Buffer
	left int
	done func()
}

func (a *answerCount) Write(text []byte) (int, error) {
	a.left -= bytes.Count(text, []byte{'\n'})
	if a.left <= 0 {
		a.done()
	}
	return a.Buffer.Write(text)
}

func hostileLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// mcpEnvelopes puts the answers of a server, which come in any order, into the order of their ids.
func mcpEnvelopes(text string, count int) []string {
	all := make([]string, count)
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct {
			ID     any
			Result struct {
				StructuredContent json.RawMessage
				Content           []struct{ Text string }
				IsError           bool
			}
			Error any
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			panic(err)
		}
		if n, ok := m.ID.(float64); ok {
			all[int(n)] = string(m.Result.StructuredContent)
			switch {
			case m.Error != nil:
				all[int(n)] = lines.Text()
			case m.Result.IsError:
				all[int(n)] = testscript.FailureEnvelope(m.Result.Content[0].Text)
			}
		}
	}
	return all
}

// TestHostilePaths holds that no path gets out of the workspace, or around a rule, by any command,
// through any interface; that nothing is changed where it must not be; and that the answers don't
// tell what there is outside.
func TestHostilePaths(t *testing.T) {
	testscript.NeedsUnix(t, "links, and names that are bytes")
	h := newHostileTree(t)
	if len(hostilePaths) < 150 {
		t.Errorf("%d paths, want at least 150", len(hostilePaths))
	}
	before := h.forbidden()
	for i, via := range hostileInterfaces {
		t.Run(via.name, func(t *testing.T) {
			calls := h.calls(hostilePaths)
			if via.name != "flags" {
				calls = slices.DeleteFunc(calls, func(c hostileCall) bool { return c.byFlags })
			}
			share := via.share
			switch {
			case testscript.Sweep():
				share = max(1, share/5)
			case testing.Short():
				share *= 16
			}
			calls = sampled(calls, i, share)
			twins := twinsOf(calls)
			answers := via.answer(h, slices.Concat(calls, twins))
			if len(answers) != len(calls)+len(twins) {
				t.Fatalf("%d answers to %d calls", len(answers), len(calls)+len(twins))
			}
			twinOf := map[string]int{}
			for i, c := range twins {
				twinOf[c.name+" "+c.path] = i
			}
			for i, c := range calls {
				c.judge(t, answers[i])
				twin, ok := twinOf[c.name+" "+absent(c.path)]
				if !ok || alike(answers[i], answers[len(calls)+twin]) {
					continue
				}
				// The search for like names in the workspace ends early on a busy machine: what is
				// told is told again.
				again := via.answer(h, []hostileCall{c, twins[twin]})
				if !alike(again[0], again[1]) {
					t.Errorf("%s %q tells what there is:\n%s\nand of what isn't there:\n%s", c.name, c.path, again[0], again[1])
				}
			}
			if after := h.forbidden(); after != before {
				t.Fatalf("outside, and of what is denied, there is now\n%s\nbefore\n%s", after, before)
			}
		})
	}
}

// sampled is a share of the calls, another for each interface.
func sampled(calls []hostileCall, phase, share int) (some []hostileCall) {
	for i := phase; i < len(calls); i += share {
		some = append(some, calls[i])
	}
	return some
}

// twinsOf are the same calls about what doesn't exist.
func twinsOf(calls []hostileCall) (twins []hostileCall) {
	for _, c := range calls {
		if strings.Contains(c.path, "qqqqqq") && c.kind != missing {
			c.path = absent(c.path)
			_, tried := c.fields["dry_run"]
			if c.fields = c.request(c.path); tried {
				c.fields["dry_run"] = true
			}
			twins = append(twins, c)
		}
	}
	return twins
}

// alike reports whether an answer about what exists tells no more than the one about what doesn't.
func alike(present, missing string) bool { return absent(present) == missing }

func absent(text string) string { return strings.ReplaceAll(text, "qqqqqq", "zzzzzz") }

func (c hostileCall) judge(t *testing.T, text string) {
	t.Helper()
	var a struct {
		Success bool
		Error   string
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%s %q: %q: %v", c.name, c.path, text, err)
	}
	if a.Success {
		a.Error = "ok"
	}
	if !slices.Contains(c.want(), a.Error) {
		t.Errorf("%s %.80q: %s, want %v: %.300s", c.name, c.path, a.Error, c.want(), text)
	}
	if strings.Contains(text, strings.TrimSpace(hostileSecret)) {
		t.Errorf("%s %q: the answer has a secret: %s", c.name, c.path, text)
	}
}
