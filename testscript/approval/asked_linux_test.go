package approval

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

// terminals are the programs that scripts run besides those of all packages.
func terminals() map[string]func() { return map[string]func(){"fsbox-asked": asked} }

// asked runs fsbox at a terminal, types the first argument at every prompt, and copies what the
// terminal shows to standard error. Something is typed before the first prompt, too, which must not
// count. An answer RUN:COMMAND is a shell command to run before "y" is typed.
func asked() {
	keyboard, screen, err := pty.Open()
	if err != nil {
		panic(err)
	}
	if _, err := keyboard.WriteString("y\n"); err != nil {
		panic(err)
	}
	cmd := exec.Command("fsbox", os.Args[2:]...)
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	cmd.ExtraFiles = []*os.File{screen}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	screen.Close()
	shown := make(chan []byte)
	go answerPrompts(keyboard, os.Args[1], shown)
	err = cmd.Wait()
	os.Stderr.Write(<-shown)
	if err != nil {
		os.Exit(cmd.ProcessState.ExitCode())
	}
	os.Exit(0)
}

// answerPrompts reads what the terminal shows until nobody has it open any more.
func answerPrompts(keyboard *os.File, answer string, shown chan<- []byte) {
	var all []byte
	buffer := make([]byte, 4096)
	for prompts := 0; ; {
		n, err := keyboard.Read(buffer)
		all = append(all, buffer[:n]...)
		if seen := bytes.Count(all, []byte("\nMake this change? [y/N] ")); seen > prompts {
			prompts = seen
			typed := answer
			if command, ok := strings.CutPrefix(answer, "RUN:"); ok {
				_ = exec.Command("sh", "-c", command).Run()
				typed = "y"
			}
			time.Sleep(10 * time.Millisecond)
			_, _ = keyboard.WriteString(typed + "\n")
		}
		if err != nil {
			shown <- all
			return
		}
	}
}
