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
		prefix := strings.TrimSuffix(one.tools, "NAME")
		one.query = query{"query": "select:" + prefix + strings.Join(toolNames(), ","+prefix)}
	}
	replace(`"--allow-write"`, `"--allow-write", "--allow-delete", "--approval", "prompt", "--state-dir", "{home}/state"`)(&one)
	return one
}

// director has the model of a host make the calls that it is given, one after the other.
type director struct {
	begun   chan struct{} // closed when the first call is wanted
	next    chan []reader.Call
	answers chan string
	besides []reader.Call
}

func newDirector() *director {
	return &director{begun: make(chan struct{}), next: make(chan []reader.Call), answers: make(chan string, 1)}
}

// First is the first call that is given.
func (d *director) First() reader.Call {
	close(d.begun)
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

// seance is one host in one terminal.
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

// pipe reads the messages of the pipe: the texts of all questions, and what was sent back.
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
	fmt.Println("fault:", s.faults[len(s.faults)-1])
}

// prepare makes the workspace of a plan.
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
	for range 6 { // keys that come too early are lost
		s.terminal.settled(ctx, 30*time.Second, func(rows []string) bool {
			return slices.ContainsFunc(rows, func(row string) bool { return strings.ContainsAny(row, "❯›") })
		})
		if err := s.terminal.press(ctx, "C-u", "g", "o", "Enter"); err != nil {
			return err
		}
		select {
		case <-s.director.begun:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Second):
		}
	}
	return fmt.Errorf("its model isn't asked; the screen:\n%s", strings.Join(s.terminal.screen(ctx), "\n"))
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
		for _, look := range []func(context.Context, host, interactive) ([]string, error){h.permission, h.alone} {
			found, err := look(ctx, one, how)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			faults = append(faults, found...)
		}
	}
	for _, at := range sizes {
		found, err := h.atTerminal(ctx, at)
		if err != nil {
			return fmt.Errorf("at the terminal: %w", err)
		}
		for _, f := range found {
			fmt.Println("fault:", f)
		}
		faults = append(faults, found...)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults", len(faults))
	}
	return nil
}

