package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

func TestGrantAdmits(t *testing.T) {
	made := time.Unix(1_800_000_000, 0)
	d := digest{1, 2, 3}
	text := grant{issued: made, nonce: nonce{9}, digest: d}.sign(testKey)
	for _, tt := range []struct {
		name string
		at   time.Duration
		of   digest
		want error
	}{
		{"at once", 0, d, nil},
		{"just before its end", tokenLife - time.Second, d, nil},
		{"at its end", tokenLife, d, errTokenExpired},
		{"long after", 24 * time.Hour, d, errTokenExpired},
		{"by a clock that is a little slow", -clockSkew, d, nil},
		{"by a clock that was set back", -clockSkew - time.Second, d, errTokenEarly},
		{"for another plan", 0, digest{1, 2, 4}, errTokenOther},
	} {
		g, err := openToken(text, testKey)
		if err == nil {
			err = g.admits(tt.of, made.Add(tt.at))
		}
		if !errors.Is(err, tt.want) || (tt.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if _, err := openToken(text, append([]byte("x"), testKey...)); err != errTokenForged {
		t.Errorf("another key: %v", err)
	}
}

// No change of a token by one character is taken.
func TestForgedTokens(t *testing.T) {
	text := grant{issued: time.Unix(1_800_000_000, 0), nonce: nonce{9}, digest: digest{1}}.sign(testKey)
	for i := range text {
		for _, c := range []byte("Az0-_=\n ") {
			forged := text[:i] + string(c) + text[i+1:]
			if _, err := openToken(forged, testKey); err == nil && forged != text {
				t.Errorf("%q is taken", forged)
			}
		}
	}
	for _, forged := range []string{"", tokenPrefix, text[:len(text)-1], text + "A", strings.TrimPrefix(text, tokenPrefix), " " + text,
		text + "\n", strings.ToUpper(text)} {
		if _, err := openToken(forged, testKey); err != errTokenForm {
			t.Errorf("%q: %v", forged, err)
		}
	}
}

func FuzzOpenToken(f *testing.F) {
	f.Add(grant{issued: time.Unix(1_800_000_000, 0), nonce: nonce{9}, digest: digest{1}}.sign(testKey))
	f.Add(grant{}.sign(testKey[1:]))
	f.Add(tokenPrefix + strings.Repeat("A", 118))
	f.Add("fsbox1-")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := openToken(text, testKey)
		if err == nil && g.sign(testKey) != text {
			t.Errorf("%q is read as %+v", text, g)
		}
	})
}

// tokenEnv is an Env with a file a.txt, in which changes need tokens.
func tokenEnv(t *testing.T, now *time.Time) *Env {
	t.Helper()
	s, home := defaultSettings(t), t.TempDir()
	s.Root, s.StateDir, s.ApprovalKey = filepath.Join(home, "ws"), filepath.Join(home, "state"), filepath.Join(home, "key")
	s.AllowWrite, s.AllowDelete, s.Approval, s.CreateRoot, s.NoFsync = true, true, approvalToken, true, true
	writeFile(t, s.ApprovalKey, string(testKey))
	writeFile(t, filepath.Join(s.Root, "a.txt"), "one\n")
	if err := os.Chmod(s.ApprovalKey, 0o600); err != nil {
		t.Fatal(err)
	}
	system := fakeSystem(nil, "", "")
	system.now = func() time.Time { return *now }
	given := map[string]bool{"root": true, "state_dir": true, "approval_key": true, "allow_write": true, "allow_delete": true,
		"approval": true, "create_root": true, "no_fsync": true}
	env, fail := newEnv(s, given, system)
	if fail != nil {
		t.Fatal(fail.Message)
	}
	t.Cleanup(env.close)
	return env
}

// send carries out a request as JSON.
func send(t *testing.T, env *Env, tool, request string) answer {
	t.Helper()
	return performed(context.Background(), env, nil, decoded(t, tool, request))
}

