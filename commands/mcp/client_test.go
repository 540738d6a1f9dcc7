package mcp

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

func TestProgress(t *testing.T) {
	run := func(_ context.Context, name string, client *Client) Result {
		client.Progress(3, "three")
		client.Progress(3, "three again")
		client.Progress(2, "less")
		client.Progress(10, `"ten"`)
		if !client.WantsProgress() {
			return text("quiet")
		}
		return text("done")
	}
	s := beginSession(t, fakeTools{run: run}, "{}")
	s.send(call(1, "x", ""))
	s.want(result(1, "quiet"))
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p\n"}}}`)
	s.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p\n","progress":3,"message":"three"}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p\n","progress":10,"message":"\"ten\""}}`,
		result(2, "done"))
}

// TestProgressAfterwards: nothing is told of a call that has been answered.
func TestProgressAfterwards(t *testing.T) {
	clients := make(chan *Client, 1)
	s := beginSession(t, fakeTools{run: func(_ context.Context, _ string, client *Client) Result { clients <- client; return Result{} }}, "{}")
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":""}]}}`)
	(<-clients).Progress(1, "late")
	if rest, err := s.end(); err != nil || len(rest) > 0 {
		t.Errorf("in the end: %v, %v", rest, err)
	}
}

// asking is a tool that asks for a yes.
func asking(ctx context.Context, _ string, client *Client) Result {
	a, err := client.Ask(ctx, Question{Key: "go", Message: "Go on?"})
	if err != nil {
		return text(err.Error())
	}
	return text(string(a))
}

func TestAskInSession(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking}, `{"elicitation":{}}`)
	const question = `,"method":"elicitation/create","params":{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}}}`
	s.send(call(1, "x", ""))
	s.want(`{"jsonrpc":"2.0","id":"ask-1"` + question)
	s.send(`{"jsonrpc":"2.0","id":"ask-7","result":{"action":"accept"}}`) // nobody asked that
	s.send(`{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept","content":{"ok":true}}}`)
	s.want(result(1, "accept"))
	s.send(call(2, "x", ""))
	s.want(`{"jsonrpc":"2.0","id":"ask-2"` + question)
	s.send(`{"jsonrpc":"2.0","id":"ask-2","error":{"code":-1,"message":"no"}}`)
	s.want(result(2, "cancel"))
}

// TestAskIsNoWork: calls that wait for a person don't keep others from running.
func TestAskIsNoWork(t *testing.T) {
	run := func(ctx context.Context, name string, client *Client) Result {
		if name == "quick{}" {
			return text("quick")
		}
		return asking(ctx, name, client)
	}
	s := beginSession(t, fakeTools{run: run}, `{"elicitation":{"form":{},"url":{}}}`)
	for id := range maxRunning + 2 {
		s.send(call(id+1, "ask", ""))
		s.next()
	}
	s.send(call(100, "quick", ""))
	s.want(result(100, "quick"))
	s.in.Close() // nobody will answer: the calls end at once
	for range maxRunning + 2 {
		if got := s.next(); got == "" {
			t.Fatal("a call has no answer")
		}
	}
}

// TestAskLetsOthersGoOn: while a person is asked about a change, later changes are made. Once there
// is an answer, the change waits until it is alone again.
func TestAskLetsOthersGoOn(t *testing.T) {
	g := newGates()
	run := func(ctx context.Context, name string, client *Client) Result {
		if name == "changeAsk{}" {
			return asking(ctx, name, client)
		}
		return g.run(ctx, name, client)
	}
	s := beginSession(t, fakeTools{run: run, changes: changing}, `{"elicitation":{}}`)
	s.send(call(1, "changeAsk", ""), call(2, "change", ""), call(3, "read", ""))
	s.next() // the question
	g.wantBegun(t, "change")
	s.send(`{"jsonrpc":"2.0","id":"ask-1","result":{"action":"accept"}}`)
	close(g.gate("read"))
	close(g.gate("change"))
	s.want(result(2, "change"))
	got := []string{s.next(), s.next()} // the read may come before the answer is taken
	slices.Sort(got)
	if want := []string{result(1, "accept"), result(3, "read")}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAskUntilTimeout(t *testing.T) {
	run := func(ctx context.Context, name string, client *Client) Result {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		_, err := client.Ask(ctx, Question{Message: "?"})
		if !errors.Is(err, context.DeadlineExceeded) {
			return text("no timeout")
		}
		return text("timeout")
	}
	s := beginSession(t, fakeTools{run: run}, `{"elicitation":{}}`)
	s.send(call(1, "x", ""))
	s.want(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"?",`+
		`"requestedSchema":{"type":"object","properties":{}}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ask-1"}}`, result(1, "timeout"))
}

func TestAskWithoutSession(t *testing.T) {
	const able = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	s := begin(t, fakeTools{run: asking})
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",` + able + `}}`)
	required := strings.Replace(complete, "complete", "input_required", 1)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{"go":{"method":"elicitation/create","params":{"message":"Go on?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}},` + required + `}}`)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x",` + able +
		`,"inputResponses":{"other":{},"go":{"action":"accept","content":{"ok":true}}},"requestState":"s2"}}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"accept"}],` + complete + `}}`)
	s.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x",` + modernly + `}}`)
	s.want(`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"the client can't ask anybody"}],` + complete + `}}`)
}

func TestCanAsk(t *testing.T) {
	for sent, want := range map[string]bool{`{}`: false, `{"elicitation":{}}`: true, `{"elicitation":{"form":{}}}`: true,
		`{"elicitation":{"url":{}}}`: false, `{"elicitation":{"url":{},"form":{}}}`: true, `{"elicitation":null}`: false, `null`: false} {
		var c capabilities
		if err := json.Unmarshal([]byte(sent), &c); err != nil || c.canAsk() != want {
			t.Errorf("%s: %v, %v, want %v", sent, c.canAsk(), err, want)
		}
	}
}

// TestTooManyQuestions: one more than may be open is not asked, and the call goes on at once.
func TestTooManyQuestions(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking}, `{"elicitation":{}}`)
	for id := range maxQuestions {
		s.send(call(id+1, "ask", ""))
		s.next()
	}
	s.send(call(100, "ask", ""))
	s.want(result(100, "the client has too many open questions already"))
	s.in.Close()
	for range maxQuestions {
		if got := s.next(); got == "" {
			t.Fatal("a call has no answer")
		}
	}
}
