package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// pipe runs a server between a host and its pipes, and records what goes either way in two files.
func pipe(args []string) int {
	record, command := args[0], args[1:]
	in, inErr := os.OpenFile(record+".in", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	out, outErr := os.OpenFile(record+".out", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if inErr != nil || outErr != nil {
		return 1
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, out), os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return 1
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s) // it may have ended
		}
	}()
	go func() {
		_, _ = io.Copy(io.MultiWriter(stdin, in), os.Stdin) // ends with either side
		stdin.Close()
	}()
	_ = cmd.Wait() // its status is the next line's
	return max(cmd.ProcessState.ExitCode(), 0)
}

// recorded is what the pipe has seen.
type recorded struct {
	Client, Protocol string
	Pages            []string // texts of successful answers, in order
}

// readRecord reads the files that pipe has written.
func readRecord(record string) recorded {
	var r recorded
	each(record+".in", func(m message) {
		if p := m.Params; p.Info.Name != "" {
			r.Client, r.Protocol = p.Info.Name, p.Protocol
		} else if p.Meta.Info.Name != "" {
			r.Client, r.Protocol = p.Meta.Info.Name, p.Meta.Protocol
		}
	})
	each(record+".out", func(m message) {
		for _, c := range m.Result.Content {
			r.Pages = append(r.Pages, c.Text)
		}
	})
	return r
}

// message is a line of a pipe, as far as it is looked at.
type message struct {
	Params struct {
		Protocol string                `json:"protocolVersion"`
		Info     struct{ Name string } `json:"clientInfo"`
		Meta     struct {
			Protocol string                `json:"io.modelcontextprotocol/protocolVersion"`
			Info     struct{ Name string } `json:"io.modelcontextprotocol/clientInfo"`
		} `json:"_meta"`
	}
	Result struct{ Content []struct{ Text string } }
}

// each passes on the messages of a file that pipe has written, as far as M has their members.
func each[M any](path string, do func(M)) {
	content, err := os.ReadFile(path)
	if err != nil {
		return // the server wasn't started yet, or never: the report says that nothing was seen
	}
	for line := range strings.Lines(string(content)) {
		var m M
		if json.Unmarshal([]byte(line), &m) == nil {
			do(m)
		}
	}
}
