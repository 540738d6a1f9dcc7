package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
)

// protocol is how a server takes requests.
type protocol interface {
	begin() []string                         // messages before the first read; those with an id are answered
	read(id int) string                      // a request that reads the file
	answers(line []byte) (id int, read bool) // which one a line answers, and whether it has the file
}

type mcp struct{ tool, path string }

func (mcp) begin() []string {
	return []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"reads","version":"1"}}}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`}
}

func (m mcp) read(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"path":%q}}}`, id, m.tool, m.path)
}

func (mcp) answers(line []byte) (int, bool) { return idOf(line), hasFile(line) }

type batch struct{ path string }

func (batch) begin() []string { return nil }

func (b batch) read(id int) string {
	return fmt.Sprintf(`{"id":%d,"tool":"read","input":{"path":%q}}`, id, b.path)
}

func (batch) answers(line []byte) (int, bool) { return idOf(line), hasFile(line) }

// idOf finds the id of an answer. The content of the file has none, so the last one counts.
func idOf(line []byte) int {
	_, after, found := bytes.Cut(line, []byte(`"id":`))
	if !found {
		return -1
	}
	end := bytes.IndexAny(after, ",}")
	id, err := strconv.Atoi(string(after[:max(end, 0)]))
	if err != nil {
		return -1
	}
	return id
}

func hasFile(line []byte) bool {
	return bytes.Count(line, []byte(`a line of the file that is read\n`)) >= fileBytes/32
}

// client talks to one process.
type client struct {
	process  *exec.Cmd
	protocol protocol
	in       *bufio.Writer
	pipe     io.Closer
	out      *bufio.Reader
}

func start(args []string, d protocol) (*client, error) {
	c := &client{process: exec.Command(args[0], args[1:]...), protocol: d}
	in, err := c.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.pipe, c.out = bufio.NewWriter(in), in, bufio.NewReaderSize(out, 256<<10)
	if err := c.process.Start(); err != nil {
		return nil, err
	}
	for i, message := range d.begin() {
		c.in.WriteString(message + "\n")
		if err := c.in.Flush(); err != nil {
			return nil, err
		}
		if i == 0 {
			if _, err := c.out.ReadSlice('\n'); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// read makes so many reads. Each answer must have the content of the file.
func (c *client) read(calls, window int) error {
	sent, answered := 0, make([]bool, calls+1)
	for got := 0; got < calls; got++ {
		for sent < calls && sent-got < window {
			sent++
			c.in.WriteString(c.protocol.read(sent) + "\n")
		}
		if err := c.in.Flush(); err != nil {
			return err
		}
		line, err := c.out.ReadSlice('\n')
		if err != nil {
			return err
		}
		id, whole := c.protocol.answers(line)
		if id < 1 || id > calls || answered[id] || !whole {
			return fmt.Errorf("a wrong answer: %.300s", line)
		}
		answered[id] = true
	}
	return nil
}

// peak is the most memory that the process has had, in bytes; 0 where that isn't known.
func (c *client) peak() int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.process.Process.Pid))
	_, after, _ := bytes.Cut(status, []byte("VmHWM:"))
	var kib int64
	fmt.Sscan(string(after), &kib)
	return kib << 10
}

// stop ends the process as its protocol says: by the end of its input.
func (c *client) stop() error {
	if err := c.pipe.Close(); err != nil {
		return err
	}
	return c.process.Wait()
}
