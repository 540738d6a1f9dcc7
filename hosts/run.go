package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	r := reader.New()
	s, err := h.stage(ctx, one, r, "'"+h.fsbox+"'", reader.Fill)
	if err != nil {
		return measured{}, err
	}
	defer s.clear()
	output, failure := s.play(ctx)
	m := report(s, r)
	if err := record(h.tools, one, s.model.tools); err != nil {
		return measured{}, err
	}
	if failure != nil && len(m.Faults) > 0 {
		m.Faults = append(m.Faults, fmt.Sprintf("%v: %.2000s", failure, output))
	}
	return m, nil
}

// stage is where a host runs, with its model.
type stage struct {
	host   host
	values values
	dir    string
	path   string // of Node
	model  *model
	stop   func() // of the model
}

// stage installs a host, and makes the folders of a run, in which server is called fsbox and fill
// has made the files to work on.
func (h *harness) stage(ctx context.Context, one host, r asker, server string, fill func(root string) error) (*stage, error) {
	nodes, err := h.install(ctx, node)
	if err != nil {
		return nil, err
	}
	modules, err := h.install(ctx, one.packages...)
	if err != nil {
		return nil, err
	}
	s := &stage{host: one, path: filepath.Join(nodes, ".bin"), model: &model{host: one, reader: r}}
	s.model.work, s.model.finish = context.WithCancel(context.Background())
	if h.keep != "" {
		s.model.record = filepath.Join(h.keep, one.name)
		if err := errors.Join(os.RemoveAll(s.model.record), os.MkdirAll(s.model.record, 0o777)); err != nil {
			return nil, err
		}
	}
	if s.dir, err = os.MkdirTemp(h.temp, one.name+"-"); err != nil {
		return nil, err
	}
	if s.values.url, s.stop, err = s.model.serve(); err != nil {
		return nil, err
	}
	s.values.home, s.values.ws, s.values.install = filepath.Join(s.dir, "home"), filepath.Join(s.dir, "ws"), modules
	if err := errors.Join(h.lay(s, server), fill(s.values.ws)); err != nil {
		s.clear()
		return nil, err
	}
	return s, nil
}

// clear removes what a run has made.
func (s *stage) clear() {
	s.stop()
	_ = os.RemoveAll(s.dir) // the harness removes all of its own folder at its end
}

// lay makes the folders of a run: a home, a workspace, and a PATH on which fsbox records its pipes.
func (h *harness) lay(s *stage, server string) error {
	one, v := s.host, s.values
	bin := filepath.Join(s.dir, "bin")
	for _, folder := range []string{v.home, v.ws, bin, filepath.Join(s.dir, "tmp")} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			return err
		}
	}
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' pipe '%s' %s \"$@\"\n", h.self, filepath.Join(s.dir, "pipe"), server)
	if err := os.WriteFile(filepath.Join(bin, "fsbox"), []byte(script), 0o777); err != nil {
		return err
	}
	for place, content := range one.files {
		content, err := configuration(content)
		if err != nil {
			return err
		}
		content = strings.ReplaceAll(v.fill(content), "/path/to/your/project", v.ws)
		if one.edit != nil {
			content = v.fill(one.edit(content))
		}
		if err := reader.Put(v.fill(place), content); err != nil {
			return err
		}
	}
	if one.program == "node" { // which looks for packages beside a program
		if err := os.Symlink(v.install, filepath.Join(v.home, "node_modules")); err != nil {
			return err
		}
	}
	return nil
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
	if s.model.record != "" {
		_ = os.WriteFile(filepath.Join(s.model.record, "output.txt"), output, 0o666) // for a person only
	}
	return output, err
}

func (s *stage) start(ctx context.Context, log *os.File, args []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	command := s.command(args)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.values.ws, log, log
	cmd.Env = append([]string{"TERM=dumb", "NO_COLOR=1"}, s.environment()...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(s.model.work, func() { time.AfterFunc(linger, cancel) })
	defer stop()
	return cmd.Wait()
}

// command is the host's program with arguments.
func (s *stage) command(args []string) []string {
	program := filepath.Join(s.values.install, s.host.program)
	if s.host.program == "node" {
		program = filepath.Join(s.path, "node")
	}
	command := []string{program}
	for _, a := range args {
		command = append(command, s.values.fill(a))
	}
	return command
}

// environment has nothing of this process's own.
func (s *stage) environment() []string {
	env := []string{"HOME=" + s.values.home, "LANG=C.UTF-8", "TMPDIR=" + filepath.Join(s.dir, "tmp"),
		"PATH=" + filepath.Join(s.dir, "bin") + ":" + s.path + ":/usr/bin:/bin"}
	for _, e := range s.host.env {
		env = append(env, s.values.fill(e))
	}
	return env
}

// sweep ends every process whose environment has this run's home: a host may have left its own
// group of processes.
func (s *stage) sweep() {
	processes, _ := filepath.Glob("/proc/[0-9]*") // only Linux lists them; elsewhere the group of processes is all that can be ended
	for _, process := range processes {
		environ, _ := os.ReadFile(filepath.Join(process, "environ")) // of this user's only
		pid, err := strconv.Atoi(filepath.Base(process))
		if err == nil && strings.Contains(string(environ), "HOME="+s.values.home+"\x00") {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
		}
	}
}
