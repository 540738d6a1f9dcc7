package testscript

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"fsbox/commands"
)

// converse runs fsbox mcp with the messages on stdin. A script can't tell which of two calls ends
// first, so each message is sent after the answer to the one before. Notifications, and lines
// without an id, aren't waited for. -faulty adds the tool of that name.
func converse(args []string) (status int) {
	in, toServer := io.Pipe()
	fromServer, out, err := os.Pipe() // keeps what is not waited for until it is read
	if err != nil {
		panic(err)
	}
	p := commands.Program{Stdin: in, Stdout: out, Stderr: os.Stderr, Commands: commands.All()}
	if len(args) > 0 && args[0] == "-faulty" {
		p.Commands, args = append(p.Commands, faulty()), args[1:]
	}
	go func() {
		status = p.Run(context.Background(), append([]string{"mcp"}, args...))
		out.Close()
		in.Close()
	}()
	answers := bufio.NewReader(fromServer)
	messages := bufio.NewReader(os.Stdin)
	for {
		message, err := messages.ReadString('\n')
		if _, writeErr := io.WriteString(toServer, message); err != nil || writeErr != nil {
			break
		}
		if id := idOf(message); id != "" {
			for answer := "x"; answer != "" && idOf(answer) != id; {
				answer, _ = answers.ReadString('\n')
				fmt.Print(answer)
			}
		}
	}
	toServer.Close()
	io.Copy(os.Stdout, answers)
	return status
}

// idOf is the id of a message as JSON, "" without one.
func idOf(message string) string {
	var m struct{ ID json.RawMessage }
	_ = json.Unmarshal([]byte(message), &m) // what isn't JSON has no id
	return string(m.ID)
}
