package change

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// client is a host that passes on to a script what fsbox answers, as show makes it.
type client struct {
	t    *testing.T
	name string
	show func(tool, text string) string
}

// run makes a change in a folder, and gives its report.
func (c client) run(fsbox string, what Change) (Report, string) {
	t, root := c.t, c.t.TempDir()
	if err := what.Lay(t.Context(), root); err != nil {
		t.Skip(err)
	}
	server := exec.Command(fsbox, "mcp", "--root", root, "--allow-write", "--allow-delete")
	server.Env = []string{"HOME=" + t.TempDir()}
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Wait()
	defer in.Close()
	lines := bufio.NewReader(out)
	ask := func(method string, params any) string {
		data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(in, "%s\n", data)
		line, err := lines.ReadString('\n')
		var m message
		if err != nil || json.Unmarshal([]byte(line), &m) != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if len(m.Result.Content) == 0 {
			return ""
		}
		return m.Result.Content[0].Text
	}
	ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": c.name, "version": "1"}})
	s, err := what.Start(root)
	if err != nil {
		t.Fatal(err)
	}
	var sent []string
	for call, more := s.First(), true; more && len(sent) < 300; {
		text := ask("tools/call", map[string]any{"name": call.Tool, "arguments": call.Arguments})
		sent = append(sent, text)
		call, more = s.Next(c.show(call.Tool, text))
	}
	return s.Report(sent), s.Transcript()
}

type message struct {
	Result struct{ Content []struct{ Text string } }
}

func build(t *testing.T) string {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	fsbox := filepath.Join(t.TempDir(), "fsbox")
	cmd := exec.Command("go", "-C", "../..", "build", "-o", fsbox, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return fsbox
}

func whole(_, text string) string { return text }

func inJSON(_, text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // as JavaScript
	_ = e.Encode([]any{map[string]any{"type": "text", "text": text}})
	return "Output:\n" + b.String()
}

// Where a host passes everything on, whatever the length of a page, nothing is wrong.
func TestWhole(t *testing.T) {
	fsbox := build(t)
	for _, what := range All("../../bench/tasks") {
		for _, name := range []string{"claude-code", "codex-mcp-client", "@cline/core"} {
			for form, show := range map[string]func(string, string) string{"text": whole, "JSON": inJSON} {
				if form == "JSON" && name != "claude-code" {
					continue
				}
				t.Run(what.Name+" "+name+" "+form, func(t *testing.T) {
					r, transcript := client{t, name, show}.run(fsbox, what)
					if len(r.Faults) > 0 || r.Refused == 0 || r.Pages == 0 || r.Calls < 12 {
						t.Errorf("%+v\n%s\n%.200000s", r, strings.Join(r.Faults, "\n"), transcript)
					}
				})
			}
		}
	}
}

// What a host leaves out, changes or adds is told.
func TestFaults(t *testing.T) {
	fsbox := build(t)
	cobra := All("../../bench/tasks")[1]
	of := func(tool string, change func(string) string) func(string, string) string {
		return func(called, text string) string {
			if called == tool {
				return change(text)
			}
			return text
		}
	}
	for _, tt := range []struct {
		name string
		show func(tool, text string) string
		want string
	}{
		{"head", of("read", func(s string) string { return s[:min(len(s), 2000)] }), "not all that was sent is shown"},
		{"middle", of("grep", func(s string) string { return s[:len(s)/3] + s[len(s)/3*2:] }), "not all that was sent is shown"},
		{"one character", of("undo", func(s string) string { return strings.Replace(s, "compCmd", "compCmb", 1) }),
			"not all that was sent is shown"},
		{"no note", of("read", func(s string) string { _, rest, _ := strings.Cut(s, "\n"); return rest }),
			"not all that was sent is shown"},
		{"mark", of("ls", func(s string) string { return s + "…7 tokens truncated…" }), "a mark of a cut"},
		{"another page", of("read", func(s string) string {
			return strings.Replace(s, "continue with start_line ", "continue with start_line 1", 1)
		}),
			"the page from"},
		{"refusal", of("patch", func(s string) string { return firstLine(s) }), "the answer shows nothing like"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := client{t, "claude-code", tt.show}.run(fsbox, cobra)
			if all := strings.Join(r.Faults, "\n"); !strings.Contains(all, tt.want) {
				t.Errorf("%q, want %q", all, tt.want)
			}
		})
	}
}

// A host that ends too early, or was never asked, has faults, and no file is called wrong.
func TestEndsEarly(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, calls := range []int{0, 1} {
		s, err := All("../../bench/tasks")[0].Start(root)
		if err != nil {
			t.Fatal(err)
		}
		if calls > 0 {
			s.First()
		}
		if r := s.Report(nil); len(r.Faults) != 1 || !strings.Contains(r.Faults[0], "before the work did") {
			t.Errorf("%+v", r)
		}
	}
}

func TestApply(t *testing.T) {
	now := tree{"a": "one\ntwo\nthree\ntwo\nlast\n", "b": "x\n"}
	patch := "*** Begin Patch\n*** Update File: a\n@@\n two\n+new\n@@\n-two\n+2\n last\n*** Update File: b\n@@\n-x\n+y\n+z\n*** End Patch"
	if err := now.apply(patch); err != nil || now["a"] != "one\ntwo\nnew\nthree\n2\nlast\n" || now["b"] != "y\nz\n" {
		t.Errorf("%q, %v", now, err)
	}
	if err := now.apply(patch); err == nil {
		t.Error("a patch was made twice")
	}
	if got := (tree{"a": "1", "c": "", ".host/x": ""}).differences(tree{"a": "2", "b": ""}); len(got) != 3 {
		t.Errorf("%q", got)
	}
}
