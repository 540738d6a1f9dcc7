// Package change has changes of real projects, each as a script that makes them by fsbox's tools,
// call by call, and by other means in a copy. It compares what a model is shown with what was sent
// and with the files, and the files with the copy.
package change

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fsbox/hosts/reader"
)

// Change is a piece of work on a project.
type Change struct {
	Name string
	task string // the folder of a recorded task
	run  func(s *Script, patch string)
}

// Script makes a change as a model does, which knows only what it is shown. It is an asker of the
// harness.
type Script struct {
	root string
	own  []string // files of the host, which it may change
	now  tree     // as the files are, if all calls have done what they say

	next     func() (reader.Call, bool)
	yield    func(reader.Call) bool
	stop     func()
	answer   string
	ended    bool // the host asks no more
	finished bool

	calls  []*call
	faults []string
}

// call is one that was made, and what is to be said of its answer once it is known what was sent.
type call struct {
	reader.Call
	shown string                     // what the model got
	check func(sent string) []string // what is wrong with what was sent
}

// Lay puts the project's files into a folder, from npm or Go's module proxy.
func (c Change) Lay(ctx context.Context, root string) error {
	script, err := filepath.Abs(filepath.Join(c.task, "start.sh"))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "sh", "-e", script)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	return nil
}

// Start begins a change of the files below root, except those that are the host's own.
func (c Change) Start(root string, own ...string) (*Script, error) {
	now, err := readTree(root, own)
	if err != nil {
		return nil, err
	}
	patch, err := c.recorded()
	if err != nil {
		return nil, err
	}
	s := &Script{root: root, own: own, now: now}
	s.next, s.stop = iter.Pull(func(yield func(reader.Call) bool) {
		s.yield = yield
		c.run(s, patch)
		s.finished = !s.ended
	})
	return s, nil
}

// First is the first call.
func (s *Script) First() reader.Call {
	call, _ := s.next()
	return call
}

// Next is the call after an answer, and false if there is none.
func (s *Script) Next(answer string) (reader.Call, bool) {
	s.answer = answer
	return s.next()
}

type arguments = map[string]any

// ask makes a call. Once the host has ended, all answers are empty, and nothing is checked.
func (s *Script) ask(tool string, a arguments, check func(sent string) []string) (shown string) {
	if s.ended || !s.yield(reader.Call{Tool: tool, Arguments: a}) {
		s.ended = true
		return ""
	}
	s.calls = append(s.calls, &call{reader.Call{Tool: tool, Arguments: a}, s.answer, check})
	return s.answer
}

func (s *Script) fault(format string, parts ...any) {
	if !s.ended {
		s.faults = append(s.faults, fmt.Sprintf("call %d: ", len(s.calls))+fmt.Sprintf(format, parts...))
	}
}

// mostPages is more than any of these files has.
const mostPages = 100

// pages makes a call again and again, as the first lines of the answers say. It gives all that was
// shown.
func (s *Script) pages(tool string, a arguments, check func(a arguments, sent string) []string) (all string) {
	for range mostPages {
		asked := a
		shown := s.ask(tool, a, func(sent string) []string { return check(asked, sent) })
		all += shown + "\n"
		field, value, more := reader.Continues(shown)
		if !more {
			return all
		}
		a = maps.Clone(a)
		a[field] = value
	}
	s.fault("%s doesn't end", tool)
	return all
}

// read reads a file to its end. Each page has to have the lines that it says, as they are.
func (s *Script) read(path string) {
	lines, next := s.now.lines(path), 1
	s.pages("read", arguments{"path": path}, func(a arguments, sent string) (wrong []string) {
		if first, given := a["start_line"].(int); given && first != next {
			wrong = append(wrong, fmt.Sprintf("the page from %d came after line %d", first, next-1))
		}
		got := strings.Split(strings.TrimSuffix(body(sent), "\n"), "\n")
		if rest := lines[next-1:]; len(got) > len(rest) || !slices.Equal(got, rest[:len(got)]) {
			wrong = append(wrong, fmt.Sprintf("%s from line %d is another text", path, next))
		}
		next += len(got)
		if _, from, more := reader.Continues(sent); more && from != next || more == (next > len(lines)) {
			wrong = append(wrong, fmt.Sprintf("%s has %d lines, and after %d it is said to continue with %v (%v)",
				path, len(lines), next-1, from, more))
		}
		return wrong
	})
}

// body is an answer without its note.
func body(sent string) string {
	if _, _, more := reader.Continues(sent); more {
		_, sent, _ = strings.Cut(sent, "\n")
	}
	return sent
}

