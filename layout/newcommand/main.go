// Newcommand adds a command to the tree: go run ./layout/newcommand NAME, at the top of the
// repository. It works as it is, and reads each file below a path. It is a start: change what its
// files say, or take out the walk. One that changes files has a Run and a Result like those of
// mkdir.
//
// It writes commands/NAME/doc.go and NAME.go, testscript/read/NAME.txtar, and lines into
// commands/all.go, commands/effects_test.go and commands/samples/samples.go. Then
//
//	go test ./commands ./examples ./testscript/... -update
//
// writes the pages. What else a command may have, package command says.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed command.txt
var command string

//go:embed script.txt
var script string

// line is what goes into a file before a text that is there once.
type line struct{ file, before, text string }

var lines = []line{
	{"commands/all.go", "\t\"fsbox/commands/append\"\n", "\t\"fsbox/commands/NAME\"\n"},
	{"commands/all.go", "\tcheck.Command,\n", "\tNAME.Command,\n"},
	{"commands/samples/samples.go", "\n}\n", "\n\t\"NAME\": `{\"path\":\"dir\"}`,"},
	{"commands/effects_test.go", "\n}\n", "\n\t\"NAME\": \"file\","},
	{"commands/effects_test.go", "`\n\n// idle are", `NAME path {} => "dir"
NAME include_hidden {} => true
NAME no_ignore {} => true
`},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./layout/newcommand NAME, at the top of the repository")
		os.Exit(2)
	}
	if err := add(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// add adds a command to the tree in the current folder.
func add(name string) error {
	if !regexp.MustCompile(`^[a-z][a-z0-9]*$`).MatchString(name) || token.IsKeyword(name) {
		return fmt.Errorf("%q can't be the name of a package", name)
	}
	if _, err := os.Stat("commands/" + name); err == nil {
		return fmt.Errorf("commands/%s already exists", name)
	}
	named := func(text string) string { return strings.ReplaceAll(text, "NAME", name) }
	for _, l := range lines {
		source, err := os.ReadFile(l.file)
		if err != nil {
			return err
		}
		at := strings.LastIndex(string(source), l.before)
		if at < 0 {
			return fmt.Errorf("%s has no %q", l.file, l.before)
		}
		if source, err = format.Source([]byte(string(source[:at]) + named(l.text) + string(source[at:]))); err != nil {
			return err
		}
		if err := os.WriteFile(l.file, source, 0o666); err != nil {
			return err
		}
	}
	for file, text := range map[string]string{"commands/NAME/doc.go": "// Package NAME has the command NAME.\npackage NAME\n",
		"commands/NAME/NAME.go": command, "testscript/read/NAME.txtar": script} {
		file = named(file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(named(text)), 0o666)); err != nil {
			return err
		}
		fmt.Println(file)
	}
	return nil
}
