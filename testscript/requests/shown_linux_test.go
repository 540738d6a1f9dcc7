package requests

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/creack/pty"
)

// terminals are the programs that scripts run besides those of all packages.
func terminals() map[string]func() { return map[string]func(){"fsbox-shown": shown} }

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
	cmd.Args = append(cmd.Args, args...)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	screen.Close()
	var sent strings.Builder
	_, _ = io.Copy(&sent, keyboard) // which fails when nobody has the terminal open any more
	_ = cmd.Wait()                  // its status is handed on
	fmt.Fprint(to, spelledOut(sent.String()))
	os.Exit(cmd.ProcessState.ExitCode())
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
