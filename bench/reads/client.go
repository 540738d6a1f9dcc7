package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// protocol is how a server takes requests.
type protocol struct {
	opening       []string // messages before the first read; the first one is answered
	before, after string   // a request that reads the file, around its id
}

func mcp(tool, path string) protocol {
	return protocol{
		opening: []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"reads","version":"1"}}}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
		before: `{"jsonrpc":"2.0","id":`,
		after:  fmt.Sprintf(`,"method":"tools/call","params":{"name":%q,"arguments":{"path":%q}}}`, tool, path),
	}
}

func batch(path string) protocol {
	return protocol{before: `{"id":`, after: fmt.Sprintf(`,"tool":"read","input":{"path":%q}}`, path)}
}

// client talks to one process. It is made to take little of the time that it measures: its pipes
// block, so that no poller is between it and the server, it makes nothing new for a request, and of
// an answer it looks only whether each byte is as in the first one, which was parsed.
type client struct {
	process       *exec.Cmd
	protocol      protocol
	in, out       *os.File
	requests      []byte // to be sent
	buffer        []byte
	unread        []byte // of buffer, what has come and is not used
	before, after []byte // an answer, around its id
}

func start(args []string, p protocol) (*client, error) {
	c := &client{process: exec.Command(args[0], args[1:]...), protocol: p, buffer: make([]byte, 256<<10)}
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	in.Fd() // makes the pipe block
	out.Fd()
	c.in, c.out, c.process.Stdin, c.process.Stdout = in, out, theirIn, theirOut
	if err := c.process.Start(); err != nil {
		return nil, err
	}
	if err := errors.Join(theirIn.Close(), theirOut.Close()); err != nil {
		return nil, err
	}
	return c, c.open()
}

// open opens the session, and learns from one answer what all others have to be.
func (c *client) open() error {
	for i, message := range c.protocol.opening {
		c.requests = append(c.requests, message+"\n"...)
		if err := c.send(); err != nil {
			return err
		}
		if i == 0 {
			if _, err := c.line(); err != nil {
				return err
			}
		}
	}
	c.add(learnID)
	if err := c.send(); err != nil {
		return err
	}
	line, err := c.line()
	if err != nil {
		return err
	}
	before, after, found := bytes.Cut(line, []byte(strconv.Itoa(learnID)))
	if !found || !hasFile(line) {
		return wrong(line)
	}
	c.before, c.after = bytes.Clone(before), bytes.Clone(after)
	return nil
}

// learnID is the id of the first read. Nothing else in its answer has these digits.
const learnID = 987654321

// hasFile tells whether an answer is JSON with the content of the file.
func hasFile(line []byte) bool {
	var answer any
	return json.Unmarshal(line, &answer) == nil && holds(answer, content())
}

// holds tells whether a text is somewhere in a value.
func holds(value any, text string) bool {
	switch v := value.(type) {
	case string:
		return strings.Contains(v, text)
	case []any:
		for _, item := range v {
			if holds(item, text) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if holds(item, text) {
				return true
			}
		}
	}
	return false
}

func wrong(line []byte) error { return fmt.Errorf("a wrong answer: %.300s", line) }

// add adds a request to those that are sent next.
func (c *client) add(id int) {
	c.requests = strconv.AppendInt(append(c.requests, c.protocol.before...), int64(id), 10)
	c.requests = append(append(c.requests, c.protocol.after...), '\n')
}

func (c *client) send() error {
	_, err := c.in.Write(c.requests)
	c.requests = c.requests[:0]
	return err
}

// line reads an answer. It is good until the next one is read.
func (c *client) line() ([]byte, error) {
	for looked := 0; ; {
		if end := bytes.IndexByte(c.unread[looked:], '\n'); end >= 0 {
			line := c.unread[:looked+end]
			c.unread = c.unread[len(line)+1:]
			return line, nil
		}
		looked = copy(c.buffer, c.unread)
		n, err := c.out.Read(c.buffer[looked:])
		if n == 0 {
			return nil, errors.Join(err, io.ErrUnexpectedEOF)
		}
		c.unread = c.buffer[:looked+n]
	}
}

// read makes so many reads. Each answer must be that of another request, and have the content of
// the file.
func (c *client) read(calls, window int) error {
	sent, answered := 0, make([]bool, calls+1)
	for got := 0; got < calls; got++ {
		for sent < calls && sent-got < window {
			sent++
			c.add(sent)
		}
		if len(c.requests) > 0 {
			if err := c.send(); err != nil {
				return err
			}
		}
		line, err := c.line()
		if err != nil {
			return err
		}
		id := c.answers(line)
		if id < 1 || id > sent || answered[id] {
			return wrong(line)
		}
		answered[id] = true
	}
	return nil
}

// answers gives the id of the request that a line answers, 0 if the answer is wrong.
func (c *client) answers(line []byte) (id int) {
	rest, begins := bytes.CutPrefix(line, c.before)
	digits, ends := bytes.CutSuffix(rest, c.after)
	if !begins || !ends || len(digits) > len("987654321") {
		return 0
	}
	for _, digit := range digits {
		if digit < '0' || '9' < digit {
			return 0
		}
		id = 10*id + int(digit-'0')
	}
	return id
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
	if err := c.in.Close(); err != nil {
		return err
	}
	err := c.process.Wait()
	return errors.Join(err, c.out.Close())
}
