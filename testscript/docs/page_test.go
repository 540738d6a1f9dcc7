package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/testscript"
)

// pages are the documents whose command lines are run, relative to the repository.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(found) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	return append([]string{"../../README.md", "../../SECURITY.md"}, found...)
}

// TestDocs runs every command line of the pages and compares what it prints with what the page
// says.
//
// A page is one session in a new folder, from its top to its end. A block of code with title="NAME"
// is written to the file of that name. In a block of console, a line after "$ " is run by sh, and
// the lines after "> " belong to it; what follows is what it prints. The comment <!-- new folder
// --> starts again with an empty folder. A console block with needs=PROGRAM is run where that
// program is there; one with "repository" is run in this repository, and only with -sweep.
//
// What differs from run to run is replaced first: see sameEveryRun. After a change that is meant:
// go test ./testscript/docs -update
func TestDocs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the pages show what the commands print on Linux")
	}
	all := pages(t)
	if testing.Short() {
		all = all[:1]
	}
	for _, name := range all {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			checkPage(t, name)
		})
	}
}

func checkPage(t *testing.T, name string) {
	was := readPage(t, name)
	now := runPage(t, was)
	switch {
	case now == was:
	case testscript.Update() && readPage(t, name) != was: // package commands has written its part meanwhile
		checkPage(t, name)
	case testscript.Update():
		if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s isn't what the commands print; if that is meant: go test ./testscript/docs -update\n%s", name, changedLines(was, now))
	}
}

// runPage gives the page as it should be.
func runPage(t *testing.T, page string) string {
	s := newSession(t)
	var out []string
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		if strings.Contains(lines[i], "<!-- new directory -->") {
			s = newSession(t)
		}
		info, fenced := strings.CutPrefix(lines[i], "```")
		if !fenced {
			continue
		}
		length := slices.Index(lines[i+1:], "```")
		if length < 0 {
			t.Fatalf("the block in line %d has no end", i+1)
		}
		out = append(out, s.block(t, info, lines[i+1:i+1+length])...)
		out = append(out, "```")
		i += length + 1
	}
	return strings.Join(out, "\n")
}

// block does what a block of code asks for, and gives the block as it should be.
func (s *session) block(t *testing.T, info string, body []string) []string {
	words := strings.Fields(info)
	if len(words) == 0 {
		return body
	}
	named := false
	for _, word := range words[1:] {
		if name, ok := strings.CutPrefix(word, "title="); ok {
			named = true
			s.write(t, strings.Trim(name, `"`), strings.Join(body, "\n")+"\n")
		}
	}
	switch words[0] {
	case "sh", "bash", "shell":
		if !named { // a script that another command of the page runs has a name
			t.Errorf("a block of %s would not be run: use console, with \"$ \" before each command", words[0])
		}
	case "console":
		return s.console(t, words[1:], body)
	}
	return body
}

func (s *session) console(t *testing.T, words, body []string) []string {
	dir := s.dir
	for _, word := range words {
		program, needs := strings.CutPrefix(word, "needs=")
		if needs {
			if _, err := exec.LookPath(program); err != nil {
				t.Logf("not run, for there is no %s: %s", program, body[0])
				return body
			}
		}
		if word == "repository" {
			if !testscript.Sweep() {
				return body
			}
			dir = "../.."
		}
	}
	var out []string
	for _, p := range promptsOf(t, body) {
		out = append(out, p.command...)
		out = append(out, s.run(t, dir, p)...)
		out = append(out, p.blank...)
	}
	return out
}

// prompt is a command of a console block, and the empty lines before the next.
type prompt struct{ command, blank []string }

func promptsOf(t *testing.T, body []string) []prompt {
	t.Helper()
	var all []prompt
	for _, line := range body {
		switch last := len(all) - 1; {
		case strings.HasPrefix(line, "$ "):
			all = append(all, prompt{command: []string{line}})
		case last < 0:
			t.Fatalf("a console block begins with %q instead of a command", line)
		case strings.HasPrefix(line, "> ") || line == ">":
			all[last].command = append(all[last].command, line)
		case line == "":
			all[last].blank = append(all[last].blank, line)
		default:
			all[last].blank = nil
		}
	}
	return all
}

// changedLines shows the first lines that differ.
func changedLines(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	var text strings.Builder
	for i := 0; i < max(len(a), len(b)) && text.Len() < 4000; i++ {
		if i < len(a) && (i >= len(b) || a[i] != b[i]) {
			text.WriteString("page:  " + a[i] + "\n")
		}
		if i < len(b) && (i >= len(a) || a[i] != b[i]) {
			text.WriteString("real:  " + b[i] + "\n")
		}
	}
	return text.String()
}
