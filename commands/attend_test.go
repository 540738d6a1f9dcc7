package commands

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/command"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/sandbox"
	"fsbox/sandbox/transaction"

	"github.com/go-json-experiment/json/jsontext"
)

// performed is the answer of perform, in time or late.
func performed(ctx context.Context, env *session.Session, id jsontext.Value, c *command.Call) answer.Answer {
	answers := make(chan answer.Answer, 1)
	go func() { answers <- env.Do(ctx, id, c, func(a answer.Answer) { answers <- a }) }()
	return <-answers
}

// TestAttend goes on for calls that don't come back, up to a number of them, and counts those that
// have not.
func TestAttend(t *testing.T) {
	a := new(attend.Abandoned)
	hang, returned := make(chan struct{}), make(chan int, 3)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 {
		late := make(chan struct{})
		go func() { returned <- attend.Do(ended, a, func() int { <-hang; return 1 }, func() { close(late) }) }()
		<-late
	}
	if n := a.Hanging.Load(); n != 3 {
		t.Errorf("%d calls hang, want 3", n)
	}
	if got := attend.Do(context.Background(), a, func() int { return 7 }, nil); got != 7 {
		t.Errorf("another call: %d", got)
	}
	close(hang)
	for a.Hanging.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	if len(returned) > 0 {
		t.Error("a call that came back late went on")
	}

	a.Hanging.Store(session.MaxAbandoned)
	env := &session.Session{Env: &command.Env{Abandoned: a, Settings: new(settings.Loaded)}}
	if got := performed(context.Background(), env, nil, &command.Call{}); got.Error != answer.CodeBusy || !got.Retryable {
		t.Errorf("with %d calls that hang: %+v", session.MaxAbandoned, got)
	}
}

// stuck is a tool that hangs until release is closed.
func stuck(release <-chan struct{}) command.Command {
	return faulty(func(context.Context) error { <-release; return nil })
}

// TestStuckOnly answers for the only call of a process if that hangs, and ends the process.
func TestStuckOnly(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	var out bytes.Buffer
	p := Program{Stdin: strings.NewReader(""), Stdout: &out, Commands: []command.Command{stuck(release)}}
	if status := p.Run(context.Background(), []string{"--root", t.TempDir(), "--timeout", "1ms", "faulty"}); status != 1 ||
		!strings.Contains(out.String(), `"error":"timeout"`) {
		t.Errorf("status %d, answer %q", status, out.String())
	}
}

// TestPartialEndsEarlier holds that a call that answers what it has is told a deadline before its
// timeout.
func TestPartialEndsEarlier(t *testing.T) {
	var deadline time.Time
	tool := changing(func(ctx context.Context, _ *sandbox.Workspace) error {
		deadline, _ = ctx.Deadline()
		return nil
	})
	tool.Partial = true
	p := Program{Stdin: strings.NewReader(""), Stdout: io.Discard, Commands: []command.Command{tool}}
	p.Run(context.Background(), []string{"--root", t.TempDir(), "--timeout", "1h", "--allow-write", "changing"})
	if latest := time.Now().Add(time.Hour - 250*time.Millisecond); deadline.IsZero() || deadline.After(latest) {
		t.Errorf("the deadline is %v, want at most %v", deadline, latest)
	}
}

// rootInUse makes a folder that may still be open when the test ends: Windows doesn't remove it
// then.
func rootInUse(t *testing.T) string {
	t.Helper()
	root, err := os.MkdirTemp("", "fsbox-stuck")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	return root
}

// TestStuckInStream answers for calls that hang, and continues with the next ones in order.
func TestStuckInStream(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	var out bytes.Buffer
	p := Program{Stdin: strings.NewReader("{\"tool\":\"faulty\"}\n{\"tool\":\"faulty\"}\n{\"tool\":\"ls\"}\n"), Stdout: &out,
		Commands: append(All(), stuck(release))}
	status := p.Run(context.Background(), []string{"--root", rootInUse(t), "--timeout", "50ms", "batch"})
	var codes []answer.Code
	for _, a := range answersIn(t, out.String()) {
		codes = append(codes, a.Error)
	}
	if want := []answer.Code{answer.CodeTimeout, answer.CodeTimeout, ""}; status != 1 || !slices.Equal(codes, want) {
		t.Errorf("status %d, codes %q, want %q", status, codes, want)
	}
}

// changing is a tool that changes files by run.
func changing(run func(ctx context.Context, w *sandbox.Workspace) error) command.Command {
	return command.Command{Name: "changing", Help: "Change.", Writes: true, New: func() command.Request { return &changingRequest{run: run} }}
}

type changingRequest struct {
	run func(ctx context.Context, w *sandbox.Workspace) error
}

func (c *changingRequest) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	return sentence("done"), c.run(ctx, env.Workspace)
}

// TestStuckChange answers for a call that is canceled and doesn't end, before its change or after
// it: what the answer says of the change is true in the end.
func TestStuckChange(t *testing.T) {
	for _, made := range []bool{false, true} {
		want, hint, after := any(nil), "the call was interrupted; nothing was changed", "old"
		if made {
			want, hint, after = &session.StuckDetails{Committed: true}, "the change is made", "new"
		}
		ctx, cancel := context.WithCancel(context.Background())
		release, ended := make(chan struct{}), make(chan error, 1)
		stick := func(when bool) {
			if when == made {
				cancel()
				<-release
			}
		}
		tool := changing(func(ctx context.Context, w *sandbox.Workspace) error {
			_, err := transaction.Rewrite(ctx, w, transaction.WriteOptions{Path: "a"}, func([]byte, bool) ([]byte, error) {
				stick(false)
				return []byte("new"), nil
			})
			stick(true)
			ended <- err
			return err
		})
		s := defaultSettings(t)
		s.Root, s.AllowWrite = rootInUse(t), true
		path := filepath.Join(s.Root, "a")
		if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		got := performed(ctx, testEnv(t, s), nil, command.NewCall(tool))
		if got.Error != answer.CodeCanceled || !strings.HasPrefix(got.Hint, hint) || !reflect.DeepEqual(got.Details, want) ||
			got.Retryable == made {
			t.Errorf("made %v: %+v", made, got)
		}
		close(release)
		if err := <-ended; (err == nil) != made {
			t.Errorf("made %v: it ended with %v", made, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != after {
			t.Errorf("made %v: the file has %q, want %q (%v)", made, text, after, err)
		}
	}
}
