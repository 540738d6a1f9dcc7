package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fsbox/hosts/dialog"
	"fsbox/hosts/reader"
)

// sizes are those of the terminals in which dialogs are looked at.
var sizes = []size{{60, 20}, {100, 35}}

// interactive is how a host is run with a person at it.
type interactive struct {
	args  []string // in place of the host's
	env   []string // besides
	files map[string]string
	asks  func(h *host) // has the host ask its own permission as well
	// keys that answer a dialog. open are those after which the answers are to be seen.
	open, yes, no []string
	declines      []string // for a refusal without a choice, if there is one
	brief         bool     // its dialogs show few rows, and the question has no last one
}

// interactives are the hosts that offer elicitation, by their names in the catalog.
func interactives() map[string]interactive {
	return map[string]interactive{
		"claude-code": {
			args: []string{"--model", "claude-sonnet-4-5", "--mcp-config", "{home}/mcp.json", "--strict-mcp-config",
				"--allowedTools", "mcp__fsbox"},
			env: []string{"ANTHROPIC_API_KEY=", "ANTHROPIC_AUTH_TOKEN=made-up"},
			files: map[string]string{"{home}/.claude.json": `{"hasCompletedOnboarding": true, "theme": "dark",
				"projects": {"{ws}": {"hasTrustDialogAccepted": true}}}`},
			asks: without("--allowedTools", "mcp__fsbox"),
			open: []string{"Right"}, yes: []string{"Down", "Space", "Down", "Enter"}, no: []string{"Space", "Down", "Enter"},
			declines: []string{"Down", "Right", "Enter"}, brief: true,
		},
		"codex": {
			args: []string{"--no-daemon", "-m", "scripted"},
			files: map[string]string{"{home}/.codex/config.toml": "check_for_update_on_startup = false\n" + codexConfig +
				"[projects.\"{ws}\"]\ntrust_level = \"trusted\"\n"},
			asks: replace("default_tools_approval_mode = \"approve\"\n", ""),
			yes:  []string{"Down", "Enter"}, no: []string{"Enter"},
		},
		"copilot": {
			args:  []string{"--allow-tool=fsbox", "--no-auto-update"},
			files: map[string]string{"{home}/.copilot/config.json": `{"trusted_folders": ["{ws}"]}`},
			asks:  without("--allow-tool=fsbox"),
			yes:   []string{"Down", "Enter"}, no: []string{"Enter"}, declines: []string{"C-d"},
		},
	}
}

// attended is a host with a person at it: it shows its dialogs in a terminal.
func (i interactive) attended(one host) host {
	files := maps.Clone(one.files)
	maps.Copy(files, i.files)
	one.files, one.args, one.env = files, i.args, append(slices.Clone(one.env), i.env...)
	if one.search != "" {
		one.query = query{"query": found("select:", strings.TrimSuffix(one.tools, "NAME"))}
	}
	replace(`"--allow-write"`, `"--allow-write", "--allow-delete", "--approval", "prompt", "--state-dir", "{home}/state"`)(&one)
	return one
}

// dialogs goes through all plans with the chosen hosts, at each size.
func (h *harness) dialogs(ctx context.Context, chosen []host) error {
	for _, one := range chosen {
		how, offers := interactives()[one.name]
		if !offers {
			continue
		}
		for _, at := range sizes {
			if err := h.runDialogs(ctx, one, how, at); err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
		}
		for _, look := range []func(context.Context, host, interactive) error{h.permission, h.alone} {
			if err := look(ctx, one, how); err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
		}
	}
	for _, at := range sizes {
		if err := h.atTerminal(ctx, at); err != nil {
			return fmt.Errorf("at the terminal: %w", err)
		}
	}
	if h.faults > 0 {
		return fmt.Errorf("%d faults", h.faults)
	}
	return nil
}

// fault tells what isn't as it should be.
func (h *harness) fault(format string, args ...any) {
	h.faults++
	fmt.Printf("fault: "+format+"\n", args...)
}

// session is where a host can be started.
func (h *harness) session(ctx context.Context, one host, how interactive) (s *dialogSession, err error) {
	s = &dialogSession{h: h, how: how, director: newDirector(), terminal: &terminal{}}
	s.stage, err = h.stage(ctx, one, s.director, "'"+h.fsbox+"'", reader.Fill)
	return s, err
}

