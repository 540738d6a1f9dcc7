package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// check finds what the run needs, or says how to get it.
func (b *bench) check() error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	b.module = strings.TrimSpace(string(out))
	return errors.Join(b.checkPeers(), b.checkTree())
}

func (b *bench) checkPeers() error {
	rg, err := program(b.options.rg)
	if err != nil {
		return fmt.Errorf("%w\nripgrep 15 is in npm's package @vscode/ripgrep-linux-x64, as bin/rg: give its path with -rg", err)
	}
	b.options.rg = rg
	return b.checkFd()
}

// checkFd finds fd, without which the run goes on unless it was named.
func (b *bench) checkFd() error {
	names := []string{"fdfind", "fd"} // Debian's name for it first
	if b.options.fd != "" {
		names = []string{b.options.fd}
	}
	var err error
	for _, name := range names {
		if b.options.fd, err = program(name); err == nil {
			return b.checkFdRules()
		}
	}
	if len(names) == 1 {
		return err
	}
	return nil
}

// checkFdRules finds out how fd reads .gitignore outside a repository: until release 8.7 always,
// since then if told so.
func (b *bench) checkFdRules() error {
	help, err := exec.Command(b.options.fd, "--help").Output()
	if bytes.Contains(help, []byte("--no-require-git")) {
		b.fdFlags = []string{"--no-require-git"}
	}
	return err
}

// program finds a program, and names it so that it is found from any folder.
func program(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}

const howToGetTree = `the Linux sources of Debian's package linux-source-6.1 are needed:
	apt-get download linux-source-6.1
	dpkg-deb -x linux-source-6.1_*.deb .
	tar xf usr/src/linux-source-6.1.tar.xz
	sed -i -e '\|^/\*$|d' -e '\|^!/debian/$|d' linux-source-6.1/.gitignore
then give the folder with -tree`

// checkTree refuses a tree whose own rules ignore it: Debian ends its .gitignore with "/*" and
// "!/debian/", and then there is nothing to search.
func (b *bench) checkTree() error {
	tree, err := filepath.Abs(b.options.tree)
	if err != nil {
		return err
	}
	b.options.tree = tree
	rules, err := os.ReadFile(filepath.Join(tree, ".gitignore"))
	if err != nil {
		return fmt.Errorf("%w\n%s", err, howToGetTree)
	}
	lines := bytes.Split(rules, []byte("\n"))
	for _, rule := range []string{"/*", "!/debian/"} {
		if slices.ContainsFunc(lines, func(line []byte) bool { return string(line) == rule }) {
			return fmt.Errorf("the tree's .gitignore has the line %q, which ignores all of it\n%s", rule, howToGetTree)
		}
	}
	return nil
}
