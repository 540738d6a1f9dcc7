package main

import (
	"fmt"
	"strconv"
	"strings"
)

// results are the tables of RESULTS.md.
type results struct {
	works    []row // of the first table
	reads    []row // of the section on processes that are kept open
	problems []error
}

// row is a line of a table, its cells by the heads of their columns.
type row map[string]string

func parseResults(text string) *results {
	whole := strings.ReplaceAll(text, `\|`, "\x00")
	head, _, _ := strings.Cut(whole, "\n## ")
	_, reads, _ := strings.Cut(whole, "\n## Reads by a kept-open process\n")
	reads, _, _ = strings.Cut(reads, "\n## ")
	r := &results{works: table(head), reads: table(reads)}
	if len(r.works) == 0 || len(r.reads) == 0 {
		r.problems = append(r.problems, fmt.Errorf("RESULTS.md lacks a table"))
	}
	return r
}

// table reads the first table of a text.
func table(text string) (rows []row) {
	var heads []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if len(rows) > 0 {
				return rows
			}
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", "|")
		}
		switch {
		case heads == nil:
			heads = cells
		case !strings.HasPrefix(cells[0], "---"):
			r := row{}
			for i := range min(len(heads), len(cells)) {
				r[heads[i]] = cells[i]
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// work finds the row of a work whose peer's command line begins so.
func (r *results) work(name, peer string) row {
	for _, w := range r.works {
		if w["work"] == name && strings.HasPrefix(strings.Trim(w["peer"], "`"), peer) {
			return w
		}
	}
	r.problems = append(r.problems, fmt.Errorf("RESULTS.md has no work %q beside %q", name, peer))
	return row{}
}

// server finds the row of a server that gets so many requests at once.
func (r *results) server(name, atOnce string) row {
	for _, s := range r.reads {
		if strings.HasPrefix(strings.Trim(s["server"], "`"), name) && s["at once"] == atOnce && !strings.Contains(s["server"], "--structured") {
			return s
		}
	}
	r.problems = append(r.problems, fmt.Errorf("RESULTS.md has no server %q", name))
	return row{}
}

// number reads a cell, 0 if there is none.
func (r row) number(column string) float64 {
	n, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		return 0
	}
	return n
}

// thousands writes 12345 as 12,345.
func thousands(n float64) string {
	digits := strconv.FormatFloat(n, 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// milliseconds writes a time for people.
func milliseconds(ms float64) string {
	switch {
	case ms >= 1000:
		return strconv.FormatFloat(ms/1000, 'f', 2, 64) + " s"
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
}
