package commands

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
)

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
func tokenEnv(t *testing.T, now *time.Time) *session {
	t.Helper()
	s, home := defaultSettings(t), t.TempDir()
	s.Root, s.StateDir, s.ApprovalKey = filepath.Join(home, "ws"), filepath.Join(home, "state"), filepath.Join(home, "key")
	s.AllowWrite, s.AllowDelete, s.Approval, s.CreateRoot, s.NoFsync = true, true, settings.ApprovalToken, true, true
	writeFile(t, s.ApprovalKey, string(testKey))
	writeFile(t, filepath.Join(s.Root, "a.txt"), "one\n")
	if err := os.Chmod(s.ApprovalKey, 0o600); err != nil {
		t.Fatal(err)
	}
	system := fakeSystem(nil, "", "")
	system.Now = func() time.Time { return *now }
	given := map[string]bool{"root": true, "state_dir": true, "approval_key": true, "allow_write": true, "allow_delete": true,
		"approval": true, "create_root": true, "no_fsync": true}
	env, fail := newSession(s, given, system, Tools())
	if fail != nil {
		t.Fatal(fail.Message)
	}
	t.Cleanup(env.close)
	return env
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
		if !ok || a.Error != answer.CodeApprovalRequired {
			t.Fatalf("%+v", a)
		}
		r, err := (&Approve{RequestDigest: details.RequestDigest}).Run(context.Background(), env.Env)
		if err != nil {
			t.Fatal(err)
		}
		return *r.(*ApproveResult).Token
	}
	late := approve()
	now = now.Add(tokenLife)
	if a := send(t, env, "edit", request+`,"approval":"`+late+`"}`); a.Error != answer.CodeApprovalRequired ||
		!strings.Contains(a.Message, "expired") {
		t.Errorf("after ten minutes: %+v", a)
	}
	token := approve()
	if a := send(t, env, "edit", request+`,"approval":"`+token+`"}`); !a.Success || a.Aside != verb.ConsentToken {
		t.Fatalf("in time: %+v", a)
	}
	writeFile(t, filepath.Join(env.Workspace.Root(), "a.txt"), "one\n")
	for _, shift := range []time.Duration{0, -30 * time.Second, time.Minute, 24 * time.Hour} {
		now = now.Add(shift)
		send(t, env, "write", `{"path":"b.txt","content":"x"}`) // clears what is old
		if a := send(t, env, "edit", request+`,"approval":"`+token+`"}`); a.Error != answer.CodeApprovalRequired {
			t.Errorf("once more, %v later: %+v", shift, a)
		}
	}
}

// Two calls with one token, at the same time: one passes.
func TestTokenUsedAtOnce(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	env := tokenEnv(t, &now)
	g := grant{issued: now, nonce: nonce{1}}
	a, err := env.desk.of(env.Env).openApprovals(true)
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
