package commands

import (
	"context"
	"errors"
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/settings"
	"io"
	"runtime"
	"strings"
	"testing"
)

// After a panic and after an error that nobody has a code for, the next line of a stream is
// answered as ever.
func TestStreamGoesOn(t *testing.T) {
	calls := 0
	tools := append(All(), faulty(func(context.Context) error {
		if calls++; calls == 1 {
			panic("secret text")
		}
		return errors.New("strange")
	}))
	var out strings.Builder
	p := Program{Stdin: strings.NewReader(strings.Repeat(`{"tool":"faulty"}`+"\n", 2) + `{"id":3,"tool":"ls"}`), Stdout: &out, Commands: tools}
	if status := p.serveBatch(t.Context(), testEnv(t, settings.Settings{}), cmdline.Batch{}); status != 1 {
		t.Errorf("status %d", status)
	}
	all := answersIn(t, out.String())
	if len(all) != 3 || all[0].Error != answer.CodeInternal || all[1].Error != answer.CodeInternal || all[1].Message != "strange" ||
		!all[2].Success ||
		string(all[2].ID) != "3" {
		t.Errorf("%s", out.String())
	}
}

// A stream that waits for input ends when it is canceled, and has answered all it got.
func TestCancelWaitingStream(t *testing.T) {
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	defer requests.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := Program{Stdin: in, Stdout: out, Commands: All()}
	status := make(chan int, 1)
	env := testEnv(t, settings.Settings{})
	go func() { status <- p.serveBatch(ctx, env, cmdline.Batch{}) }()
	go io.WriteString(requests, `{"id":1,"tool":"ls"}`+"\n")
	answer := make([]byte, 4096)
	n, err := answers.Read(answer)
	if all := answersIn(t, string(answer[:n])); err != nil || len(all) != 1 || !all[0].Success {
		t.Fatalf("%s, %v", answer[:n], err)
	}
	cancel()
	if got := <-status; got != 1 {
		t.Errorf("status %d", got)
	}
}

// What came in after the request that was interrupted is not carried out any more.
func TestCancelEndsStream(t *testing.T) {
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		tools := append(All(), faulty(func(context.Context) error {
			calls++
			for range 1000 { // the next line is read meanwhile
				runtime.Gosched()
			}
			cancel()
			return ctx.Err()
		}))
		var out strings.Builder
		p := Program{Stdin: strings.NewReader(strings.Repeat(`{"tool":"faulty"}`+"\n", 9)), Stdout: &out, Commands: tools}
		p.serveBatch(ctx, testEnv(t, settings.Settings{}), cmdline.Batch{})
		if all := answersIn(t, out.String()); len(all) != 1 || calls != 1 {
			t.Fatalf("%d calls, %d answers", calls, len(all))
		}
	}
}
