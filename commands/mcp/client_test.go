package mcp

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fsbox/commands/stream"

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
	a, err := client.Ask(ctx, Question{Key: "go", Message: "Go on?", No: "No: stay", Yes: "Yes: go"})
	if err != nil {
		return text(err.Error())
	}
	return text([...]string{"cancel", "decline", "accept"}[a])
}

// form is how the form of asking is sent.
const form = `"requestedSchema":{"type":"object","properties":{"decision":{"type":"string","title":"Decision","oneOf":[` +
	`{"const":"no","title":"No: stay"},{"const":"yes","title":"Yes: go"}]}},"required":["decision"]}}`

const saysYes = `{"action":"accept","content":{"decision":"yes"}}`

func TestAskInSession(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking}, `{"elicitation":{}}`)
	const question = `,"method":"elicitation/create","params":{"message":"Go on?",` + form + `}`
	s.send(call(1, "x", ""))
	s.want(`{"jsonrpc":"2.0","id":"ask-1"` + question)
	s.send(`{"jsonrpc":"2.0","id":"ask-7","result":` + saysYes + `}`) // nobody asked that
	s.send(`{"jsonrpc":"2.0","id":"ask-1","result":` + saysYes + `}`)
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
	s.send(`{"jsonrpc":"2.0","id":"ask-1","result":` + saysYes + `}`)
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
		_, err := client.Ask(ctx, Question{Message: "?", No: "No: stay", Yes: "Yes: go"})
		if !errors.Is(err, context.DeadlineExceeded) {
			return text("no timeout")
		}
		return text("timeout")
	}
	s := beginSession(t, fakeTools{run: run}, `{"elicitation":{}}`)
	s.send(call(1, "x", ""))
	s.want(`{"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"message":"?",`+form+`}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ask-1"}}`, result(1, "timeout"))
}

// requestState takes the state out of a question, so that the rest can be compared.
func requestState(t *testing.T, line string) (rest, state string) {
	t.Helper()
	at := regexp.MustCompile(`"requestState":"([^"]*)",`).FindStringSubmatchIndex(line)
	if at == nil {
		t.Fatal(line)
	}
	return line[:at[0]] + line[at[1]:], line[at[2]:at[3]]
}

const able = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// TestAskWithoutSession: an answer counts for its question, with the state that came with it, once.
func TestAskWithoutSession(t *testing.T) {
	s := begin(t, fakeTools{run: asking})
	try := func(id int, more string) string {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"x",%s%s}}`, id, able, more))
		return s.next()
	}
	required := strings.Replace(complete, "complete", "input_required", 1)
	asks := func(id int, more string) (state string) {
		t.Helper()
		rest, state := requestState(t, try(id, more))
		if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"inputRequests":{"go":{"method":"elicitation/create",`+
			`"params":{"message":"Go on?",%s}},%s}}`, id, form, required); rest != want {
			t.Errorf("got %s, want %s", rest, want)
		}
		return state
	}
	state := asks(1, "")
	with := func(state, answer string) string {
		return fmt.Sprintf(`,"inputResponses":{"other":{},"go":%s},"requestState":%q`, answer, state)
	}
	for id, wrong := range []string{`,"inputResponses":{"go":` + saysYes + `}`, with("", saysYes), with("x"+state, saysYes), with(state[1:], saysYes),
		with(strings.ToUpper(state), saysYes), strings.Replace(with(state, saysYes), `"requestState":"`+state+`"`, `"requestState":7`, 1)} {
		asks(id+10, wrong)
	}
	for id, want := range []string{"accept", "decline", "cancel", "cancel", "cancel"} {
		answer := []string{saysYes, `{"action":"decline"}`, `{"action":"cancel"}`, `null`, `{}`}[id]
		if got := try(id+20, with(state, answer)); got != fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q}],%s}}`,
			id+20, want, complete) {
			t.Errorf("%s: %s", want, got)
		}
		state = asks(id+30, with(state, saysYes)) // the same answer once more
	}
	s.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"x",` + modernly + `}}`)
	s.want(`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"the client can't ask anybody"}],` + complete + `}}`)
}

