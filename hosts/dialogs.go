package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
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
	declines      []string // keys for a refusal without a choice, if there are any
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
			declines: []string{"Down", "Right", "Enter"},
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
		prefix := strings.TrimSuffix(one.tools, "NAME")
		one.query = query{"query": "select:" + prefix + strings.Join(toolNames(), ","+prefix)}
	}
	replace(`"--allow-write"`, `"--allow-write", "--allow-delete", "--approval", "prompt", "--state-dir", "{home}/state"`)(&one)
	return one
}

// director has the model of a host make the calls that it is given, one after the other.
type director struct {
	next    chan []reader.Call
	answers chan string
	besides []reader.Call
}

func newDirector() *director {
	return &director{next: make(chan []reader.Call), answers: make(chan string, 1)}
}

// First is the first call that is given.
func (d *director) First() reader.Call {
	call, _ := d.take()
	return call
}

// Next passes an answer on and waits for the next call.
func (d *director) Next(answer string) (reader.Call, bool) {
	d.answers <- answer
	return d.take()
}

// Besides are the calls at the same time as the last one.
func (d *director) Besides() []reader.Call { return d.besides }

func (d *director) take() (call reader.Call, more bool) {
	calls, more := <-d.next
	if !more {
		return call, false
	}
	d.besides = calls[1:]
	return calls[0], true
}

// give has a call made.
func (d *director) give(ctx context.Context, calls ...reader.Call) error {
	select {
	case d.next <- calls:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answer waits for what the model is told.
func (d *director) answer(ctx context.Context, wait time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case a := <-d.answers:
		return a, nil
	case <-ctx.Done():
		return "", errors.New("the model got no answer")
	}
}

// play is one host in one terminal.
type seance struct {
	*stage
	h        *harness
	how      interactive
	terminal *terminal
	director *director
	record   string // where screens are kept, or nothing
	asked    int    // questions so far
	faults   []string
}

// questions reads the messages of the pipe: the texts of all questions, and what was sent back.
func (s *seance) pipe() (questions []string, replies []json.RawMessage) {
	type form struct{ Params struct{ Message string } }
	lines := func(name string, do func(line []byte)) {
		content, _ := os.ReadFile(filepath.Join(s.dir, "pipe"+name)) // not there before the server is
		for line := range strings.Lines(string(content)) {
			do([]byte(line))
		}
	}
	lines(".out", func(line []byte) {
		var m struct {
			Method string
			form
			Result struct {
				Requests map[string]form `json:"inputRequests"`
			}
		}
		if json.Unmarshal(line, &m) != nil {
			return
		}
		if m.Method == "elicitation/create" {
			questions = append(questions, m.Params.Message)
		}
		for _, f := range m.Result.Requests {
			questions = append(questions, f.Params.Message)
		}
	})
	lines(".in", func(line []byte) {
		var m struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Params struct {
				Responses map[string]json.RawMessage `json:"inputResponses"`
			}
		}
		if json.Unmarshal(line, &m) != nil {
			return
		}
		if m.Method == "" && strings.HasPrefix(string(m.ID), `"ask-`) {
			replies = append(replies, m.Result)
		}
		for _, r := range m.Params.Responses {
			replies = append(replies, r)
		}
	})
	return questions, replies
}

// fault notes what isn't as it should be, with the screen.
func (s *seance) fault(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf("%s at %v: ", s.host.name, s.terminal.size)+fmt.Sprintf(format, args...))
}

// lay makes the workspace of a plan.
func (s *seance) prepare(ctx context.Context, p dialog.Plan) error {
	entries, err := os.ReadDir(s.values.ws)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") { // which the host has
			if err := os.RemoveAll(filepath.Join(s.values.ws, e.Name())); err != nil {
				return err
			}
		}
	}
	for path, text := range p.Files {
		full := filepath.Join(s.values.ws, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			return err
		}
		target, isLink := strings.CutPrefix(text, "-> ")
		if isLink {
			err = os.Symlink(target, full)
		} else {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			return err
		}
	}
	for _, call := range p.Earlier {
		arguments, err := json.Marshal(call.Arguments)
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(ctx, s.h.fsbox, "--root", s.values.ws, "--state-dir", filepath.Join(s.values.home, "state"),
			"--allow-write", "--allow-delete", call.Tool, "--json", string(arguments)).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w: %s", call.Tool, err, out)
		}
	}
	return nil
}

// tree is all that is in the workspace, without what the host has there.
func (s *seance) tree() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(s.values.ws, func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(s.values.ws, path)
		if err != nil || name == "." || strings.HasPrefix(name, ".") {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil // it would be missing in the comparison
		}
		text, _ := os.ReadFile(path)
		all[name] = info.Mode().String() + " " + string(text)
		return nil
	})
	return all
}

