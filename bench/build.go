package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// build makes the programs as they are released.
func (b *bench) build() error {
	for _, p := range []struct {
		to        *string
		name, dir string
	}{{&b.fsbox, "fsbox", "."}, {&b.hello, "hello", "./bench/hello"}, {&b.bare, "bare", "./bench/bare"},
		{&b.floor, "floor", "./bench/floor"}} {
		*p.to = filepath.Join(b.temp, p.name)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", *p.to, p.dir)
		cmd.Dir, cmd.Env, cmd.Stderr = b.module, append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%v: %w", cmd, err)
		}
	}
	return nil
}
