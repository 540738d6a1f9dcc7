package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// protocol is how a server takes requests.
type protocol struct {
	opening       string // messages before the first read; one of them is answered
	before, after string // a request that reads the file, around its id
}

func mcp(tool, path string) protocol {
	return protocol{
		opening: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"reads","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n",
		before: `{"jsonrpc":"2.0","id":`,
		after:  fmt.Sprintf(`,"method":"tools/call","params":{"name":%q,"arguments":{"path":%q}}}`, tool, path),
	}
}

func batch(path string) protocol {
	return protocol{before: `{"id":`, after: fmt.Sprintf(`,"tool":"read","input":{"path":%q}}`, path)}
}

// client talks to one process. It is made to take little of the time that it measures: its pipes
// block, so that no poller is between it and the server, it makes nothing new for a request, and of
// an answer it looks only whether each byte is as in the first one, which was looked at.
type client struct {
	process       *exec.Cmd
	protocol      protocol
	in            *os.File
	out           *bufio.Reader
	requests      []byte // to be sent
	before, after []byte // an answer, around its id
}

func start(args []string, p protocol) (*client, error) {
	c := &client{process: exec.Command(args[0], args[1:]...), protocol: p}
	theirIn, in, inErr := os.Pipe()
	out, theirOut, outErr := os.Pipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	in.Fd() // makes the pipe block
	out.Fd()
	c.in, c.out, c.process.Stdin, c.process.Stdout = in, bufio.NewReaderSize(out, 256<<10), theirIn, theirOut
	if err := errors.Join(c.process.Start(), theirIn.Close(), theirOut.Close()); err != nil {
		return nil, err
	}
	return c, c.open()
}

// open opens the session, and learns from one answer what all others have to be.
func (c *client) open() error {
	if c.protocol.opening != "" {
		_, err := c.in.WriteString(c.protocol.opening)
		if _, readErr := c.out.ReadSlice('\n'); err != nil || readErr != nil {
			return errors.Join(err, readErr)
		}
	}
	c.add(learnID)
	if err := c.send(); err != nil {
		return err
	}
	line, err := c.out.ReadSlice('\n')
	before, after, found := bytes.Cut(bytes.Clone(line), []byte(strconv.Itoa(learnID)))
	if err != nil || !found || !bytes.Contains(line, []byte(strings.ReplaceAll(content(), "\n", `\n`))) {
		return errors.Join(err, wrong(line))
	}
	c.before, c.after = before, after
	return nil
}

// learnID is the id of the first read. Nothing else in its answer has these digits.
const learnID = 987654321

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

// read makes so many reads. Each answer must be that of another request, and have the content of
// the file.
func (c *client) read(calls, window int) error {
	sent, answered := 0, make([]bool, calls+1)
	for got := 0; got < calls; got++ {
		for sent < calls && sent-got < window {
			sent++
			c.add(sent)
		}
		if err := c.send(); err != nil {
			return err
		}
		line, err := c.out.ReadSlice('\n')
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
func (c *client) answers(line []byte) int {
	rest, begins := bytes.CutPrefix(line, c.before)
	digits, ends := bytes.CutSuffix(rest, c.after)
	id, err := strconv.Atoi(string(digits))
	if !begins || !ends || err != nil {
		return 0
	}
	return id
}

// stop ends the process as its protocol says: by the end of its input.
func (c *client) stop() error {
	return errors.Join(c.in.Close(), c.process.Wait())
}
