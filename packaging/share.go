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

// shareFiles are the files of packaging/share, with the command that prints each.
func shareFiles() map[string][]string {
	return map[string][]string{
		"completions/fsbox.bash": {"completion", "bash"},
		"completions/_fsbox":     {"completion", "zsh"},
		"completions/fsbox.fish": {"completion", "fish"},
		"man/fsbox.1":            {"man"},
	}
}

// makeShare writes them. They are kept in the repository, so that packagers need not run a binary
// of another system.
func makeShare(to string) error {
	for name, args := range shareFiles() {
		content, err := printed(args...)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(to, filepath.FromSlash(name)), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// installed is where packages put these files below /usr, or another such folder.
func installed() []struct{ share, path string } {
	return []struct{ share, path string }{
		{"completions/fsbox.bash", "share/bash-completion/completions/fsbox"},
		{"completions/_fsbox", "share/zsh/site-functions/_fsbox"},
		{"completions/fsbox.fish", "share/fish/vendor_completions.d/fsbox.fish"},
		{"man/fsbox.1", "share/man/man1/fsbox.1"},
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
