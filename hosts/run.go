package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fsbox/hosts/reader"
)

// linger is how long a host may take to end after its model has nothing more to do.
const linger = 20 * time.Second

// measure runs one host from its installation to its end.
func (h *harness) measure(ctx context.Context, one host) (measured, error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	nodes, err := h.install(ctx, node)
	if err != nil {
		return measured{}, err
	}
	modules, err := h.install(ctx, one.packages...)
	if err != nil {
		return measured{}, err
	}
	dir, err := os.MkdirTemp(h.temp, one.name+"-")
	if err != nil {
		return measured{}, err
	}
	defer os.RemoveAll(dir)
	m := &model{host: one, reader: reader.New(), done: make(chan struct{})}
	if h.keep != "" {
		m.record = filepath.Join(h.keep, one.name)
		if err := errors.Join(os.RemoveAll(m.record), os.MkdirAll(m.record, 0o777)); err != nil {
			return measured{}, err
		}
	}
	url, stop, err := m.serve()
	if err != nil {
		return measured{}, err
	}
	defer stop()
	v := values{url: url, home: filepath.Join(dir, "home"), ws: filepath.Join(dir, "ws"), install: modules}
	if err := h.lay(one, v, dir); err != nil {
		return measured{}, err
	}
	s := &stage{host: one, values: v, dir: dir, path: filepath.Join(nodes, ".bin"), model: m}
	output, failure := s.play(ctx)
	if m.record != "" {
		_ = os.WriteFile(filepath.Join(m.record, "output.txt"), output, 0o666)
	}
	r := report(one, m, readRecord(filepath.Join(dir, "pipe")), v.ws)
	if failure != nil && len(r.Faults) > 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("%v: %.2000s", failure, output))
	}
	return r, nil
}

// lay makes the folders of a run: a home, a workspace with the work, and a PATH on which fsbox records
// its pipes.
func (h *harness) lay(one host, v values, dir string) error {
	bin := filepath.Join(dir, "bin")
	for _, folder := range []string{v.home, v.ws, bin, filepath.Join(dir, "tmp")} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			return err
		}
	}
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' pipe '%s' '%s' \"$@\"\n", h.self, filepath.Join(dir, "pipe"), h.fsbox)
	if err := os.WriteFile(filepath.Join(bin, "fsbox"), []byte(script), 0o777); err != nil {
		return err
	}
	for place, content := range one.files {
		content, err := configuration(content)
		if err != nil {
			return err
		}
		path := v.fill(place)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		content = strings.ReplaceAll(v.fill(content), "/path/to/your/project", v.ws)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			return err
		}
	}
	if one.program == "node" { // which looks for packages beside a program
		if err := os.Symlink(v.install, filepath.Join(v.home, "node_modules")); err != nil {
			return err
		}
	}
	return reader.Fill(v.ws)
}

// configuration puts files of examples/ in for lines that begin with @.
func configuration(content string) (string, error) {
	var b strings.Builder
	for line := range strings.Lines(content) {
		name, is := strings.CutPrefix(strings.TrimSpace(line), "@")
		if !is {
			b.WriteString(line)
			continue
		}
		file, err := os.ReadFile(filepath.Join("..", "examples", name))
		if err != nil {
			return "", err
		}
		b.Write(file)
	}
	return b.String(), nil
}

// stage is where a host runs.
type stage struct {
	host   host
	values values
	dir    string
	path   string
	model  *model
}

// play runs the host until it ends, or some time after its work is done. What it has started ends
// with it.
func (s *stage) play(ctx context.Context) (output []byte, err error) {
	defer s.sweep()
	log, err := os.Create(filepath.Join(s.dir, "output"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if s.host.before != nil {
		if err := s.start(ctx, log, s.host.before); err != nil {
			return nil, err
		}
	}
	err = s.start(ctx, log, s.host.args)
	output, _ = os.ReadFile(log.Name())
	return output, err
}

func (s *stage) start(ctx context.Context, log *os.File, args []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	filled := make([]string, len(args))
	for i, a := range args {
		filled[i] = s.values.fill(a)
	}
	program := filepath.Join(s.values.install, s.host.program)
	if s.host.program == "node" {
		program = filepath.Join(s.path, "node")
	}
	cmd := exec.CommandContext(ctx, program, filled...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.values.ws, log, log
	cmd.Env = []string{"HOME=" + s.values.home, "TERM=dumb", "LANG=C.UTF-8", "TMPDIR=" + filepath.Join(s.dir, "tmp"), "NO_COLOR=1",
		"PATH=" + filepath.Join(s.dir, "bin") + ":" + s.path + ":/usr/bin:/bin"}
	for _, e := range s.host.env {
		cmd.Env = append(cmd.Env, s.values.fill(e))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		select {
		case <-ctx.Done():
		case <-s.model.done:
			select {
			case <-ctx.Done():
			case <-time.After(linger):
				cancel()
			}
		}
	}()
	return cmd.Wait()
}

// sweep ends every process whose environment has this run's home: a host may have left its own
// group of processes.
func (s *stage) sweep() {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return // not Linux: the group of processes is all that can be ended
	}
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscan(e.Name(), &pid); err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && strings.Contains(string(environ), "HOME="+s.values.home+"\x00") {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
		}
	}
}
