package commands

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/approve"
	"fsbox/commands/command"
	"fsbox/commands/info"
	"fsbox/commands/request"
	"fsbox/commands/session"
	"fsbox/commands/settings"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

// send carries out a request as JSON.
func send(t *testing.T, env *session.Session, tool, request string) answer.Answer {
	t.Helper()
	return performed(context.Background(), env, nil, decoded(t, tool, request))
}

// decoded is the call of a request in JSON.
func decoded(t *testing.T, tool, text string) *command.Call {
	t.Helper()
	known, ok := command.Find(All(), tool)
	o, fail := request.ParseObject([]byte(text))
	if !ok || fail != nil {
		t.Fatal(tool, fail)
	}
	c := command.NewCall(known)
	if fail := c.Decode(o); fail != nil {
		t.Fatal(fail.Message)
	}
	return c
}

// yes is somebody who agrees to everything, after doing something.
type yes struct{ first func(plan *approval.Plan) }

func (y yes) Approve(_ context.Context, plan *approval.Plan) (bool, error) {
	y.first(plan)
	return true, nil
}

func isAskAgain(a answer.Answer) bool {
	return strings.HasPrefix(a.Hint, "ask again: the file changed since it was shown")
}

// Somebody agreed, and the request itself names an etag that is no longer the file's.
func TestStaleWhenAgreed(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.Settings.Approval = settings.ApprovalPrompt
	file := filepath.Join(env.Workspace.Root(), "a.txt")
	info := send(t, env, "info", `{"path":"a.txt"}`).Result.(*info.Result)
	env.Desk.Approver = yes{func(*approval.Plan) { writeFile(t, file, "more\none\n") }}
	a := send(t, env, "edit", `{"path":"a.txt","expected_text":"one","replacement_text":"two","if_match":"`+*info.Etag+`"}`)
	if a.Error != answer.CodeStale || !isAskAgain(a) {
		t.Errorf("%+v", a)
	}
}

// What a glob with "!" keeps is kept in a folder operation, too, and in a folder that it names.
func TestApproveAllowKeeps(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for _, tt := range []struct {
		kept, tool, request string
		passes              bool
	}{
		{"**/keep.txt", "delete", `{"path":"scratch/d","recursive":true}`, false},
		{"keep.txt", "copy", `{"from":"scratch/d","to":"scratch/e"}`, false},
		{"keep.txt", "copy", `{"from":"scratch/link","to":"scratch/e"}`, false},
		{"scratch/*/keep.txt", "move", `{"from":"scratch/d","to":"scratch/e"}`, false},
		{"scratch/e/keep.txt", "move", `{"from":"scratch/d","to":"scratch/e"}`, false},
		{"scratch/d", "write", `{"path":"scratch/d/new","content":"x"}`, false},
		{"scratch/D", "write", `{"path":"scratch/d/new","content":"x"}`, false},
		{"scratch/d", "delete", `{"path":"scratch/d/keep.txt"}`, false},
		{"scratch/other/keep.txt", "delete", `{"path":"scratch/d","recursive":true}`, false},
		{"**/keep.txt", "delete", `{"path":"scratch/d/f"}`, true},
		{"**/keep.txt", "write", `{"path":"scratch/d/new","content":"x"}`, true},
		{"**/keep.txt", "delete", `{"path":"scratch/link"}`, true},
	} {
		env := tokenEnv(t, &now)
		env.Settings.AllowRules = []string{"!" + tt.kept, "scratch/**"}
		writeFile(t, filepath.Join(env.Workspace.Root(), "scratch", "d", "keep.txt"), "x")
		writeFile(t, filepath.Join(env.Workspace.Root(), "scratch", "d", "f"), "x")
		if err := os.Symlink("d", filepath.Join(env.Workspace.Root(), "scratch", "link")); err != nil {
			t.Skip(err)
		}
		if a := send(t, env, tt.tool, tt.request); a.Success != tt.passes || !tt.passes && a.Error != answer.CodeApprovalRequired {
			t.Errorf("!%s, %s %s: %+v", tt.kept, tt.tool, tt.request, a)
		}
	}
}

// The answer of approve shows no character raw that a terminal hides or obeys, and means the same.
func TestApproveAnswer(t *testing.T) {
	odd := "a\u009b2J\u202e\u200b\u3164\U000e0101\x7fe" + strings.Repeat("\u0301", 20) + "日本é\t"
	line := lineOf(answer.Answer{Success: true, Message: odd,
		Result: &approve.Result{Proposal: approval.Proposal{Effect: odd, Diff: odd, Paths: []string{odd}}}})
	if strings.ContainsAny(line, "\u009b\u202e\u200b\u3164\U000e0101\x7f") ||
		!strings.Contains(line, `a\u009b2J\u202e\u200b\u3164\udb40\udd01\u007f`) || !strings.Contains(line, "日本é") {
		t.Error(line)
	}
	var back struct{ Result struct{ Diff string } }
	if err := json.Unmarshal([]byte(line), &back); err != nil || back.Result.Diff != odd {
		t.Errorf("%v: %q", err, back.Result.Diff)
	}
}
