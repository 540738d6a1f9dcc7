package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// call is a request that calls a tool in a session.
func call(id int, name, arguments string) string {
	if arguments == "" {
		arguments = "{}"
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, arguments)
}

func result(id int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%q}]}}`, id, text)
}

func text(s string) Result { return Result{Text: s} }

// beginSession is begin, and initialize.
func beginSession(t *testing.T, tools Tools, capabilities string) *session {
	t.Helper()
	s := begin(t, tools)
	s.send(strings.Replace(hello, `"capabilities":{}`, `"capabilities":`+capabilities, 1))
	s.want(initialized("2025-11-25"))
	return s
}

// gates let a test say when which call goes on.
type gates struct {
	mutex sync.Mutex
	open  map[string]chan struct{}
	begun chan string
}

func newGates() *gates {
	return &gates{open: map[string]chan struct{}{}, begun: make(chan string, 100)}
}

func (g *gates) gate(name string) chan struct{} {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.open[name] == nil {
		g.open[name] = make(chan struct{})
	}
	return g.open[name]
}

func (g *gates) run(ctx context.Context, name string, _ *Client) Result {
	name, _, _ = strings.Cut(name, "{")
	g.begun <- name
	select {
	case <-g.gate(name):
		return text(name)
	case <-ctx.Done():
		return text("canceled")
	}
}

func (g *gates) wantBegun(t *testing.T, names ...string) {
	t.Helper()
	var got []string
	for range names {
		select {
		case name := <-g.begun:
			got = append(got, name)
		case <-time.After(earlyTimeout):
			t.Fatalf("only %v have begun, want %v", got, names)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, names) {
		t.Fatalf("%v have begun, want %v", got, names)
	}
}

func (g *gates) wantNoneBegun(t *testing.T) {
	t.Helper()
	select {
	case name := <-g.begun:
		t.Fatalf("%s has begun", name)
	case <-time.After(20 * time.Millisecond):
	}
}

// TestEightAtOnce: so many calls run at the same time and no more, and other requests are answered
// meanwhile.
func TestEightAtOnce(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run}, "{}")
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	for i, name := range append(names, "i") {
		s.send(call(i+1, name, ""))
	}
	g.wantBegun(t, names...)
	g.wantNoneBegun(t)
	s.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	s.want(`{"jsonrpc":"2.0","id":"p","result":{}}`)
	close(g.gate("h"))
	s.want(result(8, "h"))
	g.wantBegun(t, "i")
	s.send(call(1, "again", ""))
	s.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"another request with this id is under way"}}`)
	close(g.gate("i"))
	s.want(result(9, "i"))
	for i, name := range names[:7] {
		close(g.gate(name))
		s.want(result(i+1, name))
	}
}

// TestHang: a call that hangs is answered late, and another goroutine goes on in place of the one
// that hangs.
func TestHang(t *testing.T) {
	s := beginSession(t, fakeTools{}, "{}")
	for id := range 3 * maxRunning {
		s.send(call(id, "hang", ""))
		s.want(result(id, "late"))
	}
	s.send(call(1, "short", ""))
	s.want(result(1, "short{}"))
	if rest, err := s.end(); err != nil || len(rest) > 0 {
		t.Errorf("in the end: %v, %v", rest, err)
	}
}

// changing are the names of calls that begin with "change".
func changing(name string) bool { return strings.HasPrefix(name, "change") }

// TestOrder: a change waits for the calls before it, and those after it wait for it.
func TestOrder(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run, changes: changing}, "{}")
	for i, name := range []string{"a", "b", "change1", "c", "change2", "change3", "d", "e"} {
		s.send(call(i+1, name, ""))
	}
	g.wantBegun(t, "a", "b")
	g.wantNoneBegun(t)
	finish := func(id int, name string, next ...string) {
		t.Helper()
		close(g.gate(name))
		s.want(result(id, name))
		g.wantBegun(t, next...)
		g.wantNoneBegun(t)
	}
	finish(2, "b")
	finish(1, "a", "change1")
	finish(3, "change1", "c")
	finish(4, "c", "change2")
	finish(5, "change2", "change3")
	finish(6, "change3", "d", "e")
	finish(8, "e")
	finish(7, "d")
}

