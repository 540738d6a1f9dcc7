package commands

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pipedClient talks to a server in the same process.
type pipedClient struct {
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan int
}

// startMCP starts a server for a client that cuts nothing.
func startMCP(t testing.TB, args ...string) *pipedClient {
	return startMCPNamed(t, "ai-sdk-mcp-client", args...)
}

func pipeMCP(t testing.TB, args ...string) *pipedClient {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &pipedClient{in: toServer, out: bufio.NewReaderSize(fromServer, 1<<20), ended: make(chan int, 1)}
	p := Program{Stdin: in, Stdout: out, Stderr: io.Discard, Commands: All()}
	go func() {
		status := p.Run(context.Background(), append([]string{"mcp"}, args...))
		out.Close()
		c.ended <- status
	}()
	t.Cleanup(func() { toServer.Close(); fromServer.Close() })
	return c
}

func (c *pipedClient) send(message string) {
	_, _ = io.WriteString(c.in, message+"\n") // a failure shows in the answer that doesn't come
}

func (c *pipedClient) next(t testing.TB) string {
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	return line
}

func BenchmarkMCPRead(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte(strings.Repeat("a line of the file that is read\n", 64)),
		0o600); err != nil {
		b.Fatal(err)
	}
	c := startMCP(b, "--root", dir)
	go func() {
		for i := range b.N {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"path":"file.txt"}}}`, i+1))
		}
	}()
	for range b.N {
		c.next(b)
	}
}

func BenchmarkBatchRead(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file.txt"), []byte(strings.Repeat("a line of the file that is read\n", 64)),
		0o600); err != nil {
		b.Fatal(err)
	}
	requests := strings.Repeat(`{"id":1,"tool":"read","input":{"path":"file.txt"}}`+"\n", b.N)
	b.ReportAllocs()
	if status := (Program{Stdin: strings.NewReader(requests), Stdout: io.Discard, Commands: All()}).Run(b.Context(),
		[]string{"--root", dir, "batch"}); status != 0 {
		b.Error("status", status)
	}
}

// TestMCPAtOnce sends changes of one file and searches without waiting: all are answered, and the
// changes are made in order.
func TestMCPAtOnce(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "log.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := startMCP(t, "--root", root, "--allow-write", "--no-fsync", "--state-dir", t.TempDir())
	const rounds = 20
	spellings := []string{"log.txt", "./log.txt", filepath.Join(root, "log.txt")}
	var want strings.Builder
	go func() {
		id := 0
		call := func(name, arguments string) {
			id++
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, arguments))
		}
		for i := range rounds {
			path := spellings[i%len(spellings)]
			call("append", fmt.Sprintf(`{"path":%q,"content":"%d\n"}`, path, i))
			call("grep", `{"query":"1"}`)
			call("read", `{"path":"log.txt"}`)
			call("write", fmt.Sprintf(`{"path":"made/%d.txt","content":"x"}`, i))
			call("glob", `{"pattern":"**"}`)
		}
	}()
	for i := range rounds {
		fmt.Fprintf(&want, "%d\n", i)
	}
	for range 5 * rounds {
		if answer := c.next(t); strings.Contains(answer, `"isError"`) {
			t.Errorf("failed: %s", answer)
		}
	}
	if got, err := os.ReadFile(filepath.Join(root, "log.txt")); err != nil || string(got) != want.String() {
		t.Errorf("the file has %q, %v", got, err)
	}
}
