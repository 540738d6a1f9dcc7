// Command reads measures how many small files a second a kept-open process reads: fsbox as an MCP
// server and as a batch, and another MCP server, each with the same client. See bench/README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fsbox/bench/results"
)

type options struct {
	calls, runs, window int
	peer, out           string
}

func main() {
	runtime.LockOSThread() // the system need not find another thread for the client
	o := options{}
	flag.IntVar(&o.calls, "calls", 20_000, "reads of each run")
	flag.IntVar(&o.runs, "runs", 5, "measured runs of each; the median counts")
	flag.IntVar(&o.window, "window", 8, "requests under way at once in the second half of the table")
	flag.StringVar(&o.peer, "peer", "", "`COMMAND` of another MCP server with the tool read_text_file; the directory is added to it")
	flag.StringVar(&o.out, "o", "", "`FILE` for the figures, such as results.json; without, they are just printed")
	flag.Parse()
	results.Check("reads", run(o))
}

func run(o options) error {
	dir, err := os.MkdirTemp("", "fsbox-reads-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	work := filepath.Join(dir, "work")
	fsbox := filepath.Join(dir, "fsbox")
	if err := errors.Join(os.Mkdir(work, 0o755), os.WriteFile(filepath.Join(work, "file.txt"), []byte(content()), 0o644),
		results.Build("..", fsbox)); err != nil {
		return err
	}
	rows, err := measure(o, servers(fsbox, o.peer, work))
	if err != nil || o.out == "" {
		return err
	}
	facts := append(results.Facts(dir), "peer: "+o.peer)
	return results.Change(o.out, func(r *results.Results) { r.Reads, r.ReadsOn = rows, facts })
}

// content is that of the file that is read: 2 KiB.
func content() string { return strings.Repeat("a line of the file that is read\n", 2048/32) }

// server is a program that answers reads.
type server struct {
	name     string
	args     []string
	protocol protocol
}

func servers(fsbox, peer, work string) []server {
	all := []server{
		{"fsbox mcp", []string{fsbox, "mcp", "--root", work}, mcp("read", "file.txt")},
		{"fsbox mcp --structured", []string{fsbox, "mcp", "--structured", "--root", work}, mcp("read", "file.txt")},
		{"fsbox batch", []string{fsbox, "batch", "--root", work}, batch("file.txt")},
	}
	if peer == "" {
		return all
	}
	return append(all, server{"reference server", append(strings.Fields(peer), work), mcp("read_text_file", filepath.Join(work, "file.txt"))})
}

// measure runs the servers in turns, first one request after another, then several at once.
func measure(o options, all []server) (rows []results.Server, err error) {
	for _, window := range []int{1, o.window} {
		samples := make([][]sample, len(all))
		for turn := range o.runs + 1 { // the first turn only warms up
			for i, s := range all {
				one, err := s.run(o.calls, window)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.name, err)
				}
				if turn > 0 {
					samples[i] = append(samples[i], one)
				}
			}
		}
		for i, s := range all {
			rows = append(rows, summary(results.Server{Name: s.name, AtOnce: window}, samples[i], o.calls))
			fmt.Printf("%+v\n", rows[len(rows)-1])
		}
	}
	return rows, nil
}

// sample is one run: reads a second, and what all of them took.
type sample struct {
	rate float64
	results.Cost
}

// summary has the medians of all runs of so many reads, and the fastest: the one that the machine's
// other work disturbed least.
func summary(s results.Server, all []sample, calls int) results.Server {
	var rates, cpu, peaks []float64
	for _, one := range all {
		rates, cpu, peaks = append(rates, one.rate), append(cpu, one.CPU*1000/float64(calls)), append(peaks, one.Peak)
	}
	s.Median, s.CPU, s.Peak, s.Fastest = results.Median(rates), results.Median(cpu), results.Median(peaks), slices.Max(rates)
	return s
}

// run makes so many reads, with a number of them under way at once.
func (s server) run(calls, window int) (sample, error) {
	c, err := start(s.args, s.protocol)
	if err != nil {
		return sample{}, err
	}
	begin := time.Now()
	if err = c.read(calls, window); err != nil {
		return sample{}, errors.Join(err, c.process.Process.Kill())
	}
	wall := time.Since(begin)
	if err = c.stop(); err != nil {
		return sample{}, err
	}
	return sample{float64(calls) / wall.Seconds(), results.CostOf(c.process.ProcessState, wall)}, nil
}
