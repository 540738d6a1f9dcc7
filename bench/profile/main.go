// Command profile writes default.pgo: where the program spends its time in searches, listings,
// reads and writes. "go build" optimizes what that file names, which saves some 4 % of a search.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"fsbox/commands"
)

// limits keep an answer from ending before all is searched.
var limits = []string{"--max-results", "1000000", "--max-output-bytes", "1GiB", "--timeout", "10m", "--confine", "off"}

var walks = [][]string{
	{"grep", "PM_RESUME", "--max-matches", "100000"},
	{"grep", "PM_RESUME", "--max-matches", "100000", "--ignore-case"},
	{"grep", "PM_RESUME|PME_TURN_OFF|LINK_REQ_RST", "--max-matches", "100000", "--use-regex"},
	{"grep", `[a-z]+_resume\(\w+\);`, "--max-matches", "1000000", "--use-regex"},
	{"grep", `\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`, "--max-matches", "1000000", "--use-regex"},
	{"grep", "return"},
	{"ls", "--recursive", "--max-entries", "1000000"},
	{"glob", "**/*.c", "--limit", "1000000"},
}

func main() {
	tree := flag.String("tree", "", "a `FOLDER` of many text files to search, such as the sources of Linux")
	turns := flag.Int("turns", 8, "how often each search runs")
	rounds := flag.Int("rounds", 300, "how many files are written, edited, patched and read")
	out := flag.String("o", "default.pgo", "the `FILE` to write")
	flag.Parse()
	if err := run(*tree, *turns, *rounds, *out); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run(tree string, turns, rounds int, out string) error {
	if tree == "" {
		return errors.New("-tree says which folder is searched")
	}
	work, err := os.MkdirTemp("", "fsbox-profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	changes, err := changes(rounds)
	if err := errors.Join(err, os.Mkdir(filepath.Join(work, "files"), 0o755)); err != nil {
		return err
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return err
	}
	for range turns {
		for _, args := range walks {
			if err := call(tree, nil, args...); err != nil {
				return err
			}
		}
	}
	state := filepath.Join(work, "state")
	if err := call(filepath.Join(work, "files"), changes, "batch", "--allow-write", "--allow-delete", "--state-dir", state); err != nil {
		return err
	}
	pprof.StopCPUProfile()
	return os.WriteFile(out, profile.Bytes(), 0o644)
}

// call runs one command line in this process, so that all of them are in one profile.
func call(root string, stdin []byte, args ...string) error {
	var answers bytes.Buffer
	p := commands.Program{Stdin: bytes.NewReader(stdin), Stdout: &answers, Stderr: os.Stderr, Tools: commands.Tools()}
	status := p.Run(context.Background(), append(append([]string{"--root", root}, limits...), args...))
	for line := range bytes.Lines(answers.Bytes()) {
		if !bytes.Contains(line, []byte(`"success":true`)) {
			return fmt.Errorf("%q: %.400s", args, line)
		}
	}
	if status != 0 {
		return fmt.Errorf("%q ended with %d", args, status)
	}
	return nil
}

// changes returns requests for batch: of each file the calls that an agent makes to change it.
func changes(rounds int) ([]byte, error) {
	text := strings.Repeat("\tif err := call(root, nil); err != nil {\n\t\treturn err\n\t}\n", 150)
	patch := "@@ -1,2 +1,2 @@\n \tfirst\n-\tsecond\n+\tchanged\n"
	var lines bytes.Buffer
	to := json.NewEncoder(&lines)
	for i := range rounds {
		path := fmt.Sprintf("dir%d/file%d.go", i%20, i)
		for _, request := range []struct {
			Tool  string         `json:"tool"`
			Input map[string]any `json:"input"`
		}{
			{"write", map[string]any{"path": path, "content": "\tfirst\n\tsecond\n" + text}},
			{"read", map[string]any{"path": path}},
			{"edit", map[string]any{"path": path, "edits": []any{map[string]any{"expected_text": "first", "replacement_text": "edited"}}}},
			{"patch", map[string]any{"patch": "--- a/" + path + "\n+++ b/" + path + "\n" + strings.Replace(patch, "first", "edited", 1)}},
			{"info", map[string]any{"path": path}},
			{"move", map[string]any{"from": path, "to": path + ".moved"}},
			{"undo", map[string]any{}},
		} {
			if err := to.Encode(request); err != nil {
				return nil, err
			}
		}
	}
	return lines.Bytes(), nil
}
