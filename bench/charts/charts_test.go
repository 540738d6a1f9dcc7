package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/bench/results"
)

// RESULTS.md, the table of README.md and the pictures are those of today's results and of today's
// program.
func TestFresh(t *testing.T) {
	files, err := files("../..")
	if err != nil {
		t.Fatal(err)
	}
	r, err := results.Load("../results.json")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if table := calls(r); !strings.Contains(string(readme), "\n\n"+table+"\n") {
		t.Errorf("README.md doesn't have the table of results.json:\n%s", table)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || string(got) != want {
			t.Errorf("%s is not of today (%v): run go -C bench run ./charts", name, err)
		}
		if strings.HasSuffix(name, ".svg") {
			wellFormed(t, name, want)
			if !strings.Contains(string(readme), `="`+name+`"`) {
				t.Errorf("README.md doesn't show %s", name)
			}
		}
	}
}

func wellFormed(t *testing.T, name, content string) {
	t.Helper()
	for in := xml.NewDecoder(strings.NewReader(content)); ; {
		switch _, err := in.Token(); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func TestMilliseconds(t *testing.T) {
	for ms, want := range map[float64]string{2.44: "2.4 ms", 72: "72 ms", 1084: "1.08 s", 999: "999 ms"} {
		if got := milliseconds(ms); got != want {
			t.Errorf("%v: %s, want %s", ms, got, want)
		}
	}
}

func TestBound(t *testing.T) {
	for want, target := range map[string]results.Target{
		"none": {}, "≤ 0.95": {Wall: 0.95, CPU: 0.95}, "wall ≤ 0.6": {Wall: 0.6}, "CPU ≤ 1.2": {CPU: 1.2}, "≤ 1.15": {Wall: 1.15, CPU: 1.15},
		"≤ 1 plus 2 ms": {Wall: 1, CPU: 1, Slack: 2},
	} {
		if got := bound(target); got != want {
			t.Errorf("%v: %q, want %q", target, got, want)
		}
	}
}