// TestOrderModel: random calls on a few values, sent without waiting, answer what they answer when
// they are carried out one after the other. The values have no lock: two calls that run together
// though they must not are a data race as well.
func TestOrderModel(t *testing.T) {
	const values, rounds, callsEach = 3, 50, 60
	for round := range rounds {
		random := rand.New(rand.NewPCG(uint64(round), 1))
		var kept [values]int
		tools := fakeTools{changes: changing, run: func(_ context.Context, name string, _ *Client) Result {
			name, _, _ = strings.Cut(name, "{")
			for range len(name) {
				runtime.Gosched()
			}
			return text(apply(&kept, name))
		}}
		s := beginSession(t, tools, "{}")
		var model [values]int
		var requests strings.Builder
		want := map[string]bool{}
		for id := range callsEach {
			name := fmt.Sprintf("%s %d %d", []string{"look", "look", "change"}[random.IntN(3)], random.IntN(values), random.IntN(1000))
			requests.WriteString(call(id, name, "") + "\n")
			want[result(id, apply(&model, name))] = true
		}
		go io.WriteString(s.in, requests.String())
		for range callsEach {
			if got := s.next(); !want[got] {
				t.Fatalf("round %d: %s is no answer of the model", round, got)
			} else {
				delete(want, got)
			}
		}
	}
}

// apply carries out a call of the model: "look VALUE N" and "change VALUE N".
func apply(kept *[3]int, name string) string {
	var command string
	var at, n int
	fmt.Sscan(name, &command, &at, &n)
	if command == "change" {
		kept[at] = kept[at]*31 + n
	}
	return fmt.Sprint(name, " ", kept[at])
}

