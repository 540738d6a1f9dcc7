// Command sizes counts the characters of fsbox's answers beside those of the programs that models
// use for the same facts, and writes them as a section of bench/RESULTS.md. See bench/README.md.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
)

// sizes is one run.
type sizes struct {
	rg, fsbox, module, temp, goSource string
	misses                            int
	table                             strings.Builder
}

func main() {
	var s sizes
	var out string
	flag.StringVar(&s.rg, "rg", "rg", "ripgrep 15, its `PATH`")
	flag.StringVar(&out, "o", "", "`FILE` whose section is written (default bench/RESULTS.md)")
	flag.IntVar(&s.misses, "misses", 2000, "failed edits to make")
	flag.Parse()
	if err := s.run(out); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func (s *sizes) run(out string) error {
	if err := s.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(s.temp)
	s.head()
	trees := []tree{{"GOROOT/src", s.goSource}, {"fsbox", s.module}}
	for _, t := range trees {
		for _, row := range s.rows(t) {
			if err := s.compare(t, row); err != nil {
				return err
			}
		}
	}
	for _, t := range trees {
		if err := errors.Join(s.reads(t), s.failedEdits(t)); err != nil {
			return err
		}
	}
	fmt.Print(s.table.String())
	if out == "" {
		out = filepath.Join(s.module, "bench", "RESULTS.md")
	}
	return replaceSection(out, s.table.String())
}

// prepare builds fsbox, and keeps the settings of the person who runs this out of it.
func (s *sizes) prepare() error {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	root, rootErr := exec.Command("go", "env", "GOROOT").Output()
	if err = errors.Join(err, rootErr); err != nil {
		return err
	}
	s.module, s.goSource = strings.TrimSpace(string(module)), filepath.Join(strings.TrimSpace(string(root)), "src")
	if s.temp, err = os.MkdirTemp("", "fsbox-sizes-"); err != nil {
		return err
	}
	s.fsbox = filepath.Join(s.temp, "fsbox")
	os.Setenv("XDG_CONFIG_HOME", s.temp)
	os.Setenv("FSBOX_STATE_DIR", filepath.Join(s.temp, "state"))
	build := exec.Command("go", "build", "-o", s.fsbox, ".")
	build.Dir, build.Stderr = s.module, os.Stderr
	return build.Run()
}

func (s *sizes) head() {
	version := func(name string, args ...string) string {
		out, _ := exec.Command(name, args...).Output() // a program without a version has none
		line, _, _ := strings.Cut(string(out), "\n")
		return line
	}
	lines := []string{heading, "", "Written by `go run ./bench/sizes`; README.md says what is counted.", "",
		"- date: " + time.Now().UTC().Format("2006-01-02"),
		"- fsbox: " + version("git", "-C", s.module, "describe", "--always", "--dirty") + ", " + runtime.Version(),
		"- ripgrep: " + version(s.rg, "--version"),
		"- find: " + version("find", "--version"), "",
		"| tree | request | peer | peer's characters | text | ratio | JSON | ratio | target for text | |",
		"|---|---|---|---|---|---|---|---|---|---|", ""}
	s.table.WriteString(strings.Join(lines, "\n"))
}

// row adds a line to the table. A target of 0 is none.
func (s *sizes) row(t tree, request, peer string, theirs, text, json int, target float64) {
	ratio, bound, verdict := float64(text)/float64(max(theirs, 1)), "", ""
	if target > 0 {
		bound, verdict = fmt.Sprintf("≤ %.2f", target), "met"
	}
	if target > 0 && ratio > target {
		verdict = "**missed**"
	}
	fmt.Fprintf(&s.table, "| %s | `%s` | `%s` | %d | %d | %.3f | %d | %.2f | %s | %s |\n",
		t.name, cell(request), cell(peer), theirs, text, ratio, json, float64(json)/float64(max(theirs, 1)), bound, verdict)
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// output runs a program in a folder and gives what it prints. Status 1 is fine: it is that of no
// match, and of a failed edit.
func output(dir, name string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return out.Bytes(), err
}

func characters(text []byte) int { return utf8.RuneCount(text) }

const heading = "## Sizes of answers"

// replaceSection puts a text in the place of the section of a file, or at its end.
func replaceSection(path, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, section, _ := strings.Cut(string(old), heading)
	after := ""
	if at := strings.Index(section, "\n## "); at >= 0 {
		after = section[at:]
	}
	return os.WriteFile(path, []byte(strings.TrimRight(before, "\n")+"\n\n"+text+after), 0o666)
}
