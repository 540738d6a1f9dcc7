package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"fsbox/bench/results"
)

// A command is a program to be measured.
type command struct {
	args   []string
	dir    string
	stdin  string // a file, "" for none
	show   string // as it appears in the table
	target results.Target
	before func() error // runs unmeasured before each run
	text   bool         // fsbox answers in the text form: a result a line
}

// lineCounter counts what a program prints, and keeps none of it.
type lineCounter int64

func (c *lineCounter) Write(p []byte) (int, error) {
	*c += lineCounter(bytes.Count(p, []byte("\n")))
	return len(p), nil
}

// run runs a command once, its output going through a pipe to out.
func (c command) run(ctx context.Context, out io.Writer) (results.Cost, error) {
	if c.before != nil {
		if err := c.before(); err != nil {
			return results.Cost{}, err
		}
	}
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, out, &errs
	if c.stdin != "" {
		f, err := os.Open(c.stdin)
		if err != nil {
			return results.Cost{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 && errs.Len() == 0 {
		err = nil // a search without results; fsbox's own answer is looked at elsewhere
	}
	if err != nil {
		return results.Cost{}, fmt.Errorf("%v: %w: %s", cmd, err, errs.Bytes())
	}
	return results.CostOf(cmd.ProcessState, wall), nil
}

// inTurns runs the commands in turns, A B C A B C, and gives the medians of each. Whatever else the
// machine does meets all of them alike. The first turn only warms up.
func inTurns(ctx context.Context, commands []command, turns int) ([]results.Cost, error) {
	costs := make([][]results.Cost, len(commands))
	for turn := range turns + 1 {
		for i, c := range commands {
			var lines lineCounter
			cost, err := c.run(ctx, &lines)
			if err != nil {
				return nil, err
			}
			cost.Results = int64(lines)
			if turn > 0 {
				costs[i] = append(costs[i], cost)
			}
		}
	}
	medians := make([]results.Cost, len(commands))
	for i, all := range costs {
		medians[i] = medianOf(all)
	}
	return medians, nil
}

// medianOf takes the median of each time, and the most memory.
func medianOf(all []results.Cost) results.Cost {
	var wall, cpu []float64
	m := all[0]
	for _, c := range all {
		wall, cpu, m.Peak = append(wall, c.Wall), append(cpu, c.CPU), max(m.Peak, c.Peak)
	}
	m.Wall, m.CPU = results.Median(wall), results.Median(cpu)
	return m
}
