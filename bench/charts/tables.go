package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"

	"fsbox/bench/results"
)

// mostMemory bounds every run of fsbox, in MiB.
const mostMemory = 48

// page is RESULTS.md.
func page(r results.Results) string {
	works := table.Table{}
	works.AppendHeader(table.Row{"work", "peer", "results, ours / peer's lines", "ours wall", "ours CPU", "peer wall", "peer CPU",
		"ratio wall", "ratio CPU", "peak MiB", "target", ""})
	peak := 0.0
	for _, w := range r.Works {
		peak = max(peak, w.Ours.Peak)
		works.AppendRow(table.Row{w.Name, "`" + w.Peer + "`", fmt.Sprintf("%d / %d", w.Ours.Results, w.Theirs.Results),
			milliseconds(w.Ours.Wall), milliseconds(w.Ours.CPU), milliseconds(w.Theirs.Wall), milliseconds(w.Theirs.CPU),
			fmt.Sprintf("%.2f", w.Ours.Wall/w.Theirs.Wall), fmt.Sprintf("%.2f", w.Ours.CPU/w.Theirs.CPU),
			fmt.Sprintf("%.0f", w.Ours.Peak), bound(w.Target), w.Verdict()})
	}
	reads := table.Table{}
	reads.AppendHeader(table.Row{"server", "at once", "reads a second, fastest run", "median", "CPU µs a read", "peak MiB"})
	for _, s := range r.Reads {
		reads.AppendRow(table.Row{"`" + s.Name + "`", s.AtOnce, thousands(s.Fastest), thousands(s.Median), fmt.Sprintf("%.1f", s.CPU),
			fmt.Sprintf("%.0f", s.Peak)})
	}
	tasks := table.Table{}
	tasks.AppendHeader(table.Row{"task", "way", "calls", "characters sent", "read", "both", "errors"})
	sum, calls := map[string]int{}, map[string]int{}
	for _, c := range r.Tasks {
		if slices.ContainsFunc(r.Tasks, func(o results.Task) bool { return o.Name == c.Name && o.Way == "fsbox" }) {
			sum[c.Way], calls[c.Way] = sum[c.Way]+c.Sent+c.Read, calls[c.Way]+c.Calls
		}
		tasks.AppendRow(table.Row{c.Name, c.Way, c.Calls, thousands(c.Sent), thousands(c.Read), thousands(c.Sent + c.Read), c.Errors})
	}
	return fmt.Sprintf(form, list(r.WorksOn), works.RenderMarkdown(), peak, mostMemory, list(r.ReadsOn), reads.RenderMarkdown(),
		list(r.TasksOn), tasks.RenderMarkdown()+
			fmt.Sprintf(together, calls["fsbox"], thousands(sum["fsbox"]), calls["shell"], thousands(sum["shell"])))
}

// calls is the table of README.md: servers that answer one read after another. It has no blanks,
// as the page may only have so many words.
func calls(r results.Results) string {
	text := "|server|2 KiB reads per second|peak MiB|\n|---|---|---|\n"
	for _, s := range r.Reads {
		if s.AtOnce == 1 && !strings.Contains(s.Name, "--structured") {
			text += fmt.Sprintf("|`%s`|%s|%.0f|\n", s.Name, thousands(s.Fastest), s.Peak)
		}
	}
	return text
}

// thousands writes 12345 as 12,345.
func thousands[N int | float64](n N) string { return humanize.Comma(int64(n)) }

// together sums up the tasks that an agent does in whichever way suits it.
const together = "\n\nThe tasks of the way `fsbox`, all together: %d calls and %s characters, by a shell %d and %s."

// form is RESULTS.md without its figures.
//
//go:embed results.md
var form string

func list(facts []string) string { return "- " + strings.Join(facts, "\n- ") + "\n" }

// bound tells a target in words. One that bounds wall and CPU bounds them alike.
func bound(t results.Target) string {
	text := fmt.Sprintf("≤ %.3g", max(t.Wall, t.CPU))
	switch {
	case t == results.Target{}:
		return "none"
	case t.CPU == 0:
		text = "wall " + text
	case t.Wall == 0:
		text = "CPU " + text
	}
	if t.Slack > 0 {
		text += fmt.Sprintf(" plus %v ms", t.Slack)
	}
	return text
}

// find gives a work beside the peer whose command line begins so.
func find(r results.Results, name, peer string) (results.Work, error) {
	for _, w := range r.Works {
		if w.Name == name && strings.HasPrefix(w.Peer, peer) {
			return w, nil
		}
	}
	return results.Work{}, fmt.Errorf("no result of %q beside %q", name, peer)
}

// milliseconds writes a time for people.
func milliseconds(ms float64) string {
	switch {
	case ms >= 1000:
		return fmt.Sprintf("%.2f s", ms/1000)
	case ms >= 10:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}