// TestCancel: a call that is canceled answers nothing, whether it runs or waits.
func TestCancel(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run, changes: changing}, "{}")
	s.send(call(1, "changeA", ""), call(2, "changeB", ""), call(3, "c", ""))
	g.wantBegun(t, "changeA")
	cancel := func(id string) {
		s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"x"}}`)
	}
	cancel("2")
	cancel(`"1"`) // no such id: it is a number
	cancel("1")
	g.wantBegun(t, "c")
	close(g.gate("c"))
	s.want(result(3, "c"))
	s.send(call(1, "c", "")) // the id is free again
	s.want(result(1, "c"))
	if rest, err := s.end(); err != nil || len(rest) > 0 {
		t.Errorf("in the end: %v, %v", rest, err)
	}
}

// TestEnd: after the end of the input all calls that are there are carried out, however long that
// takes.
func TestEnd(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run, changes: changing}, "{}")
	for i, name := range []string{"a", "change1", "b", "change2"} {
		s.send(call(i+1, name, ""))
	}
	g.wantBegun(t, "a")
	s.in.Close()
	select {
	case err := <-s.ended:
		t.Fatalf("the server has ended: %v", err)
	case <-time.After(time.Second):
	}
	for _, name := range []string{"a", "change1", "b", "change2"} {
		close(g.gate(name))
	}
	want := []string{result(1, "a"), result(2, "change1"), result(3, "b"), result(4, "change2")}
	if rest, err := s.end(); err != nil || !slices.Equal(rest, want) {
		t.Errorf("got %v, %v, want %v", rest, err, want)
	}
}

// TestSignal: when the context ends, calls are canceled, and nobody has to read the answers.
func TestSignal(t *testing.T) {
	in, w := io.Pipe()
	fromServer, out := io.Pipe()
	defer fromServer.Close()
	ctx, cancel := context.WithCancel(context.Background())
	g := newGates()
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, in, out, fakeTools{run: g.run, changes: changing}, About{}) }()
	go io.WriteString(w, hello+"\n"+call(1, "a", "")+"\n"+call(2, "change", "")+"\n")
	if answer, err := bufio.NewReader(fromServer).ReadString('\n'); err != nil {
		t.Fatal(answer, err)
	}
	g.wantBegun(t, "a")
	cancel()
	select {
	case err := <-ended:
		if err != context.Canceled {
			t.Errorf("error %v", err)
		}
	case <-time.After(earlyTimeout):
		t.Error("the server goes on")
	}
}

func TestLastCall(t *testing.T) {
	s := beginSession(t, fakeTools{}, "{}")
	s.send(call(1, "last", "") + "\n" + call(2, "short", ""))
	s.want(result(1, "last{}"), "")
	select {
	case err := <-s.ended:
		if err != ErrLast {
			t.Errorf("error %v", err)
		}
	case <-time.After(earlyTimeout):
		t.Error("the server goes on")
	}
}

// TestBackPressure: a client that sends and sends is not read any more while calls hang, and
// everything is answered in the end.
func TestBackPressure(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run}, "{}")
	sent := make(chan int, 1)
	go func() {
		n := 0
		for ; n < 3*maxWaiting; n++ {
			if _, err := io.WriteString(s.in, call(n, "x", "")+"\n"); err != nil {
				break
			}
			if n == 2*maxWaiting {
				sent <- n
			}
		}
		s.in.Close()
	}()
	select {
	case <-sent:
		t.Fatal("everything is read")
	case <-time.After(100 * time.Millisecond):
	}
	close(g.gate("x"))
	go func() {
		for range g.begun {
		}
	}()
	seen := map[string]bool{}
	for line := s.next(); line != ""; line = s.next() {
		seen[line] = true
	}
	if len(seen) != 3*maxWaiting {
		t.Errorf("%d answers, want %d", len(seen), 3*maxWaiting)
	}
}

type brokenPipe struct{ after int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, errors.New("nobody reads")
	}
	return len(p), nil
}

// TestBrokenOutput: when nobody reads answers any more, calls are canceled, and the server ends as
// soon as they have undone what they did.
func TestBrokenOutput(t *testing.T) {
	in, w := io.Pipe()
	ended := make(chan error, 1)
	begun, canceled, takenBack := make(chan struct{}), make(chan struct{}), make(chan struct{})
	tools := fakeTools{run: func(ctx context.Context, _ string, _ *Client) Result {
		close(begun)
		<-ctx.Done()
		close(canceled)
		<-takenBack
		return Result{}
	}}
	go func() { ended <- Serve(context.Background(), in, &brokenPipe{after: 1}, tools, About{}) }()
	for _, line := range []string{hello, call(1, "x", "")} {
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	<-begun
	if _, err := io.WriteString(w, `{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	<-canceled
	select {
	case err := <-ended:
		t.Fatalf("the server has ended before its call: %v", err)
	case <-time.After(3 * writeGrace):
	}
	close(takenBack)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "nobody reads") {
		t.Errorf("error %v", err)
	}
}

// TestWeight: calls that take much memory run one after another, and those that came later wait as
// well.
func TestWeight(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run}, "{}")
	s.send(call(1, "heavy1", ""), call(2, "heavy2", ""), call(3, "light", ""), call(4, "heavy3", ""))
	g.wantBegun(t, "heavy1")
	g.wantNoneBegun(t)
	close(g.gate("heavy1"))
	s.want(result(1, "heavy1"))
	g.wantBegun(t, "heavy2", "light")
	g.wantNoneBegun(t)
	close(g.gate("heavy2"))
	s.want(result(2, "heavy2"))
	g.wantBegun(t, "heavy3")
	close(g.gate("heavy3"))
	s.want(result(4, "heavy3"))
	close(g.gate("light"))
	s.want(result(3, "light"))
}

// TestGrow: a call that turns out to take much memory waits for another one that does, and what
// came after it waits for it.
func TestGrow(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: func(ctx context.Context, name string, client *Client) Result {
		client.Grow(maxWeight/2 + 1)
		return g.run(ctx, name, client)
	}, changes: func(name string) bool { return name == "change" }}, "{}")
	s.send(call(1, "first", ""))
	g.wantBegun(t, "first")
	s.send(call(2, "second", ""), call(3, "change", ""))
	g.wantNoneBegun(t)
	close(g.gate("first"))
	s.want(result(1, "first"))
	g.wantBegun(t, "second")
	g.wantNoneBegun(t)
	close(g.gate("second"))
	s.want(result(2, "second"))
	g.wantBegun(t, "change")
	close(g.gate("change"))
	s.want(result(3, "change"))
}