// decoded is the call of a request in JSON.
func decoded(t *testing.T, tool, request string) *call {
	t.Helper()
	known, ok := findTool(Tools(), tool)
	o, fail := parseObject([]byte(request))
	if !ok || fail != nil {
		t.Fatal(tool, fail)
	}
	c := newCall(known)
	if fail := c.decode(o); fail != nil {
		t.Fatal(fail.Message)
	}
	return c
}

// A token is good for ten minutes by the clock of the program, and never twice, whatever the clock
// says.
func TestTokenAndClock(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	const request = `{"path":"a.txt","expected_text":"one","replacement_text":"two"`
	approve := func() string {
		a := send(t, env, "edit", request+`}`)
		details, ok := a.Details.(*ApprovalDetails)
		if !ok || a.Error != CodeApprovalRequired {
			t.Fatalf("%+v", a)
		}
		r, err := (&Approve{RequestDigest: details.RequestDigest}).Run(context.Background(), env)
		if err != nil {
			t.Fatal(err)
		}
		return *r.(*ApproveResult).Token
	}
	late := approve()
	now = now.Add(tokenLife)
	if a := send(t, env, "edit", request+`,"approval":"`+late+`"}`); a.Error != CodeApprovalRequired ||
		!strings.Contains(a.Message, "expired") {
		t.Errorf("after ten minutes: %+v", a)
	}
	token := approve()
	if a := send(t, env, "edit", request+`,"approval":"`+token+`"}`); !a.Success || a.consent != consentToken {
		t.Fatalf("in time: %+v", a)
	}
	writeFile(t, filepath.Join(env.Workspace.Root(), "a.txt"), "one\n")
	for _, shift := range []time.Duration{0, -30 * time.Second, time.Minute, 24 * time.Hour} {
		now = now.Add(shift)
		send(t, env, "write", `{"path":"b.txt","content":"x"}`) // clears what is old
		if a := send(t, env, "edit", request+`,"approval":"`+token+`"}`); a.Error != CodeApprovalRequired {
			t.Errorf("once more, %v later: %+v", shift, a)
		}
	}
}

// Two calls with one token, at the same time: one passes.
func TestTokenUsedAtOnce(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	g := grant{issued: now, nonce: nonce{1}}
	a, err := env.openApprovals(true)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	done := make(chan error)
	for range 8 {
		go func() { done <- a.use(g, false) }()
	}
	passed := 0
	for range 8 {
		if err := <-done; err == nil {
			passed++
		} else if err != errTokenUsed {
			t.Error(err)
		}
	}
	if passed != 1 {
		t.Errorf("%d calls passed", passed)
	}
}

// yes is somebody who agrees to everything, after doing something.
type yes struct{ first func(plan *Plan) }

func (y yes) Approve(_ context.Context, plan *Plan) (bool, error) {
	y.first(plan)
	return true, nil
}

// What is changed is what was shown: a file that changes all the time while somebody thinks is
// never written.
func TestChangedWhileAsked(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.settings.Approval = approvalPrompt
	file, asked := filepath.Join(env.Workspace.Root(), "a.txt"), 0
	env.approver = yes{func(*Plan) {
		asked++
		writeFile(t, file, strings.Repeat("more\n", asked)+"one\n")
	}}
	a := send(t, env, "edit", `{"path":"a.txt","expected_text":"one","replacement_text":"two"}`)
	if a.Error != CodeApprovalRequired || asked != maxAsks || !strings.Contains(a.Message, "changed each time") || !isAskAgain(a) {
		t.Errorf("asked %d times: %+v", asked, a)
	}
	if content, _ := os.ReadFile(file); strings.Contains(string(content), "two") {
		t.Errorf("the file has %q", content)
	}
}

func isAskAgain(a answer) bool {
	return strings.HasPrefix(a.Hint, "ask again: the file changed since it was shown")
}

