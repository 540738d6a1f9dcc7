package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fsbox/commands"
	"github.com/creack/pty"
)

// columns is how wide the terminal of the picture is.
const columns = 76

// shownCommands are the command lines of the picture.
func shownCommands() []string {
	return []string{
		"fsbox ls",
		"fsbox grep wrold",
		"fsbox edit main.go --expected-text wrold --replacement-text world",
		"fsbox info main.go",
		"fsbox read mian.go",
	}
}

// session runs the commands at a terminal, in a folder made for them, and gives what it shows.
func session() (shown string, err error) {
	folder, err := os.MkdirTemp("", "fsbox-picture-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	root := filepath.Join(folder, "project")
	if err := project(root); err != nil {
		return "", err
	}
	var all strings.Builder
	for _, line := range shownCommands() {
		args := append(strings.Fields(line)[1:], "--root", root, "--state-dir", filepath.Join(folder, "state"), "--allow-write", "--format",
			"pretty")
		text, err := atTerminal(args)
		if err != nil {
			return "", err
		}
		if err := setTimes(root); err != nil {
			return "", err
		}
		all.WriteString("\x1b[32m$\x1b[0m " + line + "\n" + text + "\n")
	}
	return strings.TrimSuffix(all.String(), "\n"), nil
}

// project makes the files that the commands are about.
func project(root string) error {
	for name, content := range map[string]string{
		"main.go":         "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hello, wrold\")\n}\n",
		"main_test.go":    "package main\n\nfunc Example() {\n\tmain()\n\t// Output: hello, wrold\n}\n",
		"server/serve.go": "package server\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644),
			os.Chmod(path, 0o644)); err != nil {
			return err
		}
	}
	return setTimes(root)
}

// setTimes gives all files the same time of change.
func setTimes(root string) error {
	then := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	return filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	})
}

// atTerminal runs the program in this process, with a terminal as standard output.
func atTerminal(args []string) (string, error) {
	keyboard, screen, err := pty.Open()
	if err == nil {
		err = pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: columns})
	}
	if err != nil {
		return "", err
	}
	defer keyboard.Close()
	shown := make(chan string)
	go func() {
		text, err := io.ReadAll(keyboard)
		if err != nil && !errors.Is(err, syscall.EIO) { // which is how it ends when nobody has the screen any more
			text = append(text, err.Error()...)
		}
		shown <- string(text)
	}()
	p := commands.Program{Stdin: strings.NewReader(""), Stdout: screen, Stderr: io.Discard, Tools: commands.Tools()}
	p.Run(context.Background(), args) // a failure is shown, too
	screen.Close()
	return strings.ReplaceAll(<-shown, "\r\n", "\n"), nil
}
