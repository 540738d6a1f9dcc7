// Command reads measures how many small files a second a kept-open process reads: fsbox as an MCP
// server and as a batch, and other MCP servers, each with the same client. See bench/README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

type options struct {
	calls, runs, window int
	fsbox, peer         string
}

func main() {
	runtime.LockOSThread() // the system need not find another thread for the client
	o := options{}
	flag.IntVar(&o.calls, "calls", 20_000, "reads of each run")
	flag.IntVar(&o.runs, "runs", 5, "measured runs of each; the median counts")
	flag.IntVar(&o.window, "window", 8, "requests under way at once in the second half of the table")
	flag.StringVar(&o.fsbox, "fsbox", "", "the program, its `PATH` (default: built for this run)")
	flag.StringVar(&o.peer, "peer", "", "`COMMAND` of another MCP server with the tool read_text_file; the folder is added to it")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "reads:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	dir, err := os.MkdirTemp("", "fsbox-reads-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	work := filepath.Join(dir, "work")
	if err := errors.Join(os.Mkdir(work, 0o755), os.WriteFile(filepath.Join(work, "file.txt"), []byte(content()), 0o644)); err != nil {
		return err
	}
	if o.fsbox == "" {
		o.fsbox = filepath.Join(dir, "fsbox")
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", o.fsbox, ".")
		build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("%v: %w", build, err)
		}
	}
	return measure(o, servers(o, work))
}

// content is that of the file that is read: 2 KiB.
func content() string { return strings.Repeat("a line of the file that is read\n", 2048/32) }

// server is a program that answers reads.
type server struct {
	name     string
	args     []string
	protocol protocol
}

func servers(o options, work string) []*server {
	all := []*server{
		{name: "fsbox mcp", args: []string{o.fsbox, "mcp", "--root", work}, protocol: mcp("read", "file.txt")},
		{name: "fsbox mcp --structured", args: []string{o.fsbox, "mcp", "--structured", "--root", work},
			protocol: mcp("read", "file.txt")},
		{name: "fsbox batch", args: []string{o.fsbox, "batch", "--root", work}, protocol: batch("file.txt")},
	}
	if o.peer != "" {
		all = append(all, &server{name: o.peer, args: append(strings.Fields(o.peer), work),
			protocol: mcp("read_text_file", filepath.Join(work, "file.txt"))})
	}
	return all
}

// measure runs the servers in turns, first one request after another, then several at once.
func measure(o options, all []*server) error {
	fmt.Println("| server | at once | reads a second | of the peer's | median | of the peer's | CPU µs a read | of the peer's | peak MiB " +
		"|\n|---|---|---|---|---|---|---|---|---|")
	for _, window := range []int{1, o.window} {
		samples := make([][]sample, len(all))
		for turn := range o.runs + 1 { // the first turn only warms up
			for i, s := range all {
				one, err := s.run(o.calls, window)
				if err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				if turn > 0 {
					samples[i] = append(samples[i], one)
				}
			}
		}
		for i, s := range all {
			ours, theirs := medianOf(samples[i]), medianOf(samples[len(all)-1])
			best, bestTheirs := fastest(samples[i]), fastest(samples[len(all)-1])
			fmt.Printf("| `%s` | %d | %.0f | %.1f | %.0f | %.1f | %.1f | %.2f | %d |\n", shown(s.name), window, best, best/bestTheirs,
				ours.rate, ours.rate/theirs.rate, ours.cpu, ours.cpu/theirs.cpu, ours.peak>>20)
		}
	}
	return nil
}

// sample is one run, or the medians of several.
type sample struct {
	rate float64 // reads a second
	cpu  float64 // microseconds of the server's processor time, for each read
	peak int64   // bytes
}

func medianOf(all []sample) (m sample) {
	middle := func(of func(sample) float64) float64 {
		var values []float64
		for _, s := range all {
			values = append(values, of(s))
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	m.rate = middle(func(s sample) float64 { return s.rate })
	m.cpu = middle(func(s sample) float64 { return s.cpu })
	m.peak = int64(middle(func(s sample) float64 { return float64(s.peak) }))
	return m
}

// fastest is the rate of the fastest run: the one that the machine's other work disturbed least.
func fastest(all []sample) (best float64) {
	for _, s := range all {
		best = max(best, s.rate)
	}
	return best
}

// shown leaves out the folders of a command.
func shown(command string) string {
	words := strings.Fields(command)
	for i, word := range words {
		words[i] = filepath.Base(word)
	}
	return strings.Join(words, " ")
}

// run makes so many reads, with a number of them under way at once.
func (s *server) run(calls, window int) (one sample, err error) {
	c, err := start(s.args, s.protocol)
	if err != nil {
		return one, err
	}
	begin := time.Now()
	if err = c.read(calls, window); err != nil {
		return one, errors.Join(err, c.process.Process.Kill())
	}
	one.rate = float64(calls) / time.Since(begin).Seconds()
	one.peak = c.peak()
	err = c.stop()
	state := c.process.ProcessState
	one.cpu = float64((state.UserTime() + state.SystemTime()).Microseconds()) / float64(calls)
	return one, err
}
