package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// peakTarget bounds the memory of every run of fsbox, in bytes.
const peakTarget = 48 << 20

// report is the table, in Markdown.
type report struct {
	bench *bench
	text  strings.Builder
	peak  int64
}

func newReport(b *bench) *report { return &report{bench: b} }

// note adds to the table and returns what it added.
func (r *report) note(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	r.text.WriteString(text)
	return text
}

func (r *report) head() string {
	o := r.bench.options
	lines := []string{
		"# Results", "",
		"Written by `go run ./bench`; README.md says what is measured and how. Times are medians, in milliseconds.", "",
		"- date: " + time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		"- machine: " + machine(),
		"- written on: " + fileSystem(r.bench.temp),
		"- load before: " + loadAverage(),
		"- fsbox: " + r.bench.revision() + ", " + runtime.Version(),
		"- ripgrep: " + firstLine(o.rg, "--version"),
	}
	if o.fd != "" {
		lines = append(lines, "- fd: "+firstLine(o.fd, "--version"))
	}
	lines = append(lines, "- grep: "+firstLine("grep", "--version"), "- tail: "+firstLine("tail", "--version"),
		"- sed: "+firstLine("sed", "--version"),
		fmt.Sprintf("- tree: Debian's linux-source-6.1; %d runs of each", o.runs), "",
		"| work | peer | results, ours / peer's lines | ours wall | ours CPU | peer wall | peer CPU | ratio wall | ratio CPU | peak MiB | "+
			"target | |",
		"|---|---|---|---|---|---|---|---|---|---|---|---|", "")
	return r.note("%s", strings.Join(lines, "\n"))
}

// add writes a row for each peer of a work.
func (r *report) add(w work, samples []sample, a answer, err error) string {
	if err != nil {
		return r.note("| %s | | | | | | | | | | | **failed**: %s |\n", cell(w.name), cell(err.Error()))
	}
	ours := samples[0]
	r.peak = max(r.peak, ours.peak)
	var rows strings.Builder
	for i, p := range w.peers {
		theirs := samples[i+1]
		rows.WriteString(r.note("| %s | `%s` | %d / %d | %s | %s | %s | %s | %.2f | %.2f | %s | %s | %s |\n",
			cell(w.name), cell(p.show), a.results, theirs.lines, ms(ours.wall), ms(ours.cpu), ms(theirs.wall), ms(theirs.cpu),
			ratio(ours.wall, theirs.wall), ratio(ours.cpu, theirs.cpu), mib(ours.peak), p.target, p.target.verdict(ours, theirs)))
	}
	return rows.String()
}

func (r *report) foot() string {
	verdict := "met"
	if r.peak > peakTarget {
		verdict = "**missed**"
	}
	if r.peak == 0 {
		verdict = "not known here"
	}
	text := r.note("| peak memory of all | | | | | | | | | %s | ≤ %s MiB | %s |\n", mib(r.peak), mib(peakTarget), verdict)
	if floor := procField("/proc/self/status", "VmHWM"); floor != "" {
		text += r.note("\nA peak may be lower than it says here, but not higher: the kernel counts that of the process that starts another, "+
			"too, here up to %s.\n", floor)
	}
	return text
}

func (t target) String() string {
	text := "none"
	switch {
	case t.wall > 0 && t.wall == t.cpu:
		text = fmt.Sprintf("≤ %.2g", t.wall)
	case t.wall > 0:
		text = fmt.Sprintf("wall ≤ %.2g", t.wall)
	}
	if t.slack > 0 {
		text += fmt.Sprintf(" plus %v", t.slack)
	}
	return text
}

func (t target) verdict(ours, theirs sample) string {
	var missed []string
	if t.wall > 0 && float64(ours.wall-t.slack) > t.wall*float64(theirs.wall) {
		missed = append(missed, "wall")
	}
	if t.cpu > 0 && float64(ours.cpu-t.slack) > t.cpu*float64(theirs.cpu) {
		missed = append(missed, "CPU")
	}
	switch {
	case len(missed) > 0:
		return "**missed**: " + strings.Join(missed, ", ")
	case t == target{}:
		return ""
	}
	return "met"
}

func ratio(ours, theirs time.Duration) float64 { return float64(ours) / float64(max(theirs, 1)) }

func ms(d time.Duration) string {
	if v := float64(d) / float64(time.Millisecond); v < 100 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%d", d.Milliseconds())
}

func mib(bytes int64) string { return fmt.Sprintf("%.0f", float64(bytes)/(1<<20)) }

// cell keeps a text from breaking the table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

// quoted shows arguments as one would type them.
func quoted(args []string) string {
	var words []string
	for _, a := range args {
		if strings.ContainsAny(a, `\|*?[]{}() `) {
			a = "'" + a + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// revision says which sources the programs are built from.
func (b *bench) revision() string {
	return firstLine("git", "--no-optional-locks", "-C", b.module, "describe", "--always", "--dirty")
}
