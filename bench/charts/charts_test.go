package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// The pictures and the figures in README.md are those of today's results and of today's program.
func TestFresh(t *testing.T) {
	if keyboard, screen, err := pty.Open(); err != nil {
		t.Skipf("needs a pseudo-terminal: %v", err)
	} else {
		keyboard.Close()
		screen.Close()
	}
	time.Local = time.UTC
	files, err := files("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || string(got) != want {
			t.Errorf("%s is not of today (%v): run go run ./bench/charts", name, err)
		}
		if strings.HasSuffix(name, ".svg") {
			wellFormed(t, name, want)
			if !strings.Contains(files["README.md"], `="`+name+`"`) {
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

func TestParseResults(t *testing.T) {
	r := parseResults("# Results\n\n| work | peer | ours wall |\n|---|---|---|\n| a | `rg -n 'x\\|y'` | 1.5 |\n\n## Other\n\n| x " +
		"|\n|---|\n\n" +
		"## Reads by a kept-open process\n\n| server | at once | reads a second |\n|---|---|---|\n| `s --structured` | 1 | 2 |\n| `s` | 1 | " +
		"12345 |\n")
	if got := r.work("a", "rg -n 'x|y'").number("ours wall"); got != 1.5 {
		t.Errorf("work: %v", got)
	}
	if got := thousands(r.server("s", "1").number("reads a second")); got != "12,345" {
		t.Errorf("server: %s", got)
	}
	if len(r.problems) > 0 {
		t.Error(r.problems)
	}
	if r.work("b", "rg").number("ours wall") != 0 || len(r.problems) != 1 {
		t.Errorf("a work that isn't there: %v", r.problems)
	}
	if r := parseResults(""); len(r.problems) == 0 {
		t.Error("no results are taken for results")
	}
}

func TestMilliseconds(t *testing.T) {
	for ms, want := range map[float64]string{2.44: "2.4 ms", 72: "72 ms", 1084: "1.08 s", 999: "999 ms"} {
		if got := milliseconds(ms); got != want {
			t.Errorf("%v: %s, want %s", ms, got, want)
		}
	}
}
