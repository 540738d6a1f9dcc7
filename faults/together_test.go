//go:build linux && amd64

package faults

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// processes is how many work on one file at a time.
const processes = 8

// session is a running fsbox batch.
type session struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

// reply is what the sessions read of an answer.
type reply struct {
	Success bool   `json:"success"`
	Error   string `json:"error"`
	Result  struct {
		Content string `json:"content"`
		ETag    string `json:"etag"`
	} `json:"result"`
}

func newSession(base string) (*session, error) {
	cmd := exec.Command(program, commandLine(base, []string{"batch"})...)
	cmd.Env, cmd.Stderr = environment(base), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &session{in, bufio.NewReader(out), cmd}, cmd.Start()
}

func (s *session) ask(tool string, input map[string]any) (r reply, err error) {
	line, err := json.Marshal(map[string]any{"tool": tool, "input": input})
	if err != nil {
		return r, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return r, err
	}
	text, err := s.out.ReadBytes('\n')
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

func (s *session) close() error {
	s.in.Close()
	_, err := io.Copy(io.Discard, s.out)
	if err == nil {
		_ = s.cmd.Wait() // 1 if an answer was "stale"
	}
	return err
}

// together runs work in so many sessions at a time.
func together(t *testing.T, base string, work func(s *session, who int) error) {
	t.Helper()
	errs := make(chan error)
	for who := range processes {
		go func() {
			s, err := newSession(base)
			if err == nil {
				err = work(s, who)
				if closeErr := s.close(); err == nil {
					err = closeErr
				}
			}
			errs <- err
		}()
	}
	for range processes {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// workspace makes the folders of a run, with one file.
func workspace(t *testing.T, f entry) (base string) {
	t.Helper()
	base = t.TempDir()
	s := scenario{setup: []entry{f}, args: []string{"check"}}
	if _, err := s.prepare(base); err != nil {
		t.Fatal(err)
	}
	return base
}

// often is n in the long run, and a part of it in the short one.
func often(n, part int) int {
	switch {
	case *longRun:
		return n
	case *sweep:
		return n / part
	}
	return n / part / 3
}

// TestCounter has processes count up one number, each reading it and writing the next if nobody was
// faster.
func TestCounter(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	t.Parallel()
	rounds := often(400, 10)
	base := workspace(t, file("n.txt", "0"))
	stale := make([]int, processes)
	together(t, base, func(s *session, who int) error {
		for n := 0; n < rounds; {
			r, err := increment(s)
			switch {
			case err != nil:
				return err
			case r.Success:
				n++
			case r.Error == "stale" || r.Error == "busy" || r.Error == "match_not_found":
				stale[who]++
			default:
				return fmt.Errorf("process %d: %+v", who, r)
			}
		}
		return nil
	})
	got, err := os.ReadFile(filepath.Join(base, "ws", "n.txt"))
	if want := strconv.Itoa(processes * rounds); err != nil || string(got) != want {
		t.Errorf("the counter is %q, want %s: %v", got, want, err)
	}
	t.Logf("%d processes, %d increments each, %v refused because somebody was faster", processes, rounds, stale)
	expectOnly(t, base, "n.txt")
}

func increment(s *session) (reply, error) {
	r, err := s.ask("read", map[string]any{"path": "n.txt"})
	if err != nil || !r.Success {
		return r, err
	}
	n, err := strconv.Atoi(r.Result.Content)
	if err != nil {
		return r, err
	}
	return s.ask("edit", map[string]any{"path": "n.txt", "if_match": r.Result.ETag,
		"expected_text": r.Result.Content, "replacement_text": strconv.Itoa(n + 1)})
}

func expectOnly(t *testing.T, base, name string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(base, "ws"))
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("the workspace holds %v, want only %s: %v", entries, name, err)
	}
}

// TestAppends has processes append lines to one file: all are there, whole, each process's in its
// order.
func TestAppends(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	t.Parallel()
	rounds := often(1000, 10)
	base := workspace(t, file("log.txt", ""))
	line := func(who, n int) string { return fmt.Sprintf("%d %d %s\n", who, n, strings.Repeat("-", 20+n%3000)) }
	together(t, base, func(s *session, who int) error {
		for n := range rounds {
			if r, err := s.ask("append", map[string]any{"path": "log.txt", "content": line(who, n)}); err != nil || !r.Success {
				return fmt.Errorf("process %d, append %d: %+v, %w", who, n, r, err)
			}
		}
		return nil
	})
	text, err := os.ReadFile(filepath.Join(base, "ws", "log.txt"))
	check(t, err)
	next := make([]int, processes)
	for got := range strings.Lines(string(text)) {
		who := -1
		if _, err := fmt.Sscan(got, &who); err != nil || who < 0 || who >= processes || got != line(who, next[who]) {
			t.Fatalf("a line is torn or out of order: %.60q", got)
		}
		next[who]++
	}
	if slices.ContainsFunc(next, func(n int) bool { return n != rounds }) {
		t.Errorf("of the processes there are %d lines, want %d of each", next, rounds)
	}
	expectOnly(t, base, "log.txt")
}