func TestStates(t *testing.T) {
	s, now := newStates(), time.Duration(0)
	s.now = func() time.Duration { return now }
	first, second := s.issue("a"), s.issue("a")
	now = stateLife - 1
	if err := s.use(first, "b"); err != errState {
		t.Error("of another question:", err)
	}
	if err := newStates().use(first, "a"); err != errState {
		t.Error("of another server:", err)
	}
	if err := s.use(first, "a"); err != nil {
		t.Error("in time:", err)
	}
	if err := s.use(first, "a"); err != errState {
		t.Error("once more:", err)
	}
	if now = stateLife; s.use(second, "a") != errState || s.use(first, "a") != errState {
		t.Error("too late")
	}
	for range maxUsed - 1 {
		if err := s.use(s.issue("a"), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.use(s.issue("a"), "a"); err != nil || len(s.used) != maxUsed {
		t.Error("the first one is forgotten:", err)
	}
	if err := s.use(s.issue("a"), "a"); err != ErrTooMany {
		t.Error("one too many:", err)
	}
}

// TestWhatIsAYes: nothing but accept, with that one word, in a message that is right.
func TestWhatIsAYes(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking}, `{"elicitation":{}}`)
	for i, tt := range []struct{ answer, want string }{
		{`"id":%q,"jsonrpc":"2.0","result":` + saysYes, "accept"},
		{`"jsonrpc":"2.0","id":%q,"result":{"content":{"more":[1],"decision":"y\u0065s"},"action":"accept"}`, "accept"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":null}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":"yes"}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":["yes"]}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"no"}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"Yes"}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"yes "}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":true}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":["yes"]}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"approve":"yes"}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"Decision":"yes"}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"no","decision":"yes"}}`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"decline","content":{"decision":"yes"}}`, "decline"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"cancel","content":{"decision":"yes"}}`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":"Accept","content":{"decision":"yes"}}`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":{"content":{"decision":"yes"}}`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":{"action":["accept"],"content":{"decision":"yes"}}`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":[]`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":null,"error":{}`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":null`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":null,"error":null`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"error":null`, "cancel"},
		{`"jsonrpc":"2.0","id":%q,"result":` + saysYes + `,"error":{"code":1,"message":""}`, "cancel"},
		{`"id":%q,"result":` + saysYes, "cancel"},
		{`"jsonrpc":"1.0","id":%q,"result":` + saysYes, "cancel"},
		{`"jsonrpc":2.0,"id":%q,"result":` + saysYes, "cancel"},
	} {
		s.send(call(i+1, "x", ""))
		s.next()
		s.send("{" + fmt.Sprintf(tt.answer, fmt.Sprintf("ask-%d", i+1)) + "}")
		if got := s.next(); got != result(i+1, tt.want) {
			t.Errorf("%s: %s, want %s", tt.answer, got, tt.want)
		}
	}
}

// TestAnswerThatIsNone: a message with the id of a question that is no answer, or is too long to be
// read as one, is no decision, and doesn't leave the question open.
func TestAnswerThatIsNone(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking}, `{"elicitation":{}}`)
	many := strings.TrimSuffix(strings.Repeat(`"a":1,`, maxNames+1), ",")
	for i, tt := range []string{
		`"jsonrpc":"2.0","id":%q`,
		`"jsonrpc":"2.0","id":%q,"method":"ping","result":` + saysYes,
		`"jsonrpc":"2.0","id":%q,"Result":` + saysYes,
		`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"yes",` + many + `}}`,
		`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"yes","` + strings.Repeat("n", longestName+1) + `":1}}`,
		`"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{"decision":"yes","more":"` + strings.Repeat("x", stream.MaxBytes) + `"}}`,
	} {
		s.send(call(i+1, "x", ""))
		s.next()
		id := fmt.Sprintf("ask-%d", i+1)
		s.send("{" + fmt.Sprintf(tt, id) + "}")
		got := []string{s.next(), s.next()} // of two goroutines
		slices.Sort(got)
		if !strings.HasPrefix(got[0], fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":-32600,`, id)) || got[1] != result(i+1, "cancel") {
			t.Errorf("%.100s: %s", tt, got)
		}
	}
}

// TestAnswerByEscapes: the same text is the same id, however it is written.
func TestAnswerByEscapes(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking}, `{"elicitation":{}}`)
	s.send(call(1, "x", ""))
	s.next()
	s.send(`{"jsonrpc":"2.0","id":"\u0061sk\u002d1","result":` + saysYes + `}`)
	s.want(result(1, "accept"))
}

// TestAnswersAreRead: whatever waits for the client, its answers, pings and cancels get through.
func TestAnswersAreRead(t *testing.T) {
	s := beginSession(t, fakeTools{run: asking, changes: func(string) bool { return true }}, `{"elicitation":{}}`)
	large := func(id, size int) string {
		return call(id, "x", `{"content":"`+strings.Repeat("a", size)+`"}`)
	}
	for id, size := range []int{7 << 20, 7 << 20} {
		s.send(large(id+1, size))
		s.next()
	}
	s.send(large(3, 7<<20))
	s.want(result(3, "no room"))
	s.send(large(4, 5<<19))
	s.next()
	s.send(large(5, 1<<19))
	s.want(result(5, ErrTooMany.Error()))
	s.send(`{"jsonrpc":"2.0","id":6,"method":"ping"}`)
	s.want(`{"jsonrpc":"2.0","id":6,"result":{}}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)
	s.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ask-3"}}`)
	for id := range 2 {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"ask-%d","result":%s}`, id+1, saysYes))
		s.want(result(id+1, "accept"))
	}
	s.send(large(7, 15<<20))
	s.next()
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
