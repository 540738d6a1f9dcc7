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

// dialogSession is one host in one terminal.
type dialogSession struct {
	*stage
	h        *harness
	how      interactive
	terminal *terminal
	director *director
	record   string // where screens are kept, or nothing
	asked    int    // questions so far
	faults   int
}

// pipe reads the messages of the pipe: the texts of all questions, and what was sent back.
func (s *dialogSession) pipe() (questions []string, replies []json.RawMessage) {
	type form struct{ Params struct{ Message string } }
	type outgoing struct {
		Method string
		form
		Result struct {
			Requests map[string]form `json:"inputRequests"`
		}
	}
	each(filepath.Join(s.dir, "pipe.out"), func(m outgoing) {
		if m.Method == "elicitation/create" {
			questions = append(questions, m.Params.Message)
		}
		for _, f := range m.Result.Requests {
			questions = append(questions, f.Params.Message)
		}
	})
	type incoming struct {
		ID, Result json.RawMessage
		Method     string
		Params     struct {
			Responses map[string]json.RawMessage `json:"inputResponses"`
		}
	}
	each(filepath.Join(s.dir, "pipe.in"), func(m incoming) {
		if m.Method == "" && strings.HasPrefix(string(m.ID), `"ask-`) {
			replies = append(replies, m.Result)
		}
		replies = slices.AppendSeq(replies, maps.Values(m.Params.Responses))
	})
	return questions, replies
}

// fault tells what isn't as it should be, with the screen.
func (s *dialogSession) fault(format string, args ...any) {
	s.faults++
	s.h.fault("%s at %v: %s", s.host.name, s.terminal.size, fmt.Sprintf(format, args...))
}

// prepare makes the workspace of a plan.
func (s *dialogSession) prepare(ctx context.Context, p dialog.Plan) error {
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
		if target, isLink := strings.CutPrefix(text, "-> "); isLink {
			err = errors.Join(os.MkdirAll(filepath.Dir(full), 0o777), os.Symlink(target, full))
		} else {
			err = reader.Put(full, text)
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
func (s *dialogSession) tree() map[string]string {
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
func (s *dialogSession) ask(ctx context.Context, p dialog.Plan) error {
	if err := s.prepare(ctx, p); err != nil {
		return err
	}
	call := p.Call
	for _, other := range p.Besides {
		call.Besides = append(call.Besides, other.Call)
	}
	return s.director.give(ctx, call)
}

// dialog waits until the next question is on the screen. rows is nil if it isn't shown.
func (s *dialogSession) dialog(ctx context.Context) (rows []string) {
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
func (s *dialogSession) begin(ctx context.Context) error {
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
func (s *dialogSession) keep(name string, rows []string) {
	if s.record == "" {
		return
	}
	name = strings.NewReplacer(" ", "-", ",", "", "'", "", "/", "-").Replace(name)
	_ = os.WriteFile(filepath.Join(s.record, name+".txt"), []byte(strings.Join(rows, "\n")+"\n"), 0o666) // for a person only
}

// replies are what is answered, in turn.
var replies = []string{"no", "escape", "yes", "decline"}

// try has one plan asked about, reads the question, answers it, and looks at what comes of it.
func (s *dialogSession) try(ctx context.Context, p dialog.Plan, reply string) error {
	if err := s.ask(ctx, p); err != nil {
		return err
	}
	before := s.tree()
	waiting := append([]dialog.Plan{p}, p.Besides...)
	for n := 1; len(waiting) > 0; n++ {
		name := p.Name
		if n > 1 {
			name += fmt.Sprint(" ", n)
		}
		q, err := s.read(ctx, name)
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
	if reply == "yes" {
		s.isDone(p)
		return nil
	}
	own, _, _ := strings.Cut(told, "\n\n<system-reminder>") // which one host puts after it
	if _, text, is := strings.Cut(own, "approval_"); !is || len([]rune(text)) > 290 {
		s.fault("%s: the model is told %d characters: %s", p.Name, len(told), told)
	}
	if !maps.Equal(before, s.tree()) {
		s.fault("%s: %s, and there is a change", p.Name, reply)
	}
	return nil
}

// read waits for the next question, and compares it with what fsbox has sent.
func (s *dialogSession) read(ctx context.Context, name string) (q dialog.Question, err error) {
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
func (s *dialogSession) draw(name string, rows []string) {
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
func (s *dialogSession) reply(ctx context.Context, p dialog.Plan, reply string) error {
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
func (s *dialogSession) isDone(p dialog.Plan) {
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
func (s *dialogSession) hurry(ctx context.Context, p dialog.Plan) error {
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