// open starts a host in a terminal.
func (h *harness) open(ctx context.Context, one host, how interactive, at size) (s *seance, err error) {
	s = &seance{h: h, how: how, director: newDirector()}
	if s.stage, err = h.stage(ctx, one, s.director, "'"+h.fsbox+"'"); err != nil {
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
func (s *seance) close() {
	if s.terminal != nil {
		s.terminal.close()
	}
	s.sweep()
	s.clear()
}

// seance goes through all plans in one terminal.
func (h *harness) seance(ctx context.Context, one host, how interactive, at size) (faults []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	s, err := h.open(ctx, how.attended(one), how, at)
	if err != nil {
		return nil, err
	}
	defer s.close()
	defer close(s.director.next) // the model has nothing more to do
	for i, p := range dialog.Plans() {
		if err := s.try(ctx, p, replies[i%len(replies)]); err != nil {
			return s.faults, fmt.Errorf("%s at %v: %w", p.Name, at, err)
		}
	}
	for _, p := range dialog.Plans()[:3] {
		if err := s.hurry(ctx, p); err != nil {
			return s.faults, fmt.Errorf("Enter at once, %s at %v: %w", p.Name, at, err)
		}
	}
	fmt.Printf("%s at %v: %d questions, %d faults\n", one.name, at, s.asked, len(s.faults))
	return s.faults, nil
}

// permission looks at the question of the host itself, which comes before that of fsbox unless a
// setting leaves it out, as in all other runs.
func (h *harness) permission(ctx context.Context, one host, how interactive) (faults []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	attended := how.attended(one)
	how.asks(&attended)
	s, err := h.open(ctx, attended, how, sizes[1])
	if err != nil {
		return nil, err
	}
	defer s.close()
	defer close(s.director.next)
	p := dialog.Plans()[0]
	if err := s.ask(ctx, p); err != nil {
		return nil, err
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
		return nil, err
	}
	if s.dialog(ctx) == nil {
		return s.faults, nil
	}
	if err := s.terminal.press(ctx, how.open...); err != nil {
		return nil, err
	}
	if err := s.reply(ctx, p, "no"); err != nil {
		return nil, err
	}
	_, err = s.director.answer(ctx, time.Minute)
	fmt.Printf("%s: with its own question, %d faults\n", one.name, len(s.faults))
	return s.faults, err
}

// alone has the host ask where nobody is: what it sends by itself is no yes.
func (h *harness) alone(ctx context.Context, one host, how interactive) (faults []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	unattended := how.attended(one)
	unattended.args = one.args
	s := &seance{h: h, how: how, director: newDirector(), terminal: &terminal{}}
	if s.stage, err = h.stage(ctx, unattended, s.director, "'"+h.fsbox+"'"); err != nil {
		return nil, err
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
			return nil, err
		}
		told, err := s.director.answer(ctx, time.Minute)
		if err != nil {
			return nil, err
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
	return s.faults, nil
}

// replies are what is answered, in turn.
var replies = []string{"no", "escape", "yes", "decline"}

// try has one plan asked about, reads the question, answers it, and looks at what comes of it.
func (s *seance) try(ctx context.Context, p dialog.Plan, reply string) error {
	if err := s.ask(ctx, p); err != nil {
		return err
	}
	before := s.tree()
	waiting := append([]dialog.Plan{p}, p.Besides...)
	for len(waiting) > 0 {
		q, err := s.read(ctx, p.Name+s.suffix(len(p.Besides)+1-len(waiting)))
		if err != nil {
			return err
		}
		at := max(0, slices.IndexFunc(waiting, func(one dialog.Plan) bool { return len(q.Check(one)) == 0 }))
		for _, f := range q.Check(waiting[at]) {
			s.fault("%s: %s\n%s", p.Name, f, strings.Join(q.Rows, "\n"))
		}
		waiting = slices.Delete(waiting, at, at+1)
		if err := s.reply(ctx, p, reply); err != nil {
			return err
		}
	}
	told, err := s.director.answer(ctx, time.Minute)
	if err != nil {
		return err
	}
	if isYes := reply == "yes"; !isYes {
		own, _, _ := strings.Cut(told, "\n\n<system-reminder>") // which one host puts after it
		if _, text, is := strings.Cut(own, "approval_"); !is || len([]rune(text)) > 290 {
			s.fault("%s: the model is told %d characters: %s", p.Name, len(told), told)
		}
		if !maps.Equal(before, s.tree()) {
			s.fault("%s: %s, and there is a change", p.Name, reply)
		}
	} else {
		s.isDone(p)
	}
	return nil
}

func (s *seance) suffix(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(" ", n+1)
}

// read waits for the next question, and compares it with what fsbox has sent.
func (s *seance) read(ctx context.Context, name string) (q dialog.Question, err error) {
	rows := s.dialog(ctx)
	if rows == nil {
		return q, errors.New("there is no dialog")
	}
	s.keep(name, rows)
	s.draw(name, rows)
	if q, err = dialog.Read(rows); err != nil {
		return q, err
	}
	sent, _ := s.pipe()
	shown := strings.Join(q.Rows, "\n") // of two at once it may be the other one
	if !slices.ContainsFunc(sent, func(want string) bool { return trimmed(want) == shown }) {
		s.fault("%s: sent is\n%s\nand shown\n%s", name, sent[s.asked-1], strings.Join(rows, "\n"))
	}
	if q.Ends == s.how.brief {
		s.fault("%s: its last row is shown: %v", name, q.Ends)
	}
	if len(s.how.open) > 0 {
		if err := s.terminal.press(ctx, s.how.open...); err != nil {
			return q, err
		}
		rows, _ = s.terminal.settled(ctx, 10*time.Second, func(rows []string) bool {
			open, err := dialog.Read(rows)
			return err == nil && len(open.Answers) == 2
		})
		s.keep(name+" open", rows)
		s.draw(name, rows)
		open, err := dialog.Read(rows)
		if err != nil || !slices.Equal(open.Rows, q.Rows) {
			s.fault("%s: with the answers open, there is\n%s", name, strings.Join(rows, "\n"))
		}
		q.Answers = open.Answers
	}
	if len(q.Answers) != 2 || q.Answers[0] != "No: change nothing" || !strings.HasPrefix(q.Answers[1], "Yes: ") {
		s.fault("%s: the answers are %q in\n%s", name, q.Answers, strings.Join(rows, "\n"))
	}
	return q, nil
}

// pictured is the plan whose dialogs are drawn.
const pictured = "a delete and two changes"

// draw draws the small screen of one plan, if that was asked for.
func (s *seance) draw(name string, rows []string) {
	if s.h.pictures == "" || name != pictured || s.terminal.size != sizes[0] {
		return
	}
	product, _, _ := strings.Cut(s.host.title, ",")
	text := dialog.Picture("A question of fsbox in "+product, rows, s.terminal.size.columns)
	path := filepath.Join(s.h.pictures, "approval-"+s.host.name+".svg")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		s.fault("%v", err)
	}
}

// trimmed is a text without blanks at the ends of its rows, which no screen shows.
func trimmed(text string) string {
	rows := strings.Split(text, "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "\n")
}

// reply answers the dialog, and looks at what the host has sent.
func (s *seance) reply(ctx context.Context, p dialog.Plan, reply string) error {
	keys, wants := map[string][]string{"no": s.how.no, "yes": s.how.yes, "escape": {"Escape"}, "decline": s.how.declines}[reply],
		map[string]string{"no": `accept "no"`, "yes": `accept "yes"`, "escape": "cancel", "decline": "decline"}[reply]
	if reply == "decline" && keys == nil {
		keys, wants = s.how.no, `accept "no"`
	}
	if len(s.how.open) > 0 && (reply == "escape" || reply == "decline") {
		keys = append([]string{"Escape"}, keys...) // which closes the list of answers
	}
	if err := s.terminal.press(ctx, keys...); err != nil {
		return err
	}
	for tries := range 300 {
		if !pause(ctx, 100*time.Millisecond) {
			return ctx.Err()
		}
		if tries%80 == 79 { // a key may come before the host is ready for it
			if err := s.terminal.press(ctx, keys[len(keys)-1]); err != nil {
				return err
			}
		}
		if _, got := s.pipe(); len(got) >= s.asked {
			var r struct {
				Action  string
				Content struct{ Decision string }
			}
			if err := json.Unmarshal(got[s.asked-1], &r); err != nil {
				return err
			}
			what := r.Action
			if r.Action == "accept" {
				what += fmt.Sprintf(" %q", r.Content.Decision)
			}
			if what != wants {
				s.fault("%s: %s sends %s, not %s", p.Name, reply, got[s.asked-1], wants)
			}
			return nil
		}
	}
	return fmt.Errorf("%s sends nothing; the screen:\n%s", reply, strings.Join(s.terminal.screen(ctx), "\n"))
}

// isDone compares the workspace with what a plan makes of it.
func (s *seance) isDone(p dialog.Plan) {
	now := s.tree()
	for path, text := range p.After {
		if got := now[path]; !strings.HasSuffix(got, " "+text) {
			s.fault("%s: after yes, %q has %q", p.Name, path, got)
		}
	}
	for _, path := range p.Gone {
		if _, there := now[path]; there {
			s.fault("%s: after yes, %q is still there", p.Name, path)
		}
	}
}

// hurry presses Enter ten times from before the dialog on: nothing may be changed.
func (s *seance) hurry(ctx context.Context, p dialog.Plan) error {
	if err := s.ask(ctx, p); err != nil {
		return err
	}
	before := s.tree()
	for sent := 0; sent < 10; {
		questions, _ := s.pipe()
		if _, err := s.terminal.tmux(ctx, "send-keys", "Enter"); err != nil {
			return err
		}
		if len(questions) > s.asked {
			sent++
		}
		if !pause(ctx, 100*time.Millisecond) {
			return ctx.Err()
		}
	}
	s.asked++
	rows, _ := s.terminal.settled(ctx, 5*time.Second, func([]string) bool { return true })
	s.keep("Enter at once, "+p.Name, rows)
	for range 5 { // once more only if it was lost: after the dialog Escape ends the model's work
		if _, got := s.pipe(); len(got) >= s.asked {
			break
		}
		if err := s.terminal.press(ctx, "Escape"); err != nil || !pause(ctx, 5*time.Second) {
			return errors.Join(err, ctx.Err())
		}
	}
	if _, err := s.director.answer(ctx, time.Minute); err != nil {
		return fmt.Errorf("%w; the screen:\n%s", err, strings.Join(s.terminal.screen(ctx), "\n"))
	}
	if !maps.Equal(before, s.tree()) {
		s.fault("%s: Enter alone has changed something", p.Name)
	}
	return nil
}

// atTerminal has fsbox itself ask at a terminal. Enter alone, ten times from the start on, changes
// nothing; then the question is read, and a yes makes the change.
func (h *harness) atTerminal(ctx context.Context, at size) (faults []string, err error) {
	dir, err := os.MkdirTemp(h.temp, "terminal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "old.txt")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o666); err != nil {
		return nil, err
	}
	for i, keys := range [][]string{slices.Repeat([]string{"Enter"}, 10), {"y", "Enter"}} {
		own := filepath.Join(dir, fmt.Sprint("terminal ", i))
		if err := os.Mkdir(own, 0o777); err != nil {
			return nil, err
		}
		t, err := openTerminal(ctx, own, dir, at, []string{"HOME=" + dir, "LANG=C.UTF-8"}, []string{h.fsbox, "--root", dir, "--allow-write",
			"--allow-delete", "--approval", "prompt", "--format", "text", "delete", "old.txt"})
		if err != nil {
			return nil, err
		}
		isYes := keys[0] == "y"
		var rows []string
		if isYes {
			asked := func(rows []string) bool { return strings.Contains(strings.Join(rows, "\n"), "[y/N]") }
			if rows, isYes = t.settled(ctx, 30*time.Second, asked); !isYes {
				faults = append(faults, fmt.Sprintf("at a terminal of %v: no question in\n%s", at, strings.Join(rows, "\n")))
			}
		}
		err = t.press(ctx, keys...)
		ended := func(rows []string) bool {
			return strings.Contains(strings.Join(rows, "\n"), map[bool]string{true: "removed file", false: "approval_denied"}[isYes])
		}
		rows, ok := t.settled(ctx, 30*time.Second, ended)
		if !ok {
			faults = append(faults, fmt.Sprintf("at a terminal of %v: %v ends with\n%s", at, keys, strings.Join(rows, "\n")))
		}
		t.close()
		if _, there := os.Stat(path); err != nil || (there == nil) == isYes {
			return faults, fmt.Errorf("after %v: %w, the file: %v", keys, err, there)
		}
	}
	return faults, nil
}
