package commands

import (
	"errors"
	"fmt"
	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/command"
	"fsbox/commands/settings"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is changed is what was shown: a file that changes all the time while somebody thinks is
// never written.
func TestChangedWhileAsked(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.Settings.Approval = settings.ApprovalPrompt
	file, asked := filepath.Join(env.Workspace.Root(), "a.txt"), 0
	env.Desk.Approver = yes{func(*approval.Plan) {
		asked++
		writeFile(t, file, strings.Repeat("more\n", asked)+"one\n")
	}}
	a := send(t, env, "edit", `{"path":"a.txt","expected_text":"one","replacement_text":"two"}`)
	if a.Error != answer.CodeApprovalRequired || asked != approval.MaxAsks || !strings.Contains(a.Message, "changed each time") ||
		!isAskAgain(a) {
		t.Errorf("asked %d times: %+v", asked, a)
	}
	if content, _ := os.ReadFile(file); strings.Contains(string(content), "two") {
		t.Errorf("the file has %q", content)
	}
}

// What a plan found is a condition of the change, for every command, and a refused change leaves
// all as it is.
func TestChangedAfterPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	now := time.Unix(1_800_000_000, 0)
	change := map[string]func(root string) error{
		"other text": func(root string) error {
			return errors.Join(os.WriteFile(filepath.Join(root, "a.txt"), []byte("One\n"), 0o666),
				os.WriteFile(filepath.Join(root, "d", "sub", "f"), []byte("y"), 0o666))
		},
		"gone": func(root string) error {
			return errors.Join(os.Remove(filepath.Join(root, "a.txt")), os.RemoveAll(filepath.Join(root, "d", "sub")))
		},
		"more":    func(root string) error { return os.WriteFile(filepath.Join(root, "d", "sub", "late"), nil, 0o666) },
		"taken":   func(root string) error { return os.WriteFile(filepath.Join(root, "new"), []byte("x"), 0o666) },
		"no home": func(root string) error { return os.Remove(filepath.Join(root, "home")) },
		"mode": func(root string) error {
			return errors.Join(os.Chmod(filepath.Join(root, "a.txt"), 0o600), os.Chmod(filepath.Join(root, "d"), 0o700))
		},
	}
	const a, d, made, home = "other text,gone,mode", "other text,gone,more,mode", "taken", "no home"
	for _, tt := range []struct{ tool, request, stale string }{
		{"edit", `{"path":"a.txt","expected_text":"one","replacement_text":"two"}`, a},
		{"write", `{"path":"a.txt","content":"x","mode":"overwrite"}`, a},
		{"write", `{"path":"a.txt","content":"x","mode":"append"}`, a},
		{"append", `{"path":"a.txt","content":"x"}`, a},
		{"delete", `{"path":"a.txt"}`, a},
		{"patch", `{"patch":"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"}`, a},
		{"patch", `{"patch":"diff --git a/a.txt b/new\nsimilarity index 100%\nrename from a.txt\nrename to new\n"}`, a + "," + made},
		{"patch", `{"patch":"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n"}`, a},
		{"move", `{"from":"a.txt","to":"new"}`, a + "," + made},
		{"move", `{"from":"a.txt","to":"home/new"}`, a + "," + home},
		{"move", `{"from":"b.txt","to":"a.txt","overwrite":true}`, a},
		{"copy", `{"from":"a.txt","to":"new"}`, a + "," + made},
		{"copy", `{"from":"a.txt","to":"b.txt","overwrite":true}`, a},
		{"copy", `{"from":"b.txt","to":"a.txt","overwrite":true}`, a},
		{"delete", `{"path":"d","recursive":true}`, d},
		{"move", `{"from":"d","to":"new"}`, d + "," + made},
		{"copy", `{"from":"d","to":"new"}`, d + "," + made},
		{"copy", `{"from":"link","to":"new"}`, d + "," + made},
		{"mkdir", `{"path":"new"}`, made},
		{"mkdir", `{"path":"home/deep/er"}`, home},
		{"write", `{"path":"home/deep/er","content":"x"}`, home},
	} {
		for name, late := range change {
			env := tokenEnv(t, &now)
			env.Settings.AllowRules = []string{"**"}
			root := env.Workspace.Root()
			writeFile(t, filepath.Join(root, "b.txt"), "b")
			writeFile(t, filepath.Join(root, "d", "sub", "f"), "x")
			writeFile(t, filepath.Join(root, "home", "f"), "x")
			if err := errors.Join(os.Remove(filepath.Join(root, "home", "f")), os.Symlink("d", filepath.Join(root, "link"))); err != nil {
				t.Skip(err)
			}
			c, own := decoded(t, tt.tool, tt.request), env.ForCall(nil)
			if asks, by, err := env.Desk.Of(own).Admit(t.Context(), c); asks != nil || err != nil || by != command.ConsentPath {
				t.Fatal(tt.tool, asks, err)
			}
			if err := late(root); err != nil {
				t.Fatal(err)
			}
			before := treeOf(t, root)
			_, err := c.Request.Run(t.Context(), own)
			f, refused := command.FailureOf(err), slices.Contains(strings.Split(tt.stale, ","), name)
			switch {
			case refused != (err != nil), refused && f.Code != answer.CodeStale:
				t.Errorf("%s %s after %q: %v", tt.tool, tt.request, name, err)
			case refused && treeOf(t, root) != before:
				t.Errorf("%s %s after %q changes something", tt.tool, tt.request, name)
			}
		}
	}
}