// ask makes the calls of a plan and waits for the dialog.
func (s *seance) ask(ctx context.Context, p dialog.Plan) error {
	if err := s.prepare(ctx, p); err != nil {
		return err
	}
	calls := []reader.Call{p.Call}
	for _, other := range p.Besides {
		calls = append(calls, other.Call)
	}
	return s.director.give(ctx, calls...)
}

// dialog waits until the next question is on the screen. rows is nil if it isn't shown.
func (s *seance) dialog(ctx context.Context) (rows []string) {
	s.asked++
	until := time.Now().Add(90 * time.Second)
	for time.Now().Before(until) {
		questions, _ := s.pipe()
		if len(questions) >= s.asked {
			break
		}
		pause(ctx, 100*time.Millisecond)
	}
	rows, ok := s.terminal.settled(ctx, 20*time.Second, func(rows []string) bool { return dialog.IsThere(rows) })
	if !ok {
		s.fault("no dialog for question %d; the screen:\n%s", s.asked, strings.Join(rows, "\n"))
		return nil
	}
	return rows
}

// begin waits until the host has the server's tools, and has its model begin.
func (s *seance) begin(ctx context.Context) error {
	for {
		content, _ := os.ReadFile(filepath.Join(s.dir, "pipe.out")) // not there before the server is
		if strings.Contains(string(content), `"tools":[`) {
			break
		}
		if !pause(ctx, 200*time.Millisecond) {
			return fmt.Errorf("the server isn't asked for its tools; the screen:\n%s", strings.Join(s.terminal.screen(context.Background()), "\n"))
		}
	}
	s.terminal.settled(ctx, 30*time.Second, func([]string) bool { return true })
	return s.terminal.press(ctx, "g", "o", "Enter")
}

// keep writes a screen into a file, if that was asked for.
func (s *seance) keep(name string, rows []string) {
	if s.record == "" {
		return
	}
	name = strings.NewReplacer(" ", "-", ",", "", "'", "", "/", "-").Replace(name)
	_ = os.WriteFile(filepath.Join(s.record, name+".txt"), []byte(strings.Join(rows, "\n")+"\n"), 0o666) // for a person only
}

// dialogs goes through all plans with the chosen hosts, at each size.
func (h *harness) dialogs(ctx context.Context, chosen []host) error {
	var faults []string
	for _, one := range chosen {
		how, offers := interactives()[one.name]
		if !offers {
			continue
		}
		for _, at := range sizes {
			found, err := h.seance(ctx, one, how, at)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			faults = append(faults, found...)
		}
	}
	for _, f := range faults {
		fmt.Println("fault:", f)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults", len(faults))
	}
	return nil
}

// seance shows a person's screens of one host at one size.
func (h *harness) seance(ctx context.Context, one host, how interactive, at size) (faults []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	s := &seance{h: h, how: how, director: newDirector()}
	if s.stage, err = h.stage(ctx, how.attended(one), s.director, "'"+h.fsbox+"'"); err != nil {
		return nil, err
	}
	defer s.clear()
	defer s.sweep()
	if h.keep != "" {
		s.record = filepath.Join(h.keep, one.name, at.String())
		if err := os.MkdirAll(s.record, 0o777); err != nil {
			return nil, err
		}
	}
	if s.terminal, err = openTerminal(ctx, s.dir, s.values.ws, at, s.environment(), s.command(s.host.args)); err != nil {
		return nil, err
	}
	defer s.terminal.close()
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	fmt.Println(strings.Join(s.terminal.screen(ctx), "\n"))
	if err := s.ask(ctx, dialog.Plans()[0]); err != nil {
		fmt.Println(err)
	}
	rows := s.dialog(ctx)
	fmt.Println(strings.Join(rows, "\n"))
	for _, k := range s.how.open {
		s.terminal.press(ctx, k)
		rows, _ := s.terminal.settled(ctx, 3*time.Second, dialog.IsThere)
		fmt.Println(k, strings.Join(rows, "\n"))
	}
	if false {
		for _, k := range s.how.yes {
			s.terminal.press(ctx, k)
			rows, _ := s.terminal.settled(ctx, 3*time.Second, dialog.IsThere)
			fmt.Println(k, strings.Join(rows, "\n"))
		}
	}
	a, err := s.director.answer(ctx, 30*time.Second)
	fmt.Println(a, err)
	q, r := s.pipe()
	fmt.Println(q)
	for _, x := range r {
		fmt.Println(string(x))
	}
	close(s.director.next)
	return s.faults, nil
}
