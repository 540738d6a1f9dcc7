package testscript

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/creack/pty"
)

// shown runs fsbox with a terminal to write to, and prints what the terminal is sent.
func shown() {
	keyboard, screen, err := pty.Open()
	if err == nil {
		err = pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 60})
	}
	if err != nil {
		panic(err)
	}
	args, to := os.Args[1:], os.Stdout
	cmd := exec.Command("fsbox")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, screen, screen
	if len(args) > 0 && args[0] == "-stderr" {
		args, to, cmd.Stdout = args[1:], os.Stderr, os.Stdout
	}
	release := func(string) {}
	if len(args) > 0 && strings.HasPrefix(args[0], "-until=") {
		release, args = held(cmd, strings.TrimPrefix(args[0], "-until=")), args[1:]
	}
	cmd.Args = append(cmd.Args, args...)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	screen.Close()
	var sent strings.Builder
	buffer := make([]byte, 4096)
	for err == nil { // reading fails when nobody has the terminal open any more
		var n int
		n, err = keyboard.Read(buffer)
		sent.Write(buffer[:n])
		release(sent.String())
	}
	_ = cmd.Wait() // its status is handed on
	fmt.Fprint(to, spelledOut(sent.String()))
	os.Exit(cmd.ProcessState.ExitCode())
}

// held keeps standard input from a command until the terminal has shown a text.
func held(cmd *exec.Cmd, until string) (release func(shown string)) {
	cmd.Stdin = nil
	in, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	return func(shown string) {
		if in != nil && strings.Contains(shown, until) {
			_, _ = io.Copy(in, os.Stdin) // the answer tells if it didn't arrive
			in.Close()
			in = nil
		}
	}
}

// spelledOut shows what is sent to a terminal in a form that scripts can hold.
func spelledOut(sent string) string {
	text := strings.NewReplacer("\r\n", "\n", "\x1b[0m", "{}", "\x1b[31m", "{red}", "\x1b[32m", "{green}", "\x1b[33m", "{yellow}",
		"\x1b[34m", "{blue}",
		"\x1b[35m", "{magenta}", "\x1b[36m", "{cyan}").Replace(sent)
	var b strings.Builder
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			fmt.Fprintf(&b, "<%02x>", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