// open starts a host in a terminal.
func (h *harness) open(ctx context.Context, one host, how interactive, at size) (s *dialogSession, err error) {
	if s, err = h.session(ctx, one, how); err != nil {
		return nil, err
	}
	if h.keep != "" {
		s.record = filepath.Join(h.keep, "dialogs", one.name, at.String())
		err = os.MkdirAll(s.record, 0o777)
	}
	if err == nil {
		s.terminal, err = openTerminal(ctx, s.dir, s.values.ws, at, s.environment(), s.command(s.host.args))
	}
	if err == nil {
		err = s.begin(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// close ends the host and removes what the run has made.
func (s *dialogSession) close() {
	s.terminal.close()
	s.sweep()
	s.clear()
}

// runDialogs goes through all plans in one terminal.
func (h *harness) runDialogs(ctx context.Context, one host, how interactive, at size) error {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	s, err := h.open(ctx, how.attended(one), how, at)
	if err != nil {
		return err
	}
	defer s.close()
	defer close(s.director.next) // the model has nothing more to do
	for i, p := range dialog.Plans() {
		if err := s.try(ctx, p, replies[i%len(replies)]); err != nil {
			return fmt.Errorf("%s at %v: %w", p.Name, at, err)
		}
	}
	for _, p := range dialog.Plans()[:3] {
		if err := s.hurry(ctx, p); err != nil {
			return fmt.Errorf("Enter at once, %s at %v: %w", p.Name, at, err)
		}
	}
	fmt.Printf("%s at %v: %d questions, %d faults\n", one.name, at, s.asked, s.faults)
	return nil
}

// permission looks at the question of the host itself, which comes before that of fsbox unless a
// setting leaves it out, as in all other runs.
func (h *harness) permission(ctx context.Context, one host, how interactive) error {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	attended := how.attended(one)
	how.asks(&attended)
	s, err := h.open(ctx, attended, how, sizes[1])
	if err != nil {
		return err
	}
	defer s.close()
	defer close(s.director.next)
	p := dialog.Plans()[0]
	if err := s.ask(ctx, p); err != nil {
		return err
	}
	rows, asks := s.terminal.settled(ctx, time.Minute, func(rows []string) bool {
		all := strings.Join(rows, "\n")
		return strings.Contains(all, p.Deeds[0][len("create "):]) && strings.Contains(all, "1. ") || strings.Contains(all, "❯ Yes")
	})
	s.keep("permission of the host", rows)
	if sent, _ := s.pipe(); !asks || len(sent) > 0 {
		s.fault("it doesn't ask its own question first:\n%s", strings.Join(rows, "\n"))
	}
	if err := s.terminal.press(ctx, "Enter"); err != nil {
		return err
	}
	if s.dialog(ctx) == nil {
		return nil
	}
	if err := s.terminal.press(ctx, how.open...); err != nil {
		return err
	}
	if err := s.reply(ctx, p, "no"); err != nil {
		return err
	}
	_, err = s.director.answer(ctx, time.Minute)
	fmt.Printf("%s: with its own question, %d faults\n", one.name, s.faults)
	return err
}

// alone has the host ask where nobody is: what it sends by itself is no yes.
func (h *harness) alone(ctx context.Context, one host, how interactive) error {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	unattended := how.attended(one)
	unattended.args = one.args
	s, err := h.session(ctx, unattended, how)
	if err != nil {
		return err
	}
	defer s.close()
	ended := make(chan error, 1)
	go func() {
		_, err := s.play(ctx)
		ended <- err
	}()
	p := dialog.Plans()[0]
	for range 2 {
		if err := s.ask(ctx, p); err != nil {
			return err
		}
		told, err := s.director.answer(ctx, time.Minute)
		if err != nil {
			return err
		}
		fmt.Printf("%s without a person: the model is told %q\n", one.name, told)
	}
	close(s.director.next)
	_, sent := s.pipe()
	for _, reply := range sent {
		fmt.Printf("%s without a person sends %s\n", one.name, reply)
	}
	if len(s.tree()) > 0 {
		s.fault("without a person there is a change")
	}
	<-ended
	return nil
}

// atTerminal has fsbox itself ask at a terminal. Enter alone, ten times from the start on, changes
// nothing; then the question is read, and a yes makes the change.
func (h *harness) atTerminal(ctx context.Context, at size) error {
	dir, err := os.MkdirTemp(h.temp, "terminal-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "old.txt")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o666); err != nil {
		return err
	}
	for i, keys := range [][]string{slices.Repeat([]string{"Enter"}, 10), {"y", "Enter"}} {
		own := filepath.Join(dir, fmt.Sprint("terminal ", i))
		if err := os.Mkdir(own, 0o777); err != nil {
			return err
		}
		t, err := openTerminal(ctx, own, dir, at, []string{"HOME=" + dir, "LANG=C.UTF-8"}, []string{h.fsbox, "--root", dir, "--allow-write",
			"--allow-delete", "--approval", "prompt", "--format", "text", "delete", "old.txt"})
		if err != nil {
			return err
		}
		isYes := keys[0] == "y"
		var rows []string
		if isYes {
			asked := func(rows []string) bool { return strings.Contains(strings.Join(rows, "\n"), "[y/N]") }
			if rows, isYes = t.settled(ctx, 30*time.Second, asked); !isYes {
				h.fault("at a terminal of %v: no question in\n%s", at, strings.Join(rows, "\n"))
			}
		}
		err = t.press(ctx, keys...)
		ended := func(rows []string) bool {
			return strings.Contains(strings.Join(rows, "\n"), map[bool]string{true: "removed file", false: "approval_denied"}[isYes])
		}
		rows, ok := t.settled(ctx, 30*time.Second, ended)
		if !ok {
			h.fault("at a terminal of %v: %v ends with\n%s", at, keys, strings.Join(rows, "\n"))
		}
		t.close()
		if _, there := os.Stat(path); err != nil || (there == nil) == isYes {
			return fmt.Errorf("after %v: %w, the file: %v", keys, err, there)
		}
	}
	return nil
}