// Somebody agreed, and the request itself names an etag that is no longer the file's.
func TestStaleWhenAgreed(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.settings.Approval = approvalPrompt
	file := filepath.Join(env.Workspace.Root(), "a.txt")
	info := send(t, env, "info", `{"path":"a.txt"}`).Result.(*InfoResult)
	env.approver = yes{func(*Plan) { writeFile(t, file, "more\none\n") }}
	a := send(t, env, "edit", `{"path":"a.txt","expected_text":"one","replacement_text":"two","if_match":"`+*info.Etag+`"}`)
	if a.Error != CodeStale || !isAskAgain(a) {
		t.Errorf("%+v", a)
	}
}

// What a plan found is a condition of the change, for every verb, and a refused change leaves all
// as it is.
func TestChangedAfterPlan(t *testing.T) {
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
			env.settings.ApproveAllow = []string{"**"}
			root := env.Workspace.Root()
			writeFile(t, filepath.Join(root, "b.txt"), "b")
			writeFile(t, filepath.Join(root, "d", "sub", "f"), "x")
			writeFile(t, filepath.Join(root, "home", "f"), "x")
			if err := errors.Join(os.Remove(filepath.Join(root, "home", "f")), os.Symlink("d", filepath.Join(root, "link"))); err != nil {
				t.Skip(err)
			}
			c, env := decoded(t, tt.tool, tt.request), env.forCall(nil)
			if asks, err := env.admit(t.Context(), c); asks != nil || err != nil || env.consent != consentPath {
				t.Fatal(tt.tool, asks, err)
			}
			if err := late(root); err != nil {
				t.Fatal(err)
			}
			before := treeOf(t, root)
			_, err := c.request.Run(t.Context(), env)
			f, refused := failureOf(err), slices.Contains(strings.Split(tt.stale, ","), name)
			switch {
			case refused != (err != nil), refused && f.Code != CodeStale:
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
		env.settings.ApproveAllow = []string{"scratch/**"}
		root := env.Workspace.Root()
		writeFile(t, filepath.Join(root, "prod", "x"), "x")
		writeFile(t, filepath.Join(root, "scratch", "d", "k", "x"), "x")
		if err := os.Symlink("../../prod", filepath.Join(root, "scratch", "k")); err != nil {
			t.Skip(err)
		}
		c, env := decoded(t, tt.tool, tt.request), env.forCall(nil)
		if asks, err := env.admit(t.Context(), c); asks != nil || err != nil || env.consent != consentPath {
			t.Fatal(tt.tool, asks, err)
		}
		if err := errors.Join(os.Rename(filepath.Join(root, "scratch", "d", "k"), filepath.Join(root, "old")),
			os.Symlink("../../prod", filepath.Join(root, "scratch", "d", "k"))); err != nil {
			t.Fatal(err)
		}
		_, err := c.request.Run(t.Context(), env)
		if f := failureOf(err); err == nil || f.Code != CodeBusy || !f.Retryable {
			t.Errorf("%s: %v", tt.tool, err)
		}
		if names, _ := os.ReadDir(filepath.Join(root, "prod")); len(names) != 1 {
			t.Errorf("%s: prod has %v", tt.tool, names)
		}
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
		{"scratch/other/keep.txt", "delete", `{"path":"scratch/d","recursive":true}`, true},
		{"**/keep.txt", "delete", `{"path":"scratch/d/f"}`, true},
		{"**/keep.txt", "write", `{"path":"scratch/d/new","content":"x"}`, true},
		{"**/keep.txt", "delete", `{"path":"scratch/link"}`, true},
	} {
		env := tokenEnv(t, &now)
		env.settings.ApproveAllow = []string{"!" + tt.kept, "scratch/**"}
		writeFile(t, filepath.Join(env.Workspace.Root(), "scratch", "d", "keep.txt"), "x")
		writeFile(t, filepath.Join(env.Workspace.Root(), "scratch", "d", "f"), "x")
		if err := os.Symlink("d", filepath.Join(env.Workspace.Root(), "scratch", "link")); err != nil {
			t.Skip(err)
		}
		if a := send(t, env, tt.tool, tt.request); a.Success != tt.passes || !tt.passes && a.Error != CodeApprovalRequired {
			t.Errorf("!%s, %s %s: %+v", tt.kept, tt.tool, tt.request, a)
		}
	}
}

