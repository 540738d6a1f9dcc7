package commands

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/approve"
	"fsbox/commands/command"
	"fsbox/commands/session"
	"fsbox/commands/settings"
)

func TestGrantAdmits(t *testing.T) {
	made := time.Unix(1_800_000_000, 0)
	d := approval.Digest{1, 2, 3}
	text := approval.Grant{Issued: made, Nonce: approval.Nonce{9}, Digest: d}.Sign(testKey)
	for _, tt := range []struct {
		name string
		at   time.Duration
		of   approval.Digest
		want error
	}{
		{"at once", 0, d, nil},
		{"just before its end", approval.TokenLife - time.Second, d, nil},
		{"at its end", approval.TokenLife, d, approval.ErrTokenExpired},
		{"long after", 24 * time.Hour, d, approval.ErrTokenExpired},
		{"by a clock that is a little slow", -approval.ClockSkew, d, nil},
		{"by a clock that was set back", -approval.ClockSkew - time.Second, d, approval.ErrTokenEarly},
		{"for another plan", 0, approval.Digest{1, 2, 4}, approval.ErrTokenOther},
	} {
		g, err := approval.OpenToken(text, testKey)
		if err == nil {
			err = g.Admits(tt.of, made.Add(tt.at))
		}
		if !errors.Is(err, tt.want) || (tt.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if _, err := approval.OpenToken(text, append([]byte("x"), testKey...)); err != approval.ErrTokenForged {
		t.Errorf("another key: %v", err)
	}
}

// No change of a token by one character is taken.
func TestForgedTokens(t *testing.T) {
	text := approval.Grant{Issued: time.Unix(1_800_000_000, 0), Nonce: approval.Nonce{9}, Digest: approval.Digest{1}}.Sign(testKey)
	for i := range text {
		for _, c := range []byte("Az0-_=\n ") {
			forged := text[:i] + string(c) + text[i+1:]
			if _, err := approval.OpenToken(forged, testKey); err == nil && forged != text {
				t.Errorf("%q is taken", forged)
			}
		}
	}
	for _, forged := range []string{"", approval.TokenPrefix, text[:len(text)-1], text + "A",
		strings.TrimPrefix(text, approval.TokenPrefix), " " + text,
		text + "\n", strings.ToUpper(text)} {
		if _, err := approval.OpenToken(forged, testKey); err != approval.ErrTokenForm {
			t.Errorf("%q: %v", forged, err)
		}
	}
}

func FuzzOpenToken(f *testing.F) {
	f.Add(approval.Grant{Issued: time.Unix(1_800_000_000, 0), Nonce: approval.Nonce{9}, Digest: approval.Digest{1}}.Sign(testKey))
	f.Add(approval.Grant{}.Sign(testKey[1:]))
	f.Add(approval.TokenPrefix + strings.Repeat("A", 118))
	f.Add("fsbox1-")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := approval.OpenToken(text, testKey)
		if err == nil && g.Sign(testKey) != text {
			t.Errorf("%q is read as %+v", text, g)
		}
	})
}

// tokenEnv is an Env with a file a.txt, in which changes need tokens.
func tokenEnv(t *testing.T, now *time.Time) *session.Session {
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
	env, fail := session.Open(s, given, system, All())
	if fail != nil {
		t.Fatal(fail.Message)
	}
	t.Cleanup(func() { env.Close(context.Background()) })
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
		details, ok := a.Details.(*approval.ApprovalDetails)
		if !ok || a.Error != answer.CodeApprovalRequired {
			t.Fatalf("%+v", a)
		}
		r, err := (&approve.Request{RequestDigest: details.RequestDigest}).Run(context.Background(), env.Env)
		if err != nil {
			t.Fatal(err)
		}
		return *r.(*approve.Result).Token
	}
	late := approve()
	now = now.Add(approval.TokenLife)
	if a := send(t, env, "edit", request+`,"approval":"`+late+`"}`); a.Error != answer.CodeApprovalRequired ||
		!strings.Contains(a.Message, "expired") {
		t.Errorf("after ten minutes: %+v", a)
	}
	token := approve()
	if a := send(t, env, "edit", request+`,"approval":"`+token+`"}`); !a.Success || a.Detail != command.ConsentToken {
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
	g := approval.Grant{Issued: now, Nonce: approval.Nonce{1}}
	a, err := env.Desk.Of(env.Env).OpenApprovals(true)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	done := make(chan error)
	for range 8 {
		go func() { done <- a.Use(g, false) }()
	}
	passed := 0
	for range 8 {
		if err := <-done; err == nil {
			passed++
		} else if err != approval.ErrTokenUsed {
			t.Error(err)
		}
	}
	if passed != 1 {
		t.Errorf("%d calls passed", passed)
	}
}

// Many requests don't push a plan out that the operator looks at: the newest is refused instead,
// until the oldest waits for an hour.
func TestManyPlans(t *testing.T) {
	now := time.Now()
	env := tokenEnv(t, &now)
	ask := func(name string) answer.Answer {
		return send(t, env, "mkdir", `{"path":"`+name+`"}`)
	}
	digest := func(a answer.Answer) string { return a.Details.(*approval.ApprovalDetails).RequestDigest }
	approve := func(digest string) error {
		_, err := (&approve.Request{RequestDigest: digest, DryRun: true}).Run(context.Background(), env.Env)
		return err
	}
	first := digest(ask("first"))
	for i := range 99 {
		if digest(ask("d"+strconv.Itoa(i))) == "" {
			t.Fatal(i)
		}
	}
	for range 6 {
		if a := ask("late"); digest(a) != "" || !strings.Contains(a.Hint, "100 requests wait for approval already") {
			t.Fatalf("%+v", a)
		}
	}
	if again := digest(ask("first")); again != first {
		t.Errorf("the first one once more: %q", again)
	}
	if err := approve(first); err != nil {
		t.Error(err)
	}
	now = now.Add(time.Hour + time.Minute)
	late := digest(ask("late"))
	if late == "" || approve(late) != nil {
		t.Error("after an hour none has made space")
	}
}
