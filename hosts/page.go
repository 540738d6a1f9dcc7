package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"fsbox/hosts/change"
)

// write puts results into a page, each table between two lines.
func write(results, page string) error {
	all, err := load(results)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text := string(content)
	for name, table := range map[string]string{"hosts": table(all), "versions": versions(all), "changes": changeTable(all),
		"settings": settings(others()), "limits": limits()} {
		start := "<!-- measured: " + name + " -->\n"
		before, rest, ok := strings.Cut(text, start)
		_, after, closed := strings.Cut(rest, "<!-- end -->\n")
		if !ok || !closed {
			return fmt.Errorf("%s has no lines %q and <!-- end -->", page, start)
		}
		text = before + start + "\n" + table + "\n<!-- end -->\n" + after
	}
	return os.WriteFile(page, []byte(text), 0o666)
}

// table has a row for each host.
func table(all map[string]*entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| host | longest complete answer | received of %d lines (50 KB) | received now | calls to read | to search | to list |\n",
		pageLines(all))
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, h := range catalog() {
		e := all[h.name]
		if e == nil || len(e.After.Tasks) == 0 {
			continue
		}
		title, with := h.named()
		fmt.Fprintf(&b, "| %s %s%s | %s | %s | %s |%s\n", title, e.After.Version, with,
			e.Passes.unit(), e.Before.got(), e.After.got(), e.After.calls())
	}
	return b.String()
}

func pageLines(all map[string]*entry) (most int) {
	for _, e := range all {
		most = max(most, e.Before.FirstSent)
	}
	return most
}

// got is how much of the first page the model has seen.
func (m measured) got() string {
	if m.FirstSent == 0 {
		return "–" // the program didn't know an argument then
	}
	text := fmt.Sprint(m.FirstSeen)
	if m.FirstSeen == m.FirstSent {
		text = "all " + text
	}
	if read := m.Tasks[0]; read.Calls == 1 && read.Items < read.Total {
		text += ", no note"
	}
	return text
}

func (m measured) calls() string {
	var b strings.Builder
	for _, t := range m.Tasks {
		fmt.Fprintf(&b, " %d", t.Calls)
		if missing := t.Total - t.Items; missing > 0 {
			fmt.Fprintf(&b, ", and %d are missing", missing)
		}
		b.WriteString(" |")
	}
	return b.String()
}

// versions says of which hosts the version before was run as well, and what was other then.
func versions(all map[string]*entry) string {
	var same, lines []string
	for _, h := range catalog() {
		e := all[h.name]
		if e == nil || e.Previous == nil {
			continue
		}
		title, _ := h.named()
		name := title + " " + e.Previous.Version
		if !e.Previous.equals(e.After) {
			lines = append(lines, fmt.Sprintf("- %s gets %s:%s calls.", name, e.Previous.got(), e.Previous.calls()))
		} else if !slices.Contains(same, name) {
			same = append(same, name)
		}
	}
	lines = append([]string{"- Previous versions gave the same results:  " + strings.Join(same, ", ") + "."}, lines...)
	return strings.Join(lines, "\n") + "\n"
}

// equals reports whether a run has shown the same as another.
func (m *measured) equals(other measured) bool {
	return m.FirstSent == other.FirstSent && m.FirstSeen == other.FirstSeen && m.Whole == other.Whole && m.calls() == other.calls()
}

// changeTable has a row for each host by which all changes were made, without a fault.
func changeTable(all map[string]*entry) string {
	changes := change.All("")
	var b strings.Builder
	b.WriteString("| host |")
	for _, c := range changes {
		fmt.Fprintf(&b, " %s: calls | of these, for further pages | characters |", c.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", 3*len(changes)) + "\n")
	for _, h := range catalog() {
		e := all[h.name]
		if e == nil || len(e.Changes) < len(changes) {
			continue
		}
		title, with := h.named()
		fmt.Fprintf(&b, "| %s %s%s |", title, e.After.Version, with)
		for _, c := range changes {
			r := e.Changes[c.Name]
			fmt.Fprintf(&b, " %d | %d | %s |", r.Calls, r.Pages, thousands(r.Chars))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// limits has a row for each trial of a host's own limit.
func limits() string {
	var b strings.Builder
	b.WriteString("| host | its own setting |\n|---|---|\n")
	for _, t := range raised() {
		fmt.Fprintf(&b, "| %s | %s |\n", t.title(), t.setting)
	}
	return b.String()
}

// settings has a row for each trial.
func settings(trials []trial) string {
	var b strings.Builder
	b.WriteString("| host | setting | result |\n|---|---|---|\n")
	for _, t := range trials {
		title, _, _ := strings.Cut(t.title(), ",")
		fmt.Fprintf(&b, "| %s | %s | %s |\n", title, t.setting, t.shows)
	}
	return b.String()
}

// title is that of the trial's host.
func (t trial) title() string {
	all := catalog()
	return all[slices.IndexFunc(all, func(h host) bool { return h.name == t.host })].title
}

// named is the host's name, and what it was run with: ", NAME", or nothing.
func (h host) named() (title, with string) {
	title, _, _ = strings.Cut(h.title, ",")
	return title, h.title[len(title):]
}
