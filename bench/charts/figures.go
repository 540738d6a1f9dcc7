package main

import (
	"errors"
	"fmt"
	"strings"
)

// What surrounds the table of figures in README.md.
const (
	figuresBegin = "<!-- figures: go run ./bench/charts -->\n"
	figuresEnd   = "<!-- end -->\n"
)

// withFigures is README.md with the figures of the results.
func withFigures(readme string, r *results) (string, error) {
	before, rest, begins := strings.Cut(readme, figuresBegin)
	_, after, ends := strings.Cut(rest, figuresEnd)
	if !begins || !ends {
		return "", errors.New("README.md has no place for the figures: " + strings.TrimSpace(figuresBegin))
	}
	table := figures(r)
	if err := errors.Join(r.problems...); err != nil {
		return "", err
	}
	return before + figuresBegin + table + figuresEnd + after, nil
}

// figures is the table, of what the charts leave out.
func figures(r *results) string {
	var b strings.Builder
	b.WriteString("| | fsbox | other |\n|---|---|---|\n")
	line(&b, "last 100 lines of 2 GiB", r.work("last 100 lines of 2 GiB", "tail"), "`tail` %s")
	line(&b, "replace 1,000 files, each synced, with undo", r.work("replace a file of 8 KiB, 1000 times", "bare"), "without undo and locks %s")
	return b.String()
}

func line(b *strings.Builder, name string, w row, peer string) {
	fmt.Fprintf(b, "| %s | %s | "+peer+" |\n", name, took(w, "ours"), took(w, "peer"))
}

func took(w row, who string) string { return milliseconds(w.number(who + " wall")) }
