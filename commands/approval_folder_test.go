package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/approve"
	"fsbox/commands/session"
	"fsbox/commands/settings"
)

// folderChanges are requests about a folder d that has s/f in it, and where that folder is when
// somebody has agreed.
var folderChanges = []struct{ tool, request, at string }{
	{"copy", `{"from":"d","to":"e"}`, "ws/d"},
	{"copy", `{"from":"link","to":"e"}`, "ws/d"},
	{"move", `{"from":"d","to":"e"}`, "ws/d"},
	{"delete", `{"path":"d","recursive":true}`, "ws/d"},
	{"undo", `{}`, "state"},
	{"undo", `{"since":"ID"}`, "state"},
	{"undo", `{"backup_id":"ID"}`, "state"},
	{"undo", `{"path":"d"}`, "state"},
}

// TestConsentOfFolder: a consent is for a folder as it was shown, with its mode and all that is in
// it, where an undo keeps it as well.
func TestConsentOfFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if runtime.GOOS == "windows" {
		t.Skip("modes and links")
	}
	for _, tt := range folderChanges {
		for name, late := range map[string]func(folder string) error{
			"mode of the top": func(folder string) error { return os.Chmod(folder, 0o777) },
			"mode within":     func(folder string) error { return os.Chmod(filepath.Join(folder, "s"), 0o777) },
			"mode of a file":  func(folder string) error { return os.Chmod(filepath.Join(folder, "s", "f"), 0o777) },
			"one more":        func(folder string) error { return os.WriteFile(filepath.Join(folder, "evil"), nil, 0o666) },
			"one more within": func(folder string) error { return os.WriteFile(filepath.Join(folder, "s", "evil"), nil, 0o666) },
			"one less":        func(folder string) error { return os.Remove(filepath.Join(folder, "s", "f")) },
			"other text":      func(folder string) error { return sameTimes(filepath.Join(folder, "s", "f"), "y") },
		} {
			for _, mode := range []string{settings.ApprovalToken, settings.ApprovalPrompt} {
				env, request := folderEnv(t, tt.tool, tt.request)
				home, asked := filepath.Dir(env.Workspace.Root()), 0
				change := func() {
					if asked++; asked == 1 {
						if err := late(folderBelow(t, filepath.Join(home, tt.at))); err != nil {
							t.Fatal(err)
						}
					}
				}
				env.Settings.Approval = mode
				var a answer.Answer
				if mode == settings.ApprovalPrompt {
					env.Desk.Approver = yes{func(*approval.Plan) { change() }}
					if a = send(t, env, tt.tool, request); asked != 2 && a.Success {
						t.Errorf("%s %s, %s: asked %d times", tt.tool, request, name, asked)
					}
					continue
				}
				token := tokenFor(t, env, send(t, env, tt.tool, request))
				change()
				a = send(t, env, tt.tool, strings.Replace(strings.TrimSuffix(request, "}")+fmt.Sprintf(`,"approval":%q}`, token), "{,", "{", 1))
				if a.Success || a.Error != answer.CodeApprovalRequired && a.Error != answer.CodeBackupFailed {
					t.Errorf("%s %s, %s: %v %s %s", tt.tool, request, name, a.Success, a.Error, a.Message)
				}
			}
		}
	}
}

// sameTimes writes a file so that its times are those from before.
func sameTimes(path, content string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path, []byte(content), 0o666), os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// folderEnv is a workspace with the folder; for an undo the folder is deleted.
func folderEnv(t *testing.T, tool, request string) (env *session.Session, filled string) {
	t.Helper()
	now := time.Now()
	env = tokenEnv(t, &now)
	root := env.Workspace.Root()
	writeFile(t, filepath.Join(root, "d", "s", "f"), "x")
	if err := errors.Join(os.Chmod(filepath.Join(root, "d"), 0o700), os.Symlink("d", filepath.Join(root, "link"))); err != nil {
		t.Fatal(err)
	}
	if tool != "undo" {
		return env, request
	}
	desk := env.Desk
	env.Desk = nil
	a := send(t, env, "delete", `{"path":"d","recursive":true}`)
	env.Desk = desk
	line := lineOf(a)
	_, id, _ := strings.Cut(line, `"backup_id":"`)
	id, _, _ = strings.Cut(id, `"`)
	if !a.Success || id == "" {
		t.Fatal(line)
	}
	return env, strings.ReplaceAll(request, "ID", id)
}

// folderBelow finds the folder that has s in it.
func folderBelow(t *testing.T, top string) (found string) {
	t.Helper()
	err := filepath.WalkDir(top, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == "s" {
			found = filepath.Dir(path)
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatal(top, err)
	}
	return found
}

func tokenFor(t *testing.T, env *session.Session, a answer.Answer) string {
	t.Helper()
	details, ok := a.Details.(*approval.ApprovalDetails)
	if !ok {
		t.Fatalf("%+v", a)
	}
	r, err := (&approve.Request{RequestDigest: details.RequestDigest}).Run(context.Background(), env.Env)
	if err != nil {
		t.Fatal(err)
	}
	return *r.(*approve.Result).Token
}
