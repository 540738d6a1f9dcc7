package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
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

func text(s string) Result { return Result{Content: []Block{{Kind: Text, Text: s}}} }

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

// TestOrder: changes of one path are made one after another, as they came; others don't wait for
// them.
func TestOrder(t *testing.T) {
	g := newGates()
	changes := func(arguments string) []string {
		return strings.FieldsFunc(arguments, func(r rune) bool { return strings.ContainsRune(`{}":, p`, r) })
	}
	s := beginSession(t, fakeTools{run: g.run, changes: changes}, "{}")
	write := func(id int, name string, paths ...string) {
		s.send(call(id, name, `{"p":"`+strings.Join(paths, ",")+`"}`))
	}
	write(1, "a", "x/f")
	write(2, "b", "x/f")
	write(3, "c", "x/g")
	write(4, "d", "x") // the folder of all three
	write(5, "e", "x/f", "y")
	write(6, "f", "xy")
	write(7, "g", ".")
	g.wantBegun(t, "a", "c", "f")
	g.wantNoneBegun(t)
	finish := func(id int, name string, next ...string) {
		t.Helper()
		close(g.gate(name))
		s.want(result(id, name))
		g.wantBegun(t, next...)
		g.wantNoneBegun(t)
	}
	finish(1, "a", "b")
	finish(3, "c")
	finish(2, "b", "d")
	finish(4, "d", "e")
	finish(6, "f")
	finish(5, "e", "g")
	finish(7, "g")
}

// TestCancel: a call that is canceled answers nothing, whether it runs or waits.
func TestCancel(t *testing.T) {
	g := newGates()
	s := beginSession(t, fakeTools{run: g.run, changes: func(string) []string { return []string{"same"} }}, "{}")
	s.send(call(1, "a", ""), call(2, "b", ""), call(3, "c", ""))
	g.wantBegun(t, "a")
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

// TestEnd: at the end of the input, calls may finish, and those that don't are canceled. Serve
// returns within a second.
func TestEnd(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	run := func(ctx context.Context, name string, _ *Client) Result {
		switch name {
		case "short{}":
			time.Sleep(50 * time.Millisecond)
		case "long{}":
			<-ctx.Done()
		case "stuck{}":
			<-release
		}
		return text(name)
	}
	s := beginSession(t, fakeTools{run: run}, "{}")
	s.send(call(1, "short", ""), call(2, "long", ""), call(3, "stuck", ""))
	start := time.Now()
	rest, err := s.end()
	if want := []string{result(1, "short{}"), result(2, "long{}")}; err != nil || !slices.Equal(rest, want) {
		t.Errorf("got %v, %v, want %v", rest, err, want)
	}
	if took := time.Since(start); took > earlyTimeout/2 {
		t.Errorf("took %v", took)
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

// TestBrokenOutput: when nobody reads answers any more, calls are canceled and the server ends.
func TestBrokenOutput(t *testing.T) {
	in, w := io.Pipe()
	ended := make(chan error, 1)
	begun, canceled := make(chan struct{}), make(chan struct{})
	tools := fakeTools{run: func(ctx context.Context, _ string, _ *Client) Result {
		close(begun)
		<-ctx.Done()
		close(canceled)
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
