package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// size is that of a terminal.
type size struct{ columns, rows int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.columns, s.rows) }

// terminal is a program in a terminal of its own, by tmux.
type terminal struct {
	socket string
	size   size
}

// openTerminal runs a command in a terminal, with these variables and no others. tmux has a socket
// and settings of its own.
func openTerminal(ctx context.Context, dir, folder string, at size, env, command []string) (*terminal, error) {
	t := &terminal{socket: filepath.Join(dir, "tmux-"+at.String()), size: at}
	settings := filepath.Join(dir, "tmux.conf")
	lines := "set -g status off\nset -g escape-time 0\nset -g default-terminal screen-256color\nset -g remain-on-exit on\n"
	if err := os.WriteFile(settings, []byte(lines), 0o666); err != nil {
		return nil, err
	}
	quoted := []string{"exec", "env", "-i", "TERM=screen-256color"}
	for _, one := range append(env, command...) {
		quoted = append(quoted, "'"+strings.ReplaceAll(one, "'", `'\''`)+"'")
	}
	_, err := t.tmux(ctx, "-f", settings, "new-session", "-d", "-x", fmt.Sprint(at.columns), "-y", fmt.Sprint(at.rows), "-c", folder,
		strings.Join(quoted, " "))
	return t, err
}

func (t *terminal) tmux(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-S", t.socket}, args...)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=screen-256color"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), err
}

// close ends the program with its terminal.
func (t *terminal) close() {
	if t.socket == "" {
		return
	}
	_, _ = t.tmux(context.Background(), "kill-server") // it may have ended by itself
}

// screen is what is to be seen.
func (t *terminal) screen(ctx context.Context) []string {
	out, err := t.tmux(ctx, "capture-pane", "-p")
	if err != nil {
		return nil // a fault follows: what is waited for isn't there
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

// press types keys by tmux's names for them, with a pause after each, as a person does.
func (t *terminal) press(ctx context.Context, keys ...string) error {
	for _, key := range keys {
		if _, err := t.tmux(ctx, "send-keys", key); err != nil {
			return err
		}
		if !pause(ctx, 250*time.Millisecond) {
			return ctx.Err()
		}
	}
	return nil
}

// pause waits, and reports whether there is time left.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// settled waits for a screen that satisfies a condition and doesn't change any more.
func (t *terminal) settled(ctx context.Context, d time.Duration, is func(rows []string) bool) (rows []string, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	for last := ""; pause(ctx, 200*time.Millisecond); {
		if next := t.screen(ctx); next != nil {
			rows = next
		}
		if now := strings.Join(rows, "\n"); now != last {
			last = now
		} else if is(rows) {
			return rows, true
		}
	}
	return rows, false
}