// The undo of a move needs approval for both its ends.
func TestUndoOfMove(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	env.settings.ApproveAllow = []string{"scratch/**"}
	env.settings.Approval = approvalOff
	send(t, env, "write", `{"path":"scratch/f","content":"x"}`)
	if a := send(t, env, "move", `{"from":"scratch/f","to":"prod"}`); !a.Success {
		t.Fatal(a)
	}
	env.settings.Approval = approvalToken
	a := send(t, env, "undo", `{}`)
	d, ok := a.Details.(*ApprovalDetails)
	if !ok || a.Error != CodeApprovalRequired || !slices.Equal(d.Paths, []string{"scratch/f", "prod"}) {
		t.Fatalf("%+v %+v", a, d)
	}
	env.settings.ApproveAllow = []string{"scratch/**", "prod"}
	if a := send(t, env, "undo", `{}`); !a.Success {
		t.Errorf("%+v", a)
	}
}

// Whatever is in a plan, a question has no control characters, no line wider than the terminal, and
// one line of its own kind.
func FuzzQuestion(f *testing.F) {
	f.Add("a\x1b[2Jb", "--- a\n+Make this change? [y/N] \r", 40)
	f.Add("\u202e\u200b\xff", strings.Repeat("日本", 100), 1)
	f.Add("a\u034f\ufe0f\u180b\u115f\u3164\u2800\U000e0101", "e"+strings.Repeat("\u0301", 50), 80)
	f.Add("\nMake this change? [y/N] y", "\u2028x\u0085\x9b", 200)
	f.Fuzz(func(t *testing.T, path, diff string, columns int) {
		p := &Plan{Tool: "edit", Paths: []string{path}, Effect: path, Diff: diff, Warnings: []string{diff}}
		text := strings.TrimPrefix(p.question(path, columns%300), "\n")
		lines := strings.Split(text, "\n")
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) ||
			strings.ContainsAny(text, "\u034f\ufe0f\u180b\u115f\u3164\u2800\U000e0101") ||
			strings.Contains(text, strings.Repeat("\u0301", maxMarks+1)) {
			t.Errorf("%q", text)
		}
		for i, line := range lines {
			isOwn := i == 0 || i == len(lines)-1 || line == diffIsCut
			if !isOwn && !strings.HasPrefix(line, quoted) && !strings.HasPrefix(line, continued) {
				t.Errorf("line %d is %q", i, line)
			}
		}
	})
}

// The answer of approve shows no character raw that a terminal hides or obeys, and means the same.
func TestApproveAnswer(t *testing.T) {
	odd := "a\u009b2J\u202e\u200b\u3164\U000e0101\x7fe" + strings.Repeat("\u0301", 20) + "日本é\t"
	var out strings.Builder
	if err := (answer{Success: true, Message: odd, Result: &ApproveResult{Proposal: Proposal{Effect: odd, Diff: odd,
		Paths: []string{odd}}}}).encode(&out); err != nil {
		t.Fatal(err)
	}
	line := out.String()
	if strings.ContainsAny(line, "\u009b\u202e\u200b\u3164\U000e0101\x7f") ||
		!strings.Contains(line, `a\u009b2J\u202e\u200b\u3164\udb40\udd01\u007f`) || !strings.Contains(line, "日本é") {
		t.Error(line)
	}
	var back struct{ Result struct{ Diff string } }
	if err := json.Unmarshal([]byte(line), &back); err != nil || back.Result.Diff != odd {
		t.Errorf("%v: %q", err, back.Result.Diff)
	}
}
