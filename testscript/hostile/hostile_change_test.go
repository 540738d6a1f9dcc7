package hostile

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/testscript"
)

// hostileAsk is a call that isn't about a row of the table.
func hostileAsk(tool string, fields map[string]any) hostileCall {
	return hostileCall{hostileCommand: hostileCommand{name: tool, tool: tool}, fields: fields}
}

func (h *hostileTree) ask(t *testing.T, calls []hostileCall, settings ...string) (answers []hostileAnswer) {
	t.Helper()
	h.more = settings
	for _, line := range hostileInterfaces[3].answer(h, calls) {
		var a hostileAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		a.text = line
		answers = append(answers, a)
	}
	return answers
}

type hostileAnswer struct {
	Error  string
	Result struct {
		BackupID string `json:"backup_id"`
	}
	text string
}

// TestHostileLinksThemselves deletes and moves links, and moves files over them. Where they lead
// to, nothing changes.
func TestHostileLinksThemselves(t *testing.T) {
	testscript.NeedsUnix(t, "links, and names that are bytes")
	for name, change := range map[string]func(n int, path string) hostileCall{
		"delete": func(_ int, path string) hostileCall {
			return hostileAsk("delete", map[string]any{"path": path, "recursive": true})
		},
		"move": func(n int, path string) hostileCall {
			return hostileAsk("move", map[string]any{"from": path, "to": fmt.Sprint("moved", n)})
		},
		"over": func(n int, path string) hostileCall {
			return hostileAsk("move", map[string]any{"from": fmt.Sprint("from", n), "to": path, "overwrite": true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHostileTree(t)
			if !h.links {
				t.Skip("no symbolic links here")
			}
			before, calls := h.forbidden(), make([]hostileCall, 0, len(hostileLinks))
			for link := range hostileLinks {
				if !strings.HasPrefix(link, "name") { // bytes that JSON can't have
					if err := os.WriteFile(filepath.Join(h.root, fmt.Sprint("from", len(calls))), nil, 0o666); err != nil {
						t.Fatal(err)
					}
					calls = append(calls, change(len(calls), link))
				}
			}
			for i, a := range h.ask(t, calls) {
				if a.Error != "" {
					t.Errorf("%v: %s", calls[i].fields, a.text)
				}
			}
			if after := h.forbidden(); after != before {
				t.Errorf("outside, and of what is denied, there is now\n%s\nbefore\n%s", after, before)
			}
		})
	}
}

// TestHostilePolicy: with an open policy, changes are made to what the rules then deny. With the
// rules, nobody can take them back, see them, or move what is denied to where it isn't.
func TestHostilePolicy(t *testing.T) {
	testscript.NeedsUnix(t, "links, and names that are bytes")
	h := newHostileTree(t)
	open := h.ask(t, []hostileCall{
		hostileAsk("edit", map[string]any{"path": ".env", "expected_text": "e", "replacement_text": "E"}),
		hostileAsk("append", map[string]any{"path": "vault/qqqqqq", "content": hostileSecret}),
		hostileAsk("write", map[string]any{"path": "vault/new", "content": hostileSecret}),
		hostileAsk("write", map[string]any{"path": "vault/gone", "content": hostileSecret}),
		hostileAsk("delete", map[string]any{"path": "vault/gone"}),
		hostileAsk("move", map[string]any{"from": "dir/sub/deep.txt", "to": "vault/deep.txt"}),
		hostileAsk("move", map[string]any{"from": "vault/deep.txt", "to": "dir/sub/deep.txt"}),
		hostileAsk("copy", map[string]any{"from": "plain.txt", "to": ".ssh/plain.txt"}),
		hostileAsk("mkdir", map[string]any{"path": "vault/sub/dir"}),
		hostileAsk("patch",
			map[string]any{"patch": "--- plain.txt\n+++ plain.txt\n@@ -1 +1 @@\n-plain\n+new\n" +
				"--- /dev/null\n+++ .ssh/id\n@@ -0,0 +1 @@\n+" + hostileSecret}),
	}, "--deny", "!**", "--no-default-deny")
	var calls []hostileCall
	for i, a := range open {
		if a.Error != "" {
			t.Fatalf("the change %d: %s", i, a.text)
		}
		if id := a.Result.BackupID; id != "" {
			calls = append(calls, hostileAsk("undo", map[string]any{"backup_id": id}), hostileAsk("undo", map[string]any{"backup_id": id,
				"dry_run": true}),
				hostileAsk("undo", map[string]any{"since": id}), hostileAsk("undo", map[string]any{"since": id, "dry_run": true}))
		}
	}
	if len(calls) < 24 {
		t.Errorf("only %d calls", len(calls))
	}
	for _, path := range []string{".env", "vault/qqqqqq", "vault/new", "vault/gone", "vault/deep.txt", ".ssh/plain.txt", ".ssh/id", ".ssh",
		"vault"} {
		calls = append(calls, hostileAsk("undo", map[string]any{"path": path}), hostileAsk("undo", map[string]any{"path": path, "list": true}))
	}
	for _, folder := range []string{"dir", "./dir", ".ssh", "vault", "./vault/", "$BASE/ws/dir"} {
		folder = h.expand(folder)
		calls = append(calls, hostileAsk("move", map[string]any{"from": folder, "to": "elsewhere"}), hostileAsk("copy",
			map[string]any{"from": folder, "to": "elsewhere"}),
			hostileAsk("delete", map[string]any{"path": folder, "recursive": true}))
	}
	for _, to := range []string{".ssh/new", "vault/plain.txt", ".env", "dir/new.pem", "to-vault/new", ".git/hooks/post-commit",
		"to-git/hooks/new", "to-new-env/x", "in/id_rsa"} {
		calls = append(calls, hostileAsk("move", map[string]any{"from": "plain.txt", "to": to, "overwrite": true}), hostileAsk("move",
			map[string]any{"from": "dir/sub", "to": to}),
			hostileAsk("copy", map[string]any{"from": "plain.txt", "to": to, "overwrite": true}), hostileAsk("copy",
				map[string]any{"from": "dir/sub", "to": to}))
	}
	before := h.forbidden()
	for i, a := range h.ask(t, calls) {
		if a.Error != "path_blocked" {
			t.Errorf("%s %v: %s", calls[i].tool, calls[i].fields, a.text)
		}
		if strings.Contains(a.text, strings.TrimSpace(hostileSecret)) {
			t.Errorf("%s %v: the answer has a secret: %s", calls[i].tool, calls[i].fields, a.text)
		}
	}
	if after := h.forbidden(); after != before {
		t.Errorf("of what is denied there is now\n%s\nbefore\n%s", after, before)
	}
}