// foundLine is one of grep's text form: with its number, and an anchor if they were asked for.
var foundLine = regexp.MustCompile(`^(\d+)(#\w{3})?([:-])(.*)$`)

// grep searches. want are the files to look into, found says what a match is.
func (s *Script) grep(a arguments, want func(path string) bool, found func(line string) bool) (shown string) {
	now, seen := s.now, map[string]bool{}
	all := 0
	for path := range now {
		if want(path) {
			for _, line := range now.lines(path) {
				if found(line) {
					all++
				}
			}
		}
	}
	return s.pages("grep", a, func(_ arguments, sent string) (wrong []string) {
		path := ""
		for line := range strings.Lines(body(sent)) {
			line = strings.TrimSuffix(line, "\n")
			m := foundLine.FindStringSubmatch(line)
			switch {
			case m == nil && (line == "" || line == "--" || strings.HasPrefix(line, "[")):
			case m == nil:
				if path = line; !want(path) {
					wrong = append(wrong, "a match in "+path)
				}
			default:
				var n int
				fmt.Sscan(m[1], &n)
				if lines := now.lines(path); n < 1 || n > len(lines) || lines[n-1] != m[4] || m[3] == ":" && !found(m[4]) {
					wrong = append(wrong, fmt.Sprintf("%s has no line %q", path, line))
				}
				if m[3] == ":" {
					if key := path + ":" + m[1]; seen[key] {
						wrong = append(wrong, key+" came twice")
					} else {
						seen[key] = true
					}
				}
			}
		}
		if _, _, more := reader.Continues(sent); !more && len(seen) != all {
			wrong = append(wrong, fmt.Sprintf("%d matches of %d", len(seen), all))
		}
		return wrong
	})
}

// look makes a call that changes nothing, whose answer has these words.
func (s *Script) look(tool string, a arguments, words ...string) {
	s.ask(tool, a, func(sent string) []string { return lacks(sent, words) })
	s.compare()
}

func lacks(sent string, words []string) (wrong []string) {
	for _, word := range words {
		if !strings.Contains(sent, word) {
			wrong = append(wrong, fmt.Sprintf("there is no %q", word))
		}
	}
	return wrong
}

// refused makes a call that is refused with a code and changes nothing. The answer shows what there
// is instead.
func (s *Script) refused(code, tool string, a arguments, words ...string) (shown string) {
	shown = s.ask(tool, a, func(sent string) []string { return lacks(sent, append([]string{code + ": "}, words...)) })
	s.compare()
	return shown
}

// make makes a call that changes files, and the same in the copy. The answer has these words.
func (s *Script) make(tool string, a arguments, direct func(t tree) error, words ...string) {
	s.ask(tool, a, nil)
	s.made(direct, words...)
}

// made says what the last call has changed.
func (s *Script) made(direct func(t tree) error, words ...string) {
	if s.ended {
		return
	}
	s.calls[len(s.calls)-1].check = func(sent string) []string { return lacks(sent, words) }
	s.now = maps.Clone(s.now)
	if err := direct(s.now); err != nil {
		s.fault("%v", err)
	}
	s.compare()
}

// isLost makes a call that needs what the server remembers of the one before, and reports whether
// it doesn't: some hosts start a server for each call. The answer says so, and nothing was changed.
func (s *Script) isLost(tool string, a arguments, words string) bool {
	shown := s.ask(tool, a, func(sent string) []string { return lacks(sent, []string{words}) })
	if !strings.Contains(shown, words) {
		return false
	}
	s.compare()
	return true
}

// compare compares the files with the copy.
func (s *Script) compare() {
	if s.ended {
		return
	}
	files, err := readTree(s.root, s.own)
	if err != nil {
		s.fault("%v", err)
	}
	for _, wrong := range files.differences(s.now) {
		s.fault("%s", wrong)
	}
}

// replace is a replacement of all places in a file, by other means.
func replace(path, old, with string, times int) func(tree) error {
	return func(t tree) error {
		if n := strings.Count(t[path], old); n != times {
			return fmt.Errorf("%s has %q %d times, not %d", path, old, n, times)
		}
		t[path] = strings.ReplaceAll(t[path], old, with)
		return nil
	}
}

// pick is what a pattern's group has found in an answer, however a host shows it.
func (s *Script) pick(shown, pattern string) string {
	for _, view := range reader.Views(shown) {
		if m := regexp.MustCompile(`(?m)` + pattern).FindStringSubmatch(view); m != nil {
			return m[1]
		}
	}
	s.fault("the answer shows nothing like %s: %.400q", pattern, shown)
	return ""
}
