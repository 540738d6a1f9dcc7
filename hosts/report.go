package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fsbox/hosts/change"
	"fsbox/hosts/reader"
)

// slack is how many times the necessary calls a task may take.
const slack = 1.3

// A page of read has so many bytes and lines at most, whatever the host passes on.
var page = bound{size: 51200, unit: "bytes", lines: 2000}

// measured is what a run has shown.
type measured struct {
	Host                 string `json:"-"` // its name here
	Version              string
	Client, Protocol     string // as the server is told
	FirstSent, FirstSeen int    // lines of the first page of the file
	Tasks                []reader.Seen
	Size                 int      // of the first page, as the host counts
	Longest              int      `json:"-"` // answer, in bytes
	Whole                bool     // everything was seen, once, in order, and the edit was repaired
	Faults               []string `json:"-"`
}

// report compares what the reader has seen with what there was.
func report(s *stage, read *reader.Reader) measured {
	one, m, r := s.host, s.model, readRecord(filepath.Join(s.dir, "pipe"))
	m.mu.Lock()
	defer m.mu.Unlock()
	_, version, _ := strings.Cut(one.packages[0][1:], "@")
	out := measured{Host: one.name, Version: version, Client: r.Client, Protocol: r.Protocol, Tasks: read.Report()}
	if len(r.Pages) > 0 {
		out.FirstSent, out.Size = strings.Count(r.Pages[0], " end "), one.bound.count(r.Pages[0])
	}
	for _, p := range r.Pages {
		out.Longest = max(out.Longest, len(p))
	}
	for _, t := range out.Tasks {
		for _, f := range t.Faults {
			out.Faults = append(out.Faults, t.Tool+": "+f)
		}
		if most := allowed(one.bound, t); t.Calls > most {
			out.Faults = append(out.Faults, fmt.Sprintf("%s: %d calls, more than %d", t.Tool, t.Calls, most))
		}
	}
	if a := out.Tasks[0].Answers; len(a) > 0 {
		out.FirstSeen = len(a[0].Items)
	}
	if !m.begun {
		out.Faults = append(out.Faults, "the model was offered none of fsbox's tools")
	}
	for _, f := range read.Repair() {
		out.Faults = append(out.Faults, "edit: "+f)
	}
	if content, err := os.ReadFile(filepath.Join(s.values.ws, "lines.txt")); err != nil || string(content) != reader.Content(true) {
		out.Faults = append(out.Faults, "edit: the file isn't as it should be afterwards")
	}
	out.Whole = len(out.Faults) == 0
	return out
}

// allowed is how many calls a task may take: what the host's bound makes necessary, and some slack.
func allowed(b bound, t reader.Seen) int {
	size, lines := 0, 0
	for _, a := range t.Answers {
		size += b.count(a.Text)
		lines += strings.Count(a.Text, "\n")
	}
	pages := max(calls(size, b.size), calls(lines, b.lines))
	if t.Tool == "read" {
		pages = max(pages, calls(size, page.size), calls(lines, page.lines))
	}
	return int(slack*float64(pages) + 0.999)
}

// calls is how many answers of a size n are.
func calls(n, size int) int {
	if size == 0 {
		return 1
	}
	return max(1, (n+size-1)/size)
}

func (m measured) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s, %s): of a page of %d lines the model gets %d\n",
		m.Host, m.Version, m.Client, m.Protocol, m.FirstSent, m.FirstSeen)
	for _, t := range m.Tasks {
		fmt.Fprintf(&b, "  %s: %d of %d in %d calls\n", t.Tool, t.Items, t.Total, t.Calls)
	}
	for _, f := range m.Faults {
		fmt.Fprintf(&b, "  fault: %s\n", f)
	}
	return b.String()
}

// entry is what is known of a host.
type entry struct {
	Passes        passes
	Before, After measured
	Previous      *measured                `json:",omitempty"` // After, with the host's version before
	Changes       map[string]change.Report `json:",omitempty"` // by the change's name
}

// store changes a host's entry in a file of results, unless there is none.
func store(path, host string, change func(*entry)) error {
	if path == "" {
		return nil
	}
	all, err := load(path)
	if err != nil {
		return err
	}
	if all[host] == nil {
		all[host] = &entry{}
	}
	change(all[host])
	content, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(content, '\n'), 0o666)
}

func load(path string) (map[string]*entry, error) {
	all := map[string]*entry{}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(content, &all)
}
