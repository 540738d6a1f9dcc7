package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fsbox/commands"
)

// shareFile is a file of packaging/share.
type shareFile struct {
	name string
	path string   // where packages put it, below /usr or another such folder
	args []string // the command that prints it
}

func shareFiles() []shareFile {
	return []shareFile{
		{"completions/fsbox.bash", "share/bash-completion/completions/fsbox", []string{"completion", "bash"}},
		{"completions/_fsbox", "share/zsh/site-functions/_fsbox", []string{"completion", "zsh"}},
		{"completions/fsbox.fish", "share/fish/vendor_completions.d/fsbox.fish", []string{"completion", "fish"}},
		{"man/fsbox.1", "share/man/man1/fsbox.1", []string{"man"}},
	}
}

// printed is what the program prints.
func printed(args ...string) ([]byte, error) {
	var out bytes.Buffer
	if status := commands.Main(context.Background(), args, strings.NewReader(""), &out, io.Discard); status != 0 {
		return nil, fmt.Errorf("fsbox %s: status %d: %s", strings.Join(args, " "), status, out.Bytes())
	}
	return out.Bytes(), nil
}

func writeFile(name string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, mode)
}
