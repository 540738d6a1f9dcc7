// Package results keeps what was measured in a file, from which tables and pictures are made.
package results

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// Results are those of the last runs.
type Results struct {
	Works   []Work   `json:"works"`
	WorksOn []string `json:"works_on"` // facts about the machine, and versions
	Reads   []Server `json:"reads"`
	ReadsOn []string `json:"reads_on"`
	Tasks   []Task   `json:"tasks"`
	TasksOn []string `json:"tasks_on"`
}

// Work is one thing to do, done by fsbox and by another program.
type Work struct {
	Name   string `json:"name"`
	Peer   string `json:"peer"` // its command line, as people type it
	Ours   Cost   `json:"ours"`
	Theirs Cost   `json:"theirs"`
	Target Target `json:"target"`
	Failed string `json:"failed,omitempty"` // why there are no figures
}

// Cost is what a program took, the medians of its runs.
type Cost struct {
	Wall    float64 `json:"wall_ms"`
	CPU     float64 `json:"cpu_ms"`     // user and system time of the process and those it waited for
	Peak    float64 `json:"peak_mib"`   // the most memory of all runs
	Results int64   `json:"of_results"` // matches, names or files; lines of output of a peer
}

// Target bounds our times as multiples of a peer's. 0 is no bound.
type Target struct {
	Wall  float64 `json:"wall,omitempty"`
	CPU   float64 `json:"cpu,omitempty"`
	Slack float64 `json:"slack_ms,omitempty"` // on top of either
}

// Server is a process that is kept open and answers reads of a small file.
type Server struct {
	Name    string  `json:"name"`
	AtOnce  int     `json:"at_once"`
	Fastest float64 `json:"fastest"` // reads a second, of the fastest run
	Median  float64 `json:"median"`
	CPU     float64 `json:"cpu_us"` // processor time for each read
	Peak    float64 `json:"peak_mib"`
}

// Task is what an agent does for a task in one way.
type Task struct {
	Name   string `json:"name"`
	Way    string `json:"way"`
	Calls  int    `json:"calls"`
	Sent   int    `json:"sent"` // characters of the calls
	Read   int    `json:"read"` // characters of the answers
	Errors int    `json:"errors"`
}

// Load reads a file of results.
func Load(name string) (Results, error) {
	var r Results
	text, err := os.ReadFile(name)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

// Change reads a file of results, lets a function change them, and writes them back. A file that
// isn't there has none.
func Change(name string, change func(*Results)) error {
	r, err := Load(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	change(&r)
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}

// Verdict tells whether a target was met, and is empty if there is none.
func (w Work) Verdict() string {
	var missed string
	if w.Target.Wall > 0 && w.Ours.Wall-w.Target.Slack > w.Target.Wall*w.Theirs.Wall {
		missed = " wall"
	}
	if w.Target.CPU > 0 && w.Ours.CPU-w.Target.Slack > w.Target.CPU*w.Theirs.CPU {
		missed += " CPU"
	}
	switch {
	case w.Failed != "":
		return "**failed**: " + w.Failed
	case missed != "":
		return "**missed**:" + missed
	case w.Target != Target{}:
		return "met"
	}
	return ""
}

// CostOf is what a process took that has ended. Its peak is at least that of the one that started
// it.
func CostOf(process *os.ProcessState, wall time.Duration) Cost {
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Cost{Wall: milliseconds(wall), CPU: milliseconds(process.UserTime() + process.SystemTime()),
		Peak: float64(process.SysUsage().(*syscall.Rusage).Maxrss) / 1024}
}

// Median is the middle one of some values, or between the two in the middle. It sorts them.
func Median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
