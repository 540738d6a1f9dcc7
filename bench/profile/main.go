// Command profile writes release.pgo: where the program spends its time in searches, listings,
// reads and writes. "go build -pgo=release.pgo" optimizes what that names, some 4 % of a search.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"fsbox/bench/results"
	"fsbox/commands"
)

const text = "\tif err := call(root, nil); err != nil {\n\t\treturn err\n\t}\n"

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
	tree := flag.String("tree", "linux-source-6.1", "a `DIR` of many text files to search, such as the sources of Linux")
	flag.Parse()
	results.Check("profile", run(*tree))
}

func run(tree string) error {
	work, err := os.MkdirTemp("", "fsbox-profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return err
	}
	for range 8 {
		for _, args := range walks {
			if err := call(tree, nil, args...); err != nil {
				return err
			}
		}
	}
	if err := call(work, changes(300), "batch", "--allow-write", "--allow-delete", "--state-dir", work+"-state"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "read.go"), []byte(strings.Repeat(text, 5)), 0o644); err != nil {
		return err
	}
	for range 4 {
		if err := call(work, bytes.Repeat([]byte(`{"tool":"read","input":{"path":"read.go"}}`+"\n"), 20000), "batch"); err != nil {
			return err
		}
	}
	pprof.StopCPUProfile()
	return errors.Join(os.WriteFile("../release.pgo", profile.Bytes(), 0o644), os.RemoveAll(work+"-state"))
}

// call runs one command line in this process, so that all of them are in one profile.
func call(root string, stdin []byte, args ...string) error {
	var answers bytes.Buffer
	p := commands.Program{Stdin: bytes.NewReader(stdin), Stdout: &answers, Stderr: os.Stderr, Commands: commands.All()}
	status := p.Run(context.Background(), append(append([]string{"--root", root}, limits...), args...))
	if status != 0 {
		_, failure, _ := bytes.Cut(answers.Bytes(), []byte(`"success":false`))
		return fmt.Errorf("%q ended with %d: %.400s", args, status, failure)
	}
	return nil
}

// changes returns requests for batch: of each file the calls that an agent makes to change it.
func changes(rounds int) []byte {
	var lines bytes.Buffer
	for i := range rounds {
		path := fmt.Sprintf("dir%d/file%d.go", i%20, i)
		patch := fmt.Sprintf("--- a/%s\n+++ b/%[1]s\n@@ -1,2 +1,2 @@\n \tedited\n-\tsecond\n+\tchanged\n", path)
		for _, request := range [][2]string{
			{"write", fmt.Sprintf(`{"path":%q,"content":%q}`, path, "\tfirst\n\tsecond\n"+strings.Repeat(text, 150))},
			{"read", fmt.Sprintf(`{"path":%q}`, path)},
			{"edit", fmt.Sprintf(`{"path":%q,"edits":[{"expected_text":"first","replacement_text":"edited"}]}`, path)},
			{"patch", fmt.Sprintf(`{"patch":%q}`, patch)},
			{"info", fmt.Sprintf(`{"path":%q}`, path)},
			{"move", fmt.Sprintf(`{"from":%q,"to":%q}`, path, path+".moved")},
			{"undo", "{}"},
		} {
			fmt.Fprintf(&lines, "{\"tool\":%q,\"input\":%s}\n", request[0], request[1])
		}
	}
	return lines.Bytes()
}
