package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"
)

// A command is a program to be measured.
type command struct {
	args   []string
	dir    string
	stdin  string       // a file, "" for none
	show   string       // as it appears in the table, "" for args
	before func() error // runs unmeasured before each run
}

// A sample is one run of a command, or the medians of several.
type sample struct {
	wall, cpu time.Duration // cpu is user and system time of the process and those it waited for
	peak      int64         // bytes
	lines     int64         // on stdout
}

// lineCounter counts what a program prints, and keeps none of it.
type lineCounter struct{ lines int64 }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.lines += int64(bytes.Count(p, []byte("\n")))
	return len(p), nil
}

// run runs a command once, its output going through a pipe to out.
func (c command) run(ctx context.Context, out io.Writer) (sample, error) {
	if c.before != nil {
		if err := c.before(); err != nil {
			return sample{}, err
		}
	}
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, out, &errs
	if c.stdin != "" {
		f, err := os.Open(c.stdin)
		if err != nil {
			return sample{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && errs.Len() == 0 {
		err = nil // a search without results; fsbox's own answer is looked at elsewhere
	}
	if err != nil {
		return sample{}, fmt.Errorf("%v: %w: %s", cmd, err, errs.Bytes())
	}
	return sample{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peakMemory(cmd.ProcessState)}, nil
}

// inTurns runs the commands in turns, A B C A B C, and gives the medians of each. Whatever else the
// machine does meets all of them alike. The first turn only warms up.
func inTurns(ctx context.Context, commands []command, turns int) ([]sample, error) {
	samples := make([][]sample, len(commands))
	for turn := range turns + 1 {
		for i, c := range commands {
			var count lineCounter
			s, err := c.run(ctx, &count)
			if err != nil {
				return nil, err
			}
			s.lines = count.lines
			if turn > 0 {
				samples[i] = append(samples[i], s)
			}
		}
	}
	medians := make([]sample, len(commands))
	for i, all := range samples {
		medians[i] = medianOf(all)
	}
	return medians, nil
}

// medianOf takes the median of each time, and the most memory.
func medianOf(all []sample) sample {
	m := sample{
		wall:  median(all, func(s sample) time.Duration { return s.wall }),
		cpu:   median(all, func(s sample) time.Duration { return s.cpu }),
		lines: all[0].lines,
	}
	for _, s := range all {
		m.peak = max(m.peak, s.peak)
	}
	return m
}

func median(all []sample, of func(sample) time.Duration) time.Duration {
	values := make([]time.Duration, len(all))
	for i, s := range all {
		values[i] = of(s)
	}
	slices.SortFunc(values, cmp.Compare)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