// treeOf is everything in a folder, as text.
func treeOf(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text, _ := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %v %q\n", path, e.Type(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A path that leads elsewhere after its plan was made is not written to.
func TestSwappedAfterPlan(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, tt := range []struct{ tool, request string }{
		{"write", `{"path":"scratch/d/k/f","content":"x"}`},
		{"append", `{"path":"scratch/d/k/f","content":"x"}`},
		{"mkdir", `{"path":"scratch/d/k/f"}`},
		{"copy", `{"from":"a.txt","to":"scratch/d/k/f"}`},
		{"patch", `{"patch":"--- /dev/null\n+++ b/scratch/d/k/f\n@@ -0,0 +1 @@\n+x\n"}`},
	} {
		env := tokenEnv(t, &now)
		env.Settings.AllowRules = []string{"scratch/**"}
		root := env.Workspace.Root()
		writeFile(t, filepath.Join(root, "prod", "x"), "x")
		writeFile(t, filepath.Join(root, "scratch", "d", "k", "x"), "x")
		if err := os.Symlink("../../prod", filepath.Join(root, "scratch", "k")); err != nil {
			t.Skip(err)
		}
		c, own := decoded(t, tt.tool, tt.request), env.ForCall(nil)
		if asks, by, err := env.Desk.Of(own).Admit(t.Context(), c); asks != nil || err != nil || by != command.ConsentPath {
			t.Fatal(tt.tool, asks, err)
		}
		if err := errors.Join(os.Rename(filepath.Join(root, "scratch", "d", "k"), filepath.Join(root, "old")),
			os.Symlink("../../prod", filepath.Join(root, "scratch", "d", "k"))); err != nil {
			t.Fatal(err)
		}
		_, err := c.Request.Run(t.Context(), own)
		if f := command.FailureOf(err); err == nil || f.Code != answer.CodeBusy || !f.Retryable {
			t.Errorf("%s: %v", tt.tool, err)
		}
		if names, _ := os.ReadDir(filepath.Join(root, "prod")); len(names) != 1 {
			t.Errorf("%s: prod has %v", tt.tool, names)
		}
	}
}

// A call that would change nothing needs no consent, and changes nothing if it would by now.
func TestStillAfterPlan(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, tt := range []struct{ tool, request string }{
		{"mkdir", `{"path":"d/sub"}`},
		{"write", `{"path":"d/f","content":"x","mode":"overwrite","file_mode":"MODE"}`},
		{"write", `{"path":"d/f","content":"","mode":"append"}`},
		{"append", `{"path":"d/f","content":""}`},
	} {
		env := tokenEnv(t, &now)
		root := env.Workspace.Root()
		writeFile(t, filepath.Join(root, "d", "f"), "x")
		writeFile(t, filepath.Join(root, "d", "sub", "x"), "x")
		writeFile(t, filepath.Join(root, "other", "x"), "x")
		info, err := os.Stat(filepath.Join(root, "d", "f"))
		if err != nil {
			t.Fatal(err)
		}
		request := strings.ReplaceAll(tt.request, "MODE", fmt.Sprintf("%04o", info.Mode().Perm())) // 0666 on Windows
		admitted := func() (*command.Call, *command.Env) {
			c, own := decoded(t, tt.tool, request), env.ForCall(nil)
			if asks, by, err := env.Desk.Of(own).Admit(t.Context(), c); asks != nil || err != nil || by != "" {
				t.Fatal(tt.tool, asks, by, err)
			}
			return c, own
		}
		c, own := admitted()
		if _, err := c.Request.Run(t.Context(), own); err != nil {
			t.Errorf("%s: %v", tt.tool, err)
		}
		c, own = admitted()
		if err := errors.Join(os.Rename(filepath.Join(root, "d"), filepath.Join(root, "old")),
			os.Rename(filepath.Join(root, "other"), filepath.Join(root, "d"))); err != nil {
			t.Fatal(err)
		}
		_, err = c.Request.Run(t.Context(), own)
		if f := command.FailureOf(err); err == nil || f.Code != answer.CodeStale {
			t.Errorf("%s: %v", tt.tool, err)
		}
		if names, _ := os.ReadDir(filepath.Join(root, "d")); len(names) != 1 {
			t.Errorf("%s: d has %v", tt.tool, names)
		}
	}
}

// The undo of a move needs approval for both its ends.
func TestUndoOfMove(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.Settings.AllowRules = []string{"scratch/**"}
	desk := env.Desk
	env.Desk = nil // nobody has to agree
	send(t, env, "write", `{"path":"scratch/f","content":"x"}`)
	if a := send(t, env, "move", `{"from":"scratch/f","to":"prod"}`); !a.Success {
		t.Fatal(a)
	}
	env.Desk = desk
	a := send(t, env, "undo", `{}`)
	d, ok := a.Details.(*approval.ApprovalDetails)
	if !ok || a.Error != answer.CodeApprovalRequired || !slices.Equal(d.Paths, []string{"scratch/f", "prod"}) {
		t.Fatalf("%+v %+v", a, d)
	}
	env.Settings.AllowRules = []string{"scratch/**", "prod"}
	if a := send(t, env, "undo", `{}`); !a.Success {
		t.Errorf("%+v", a)
	}
}
