package conformance

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "fsbox-conformance-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "fsbox")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Stderr = filepath.Join("..", "..", ".."), os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// workspace is a folder with a few files.
func workspace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"a.txt": "one\ntwo\n", "sub/b.go": "package b\n"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func serve(root string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, append([]string{"mcp", "--root", root}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+root+".state")
	cmd.Stderr = os.Stderr
	return cmd
}

func connect(t *testing.T, o *mcp.ClientOptions, version, root string, args ...string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: serve(root, args...), TerminateDuration: time.Minute},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

var versions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// TestGoClient lists, calls and closes in both eras.
func TestGoClient(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			session := connect(t, nil, version, workspace(t), "--allow-write", "--structured")
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("version %s, want %s", got, version)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) < 12 {
				t.Fatalf("%d tools, %v", len(list.Tools), err)
			}
			for _, tool := range list.Tools {
				if a := tool.Annotations; a == nil || a.OpenWorldHint == nil || *a.OpenWorldHint || a.DestructiveHint == nil || tool.Description == "" {
					t.Errorf("%s: %+v", tool.Name, a)
				}
			}
			check := func(tool, arguments, want string, failed bool) {
				t.Helper()
				r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json(arguments)})
				if err != nil {
					t.Fatalf("%s: %v", tool, err)
				}
				text := r.Content[0].(*mcp.TextContent).Text
				if !strings.Contains(text, want) || r.IsError != failed || len(r.Content) != 1 {
					t.Errorf("%s %s: %q, failed %v", tool, arguments, text, r.IsError)
				}
				switch m, ok := r.StructuredContent.(map[string]any); {
				case failed && r.StructuredContent == nil: // a failure has its text alone
				case failed || !ok || m["success"] != true:
					t.Errorf("%s %s: %v", tool, arguments, r.StructuredContent)
				}
			}
			check("read", `{"path":"a.txt"}`, "one\ntwo\n", false)
			check("grep", `{"query":"package"}`, "sub/b.go", false)
			check("write", `{"path":"c.txt","content":"x\n"}`, "created \"c.txt\"", false)
			check("read", `{"path":"nosuch"}`, "not_found", true)
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nosuch"}); err == nil {
				t.Error("an unknown tool answers")
			}
			start := time.Now()
			if err := session.Close(); err != nil || time.Since(start) >= time.Minute {
				t.Errorf("close: %v after %v", err, time.Since(start))
			}
		})
	}
}

// TestGoClientCancels: a call that is canceled ends, and the session goes on.
func TestGoClientCancels(t *testing.T) {
	root := workspace(t)
	if err := exec.Command("mkfifo", filepath.Join(root, "pipe")).Run(); err != nil {
		t.Skipf("no FIFO here: %v", err)
	}
	for _, version := range versions[:2] {
		session := connect(t, nil, version, root)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "grep", Arguments: json(`{"query":"x","path":"."}`)})
		cancel()
		t.Logf("%s: canceled call: %v", version, err)
		if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read", Arguments: json(`{"path":"a.txt"}`)}); err != nil ||
			r.IsError {
			t.Errorf("%s: after a canceled call: %v", version, err)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}

// json is arguments that are JSON already.
type json string

func (j json) MarshalJSON() ([]byte, error) { return []byte(j), nil }
