package commands

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"fsbox/commands/approval"
	"fsbox/commands/session"
	"fsbox/commands/settings"
)

// kinds makes one path of each kind.
var kinds = map[string]func(path string) error{
	"nothing":      func(string) error { return nil },
	"file":         func(path string) error { return os.WriteFile(path, []byte("old"), 0o666) },
	"script":       func(path string) error { return os.WriteFile(path, []byte("old too"), 0o777) },
	"link":         func(path string) error { return os.Symlink("a.txt", path) },
	"dead link":    func(path string) error { return os.Symlink("nowhere", path) },
	"folder link":  func(path string) error { return os.Symlink("full", path) },
	"outside link": func(path string) error { return os.Symlink("../..", path) },
	"empty folder": func(path string) error { return os.Mkdir(path, 0o777) },
	"folder": func(path string) error {
		return os.CopyFS(path, os.DirFS(filepath.Join(filepath.Dir(path), "full")))
	},
	"long": func(path string) error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Truncate(11 << 20)
	},
}

// TestAgreedIsDone makes changes of every kind of path, and over every other kind, and takes them
// back: with somebody's consent, the same comes of it as without being asked.
func TestAgreedIsDone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("links need a right")
	}
	now := time.Now()
	env := tokenEnv(t, &now)
	env.Desk.Approver = yes{func(*approval.Plan) {}}
	for tool, request := range map[string]string{
		"delete": `{"path":"from","recursive":true}`, "write": `{"path":"from","content":"new","mode":"overwrite"}`,
		"append": `{"path":"from","content":"new"}`, "edit": `{"path":"from","expected_text":"old","replacement_text":"new"}`,
		"move": `{"from":"from","to":"to","overwrite":true}`, "copy": `{"from":"from","to":"to","overwrite":true}`,
	} {
		for from := range kinds {
			for to := range kinds {
				isTransfer, isSlow := tool == "move" || tool == "copy", to == "long" && from != "file"
				if isSlow || !isTransfer && to != "nothing" {
					continue
				}
				var came [2]string
				for i, asks := range []string{settings.ApprovalOff, settings.ApprovalPrompt} {
					prepare(t, env.Workspace.Root(), from, to)
					env.Settings.Approval = asks
					came[i] = doneAndUndone(t, env, tool, request)
				}
				if came[0] != came[1] {
					t.Errorf("%s of %s, over %s: %s; with consent: %s", tool, from, to, came[0], came[1])
				}
			}
		}
	}
}

// prepare makes anew what is in the workspace.
func prepare(t *testing.T, root, from, to string) {
	t.Helper()
	for _, name := range []string{"from", "to", "nowhere"} {
		if err := os.RemoveAll(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(root, "a.txt"), "one\nold\n")
	writeFile(t, filepath.Join(root, "full/in/f"), "x")
	for name, kind := range map[string]string{"from": from, "to": to} {
		if err := kinds[kind](filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// doneAndUndone makes a change, takes it back, and says what came of both.
func doneAndUndone(t *testing.T, env *session.Session, tool, request string) string {
	t.Helper()
	a := send(t, env, tool, request)
	came := fmt.Sprintf("%v %s %s", a.Success, a.Error, a.Message)
	var result struct {
		ID string `json:"backup_id"`
	}
	text, err := json.Marshal(a.Result)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil {
		t.Fatal(err)
	}
	if result.ID != "" {
		a = send(t, env, "undo", fmt.Sprintf(`{"backup_id":%q}`, result.ID))
		came += fmt.Sprintf(", undone: %v %s", a.Success, a.Error)
	}
	return came
}
