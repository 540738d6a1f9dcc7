package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
)

// TestCommands asks each command for all that belongs to one besides its code, and lists what is
// missing. The tests of each thing are elsewhere: this one tells what to add, in one run.
func TestCommands(t *testing.T) {
	tree := readTree(t)
	var missing []string
	for _, tool := range All() {
		for _, what := range slices.Concat(undeclared(tool), tree.unwritten(tool)) {
			missing = append(missing, tool.Name+": "+what)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d things are missing:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

// undeclared is what the declaration of a command lacks.
func undeclared(tool command.Command) (missing []string) {
	lacks := func(isMissing bool, format string, args ...any) {
		if isMissing {
			missing = append(missing, fmt.Sprintf(format, args...))
		}
	}
	lacks(tool.Help == "", "Help: one sentence for the list of commands")
	lacks(!tool.HostOnly && tool.Title == "", "Title: what the user of an MCP client sees")
	lacks(tool.Text == "", "Text: what it does and when to use it, for people and models")
	lacks(len(tool.Examples) == 0, "Examples: at least one command line")
	lacks(len(tool.Results) == 0, "Results: a nil pointer of each type of its results")
	for _, r := range tool.Results {
		_, hasText := r.(answer.TextWriter)
		lacks(!hasText, "%T has no WriteText, its text form", r)
	}
	changes := func(r answer.Result) bool { _, ok := r.(command.Changer); return ok }
	lacks(tool.Writes && !slices.ContainsFunc(tool.Results, changes), "no result has the method Change, from which an approval is made")
	lacks(len(tool.Aliases) == 0 && !tool.HostOnly && !tool.OptIn && !slices.Contains(withoutAliases[:], tool.Name),
		"Aliases: what other programs call such a tool; if none has one, add it to withoutAliases in commands_test.go")
	return missing
}

// withoutAliases are commands that no other program has under another name.
var withoutAliases = [...]string{"undo"}

// notShown are codes that no script of a command brings about: a tree of that size would be needed.
var notShown = map[string]answer.Code{"move": answer.CodeFileTooLarge}

// tree is what of the repository has something about each command.
type tree struct {
	readme, reference, policy string
	scripts                   map[string]string // by name
	faults, hostile, systems  string
	approvals, definitions    string
	effects                   map[string][]string // fields that lack a line, by command
}

func readTree(t *testing.T) *tree {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	x := &tree{readme: read("../README.md"), reference: read(referencePage), policy: read("../docs/policy.md"),
		faults:  read("../faults/scenarios_test.go"),
		hostile: read("../testscript/hostile/hostile_test.go"), systems: read("../testscript/systems/tables_linux_test.go"),
		approvals: read("approval_sweep_test.go"), definitions: read("testdata/schema/mcp.txt"), scripts: map[string]string{},
		effects: map[string][]string{}}
	for _, tool := range All() {
		x.effects[tool.Name] = lackEffects(t, tool)
	}
	files, err := filepath.Glob("../testscript/*/*.txtar")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d scripts: %v", len(files), err)
	}
	for _, file := range files {
		x.scripts[strings.TrimSuffix(filepath.Base(file), ".txtar")] = read(file)
	}
	return x
}

// unwritten is what the repository doesn't have about a command, and where it belongs.
func (x *tree) unwritten(tool command.Command) (missing []string) {
	lacks := func(isMissing bool, format string, args ...any) {
		if isMissing {
			missing = append(missing, fmt.Sprintf(format, args...))
		}
	}
	name, quoted := tool.Name, fmt.Sprintf("%q", tool.Name)
	lacks(requests[name] == "", "commands/samples_test.go: a request in requests, which succeeds in the workspace of filledEnv")
	lacks(len(x.effects[name]) > 0, "commands/samples_test.go: in effects, what the fields %s change", strings.Join(x.effects[name], ", "))
	mark := "<!-- generated: " + name + " -->"
	lacks(!strings.Contains(x.reference, mark), "docs/reference.md: a heading \"## %s\" with the lines %s and <!-- end -->", name, mark)
	lacks(!regexp.MustCompile("(?m)^\\|[^|]*`"+name+"`[^|]*\\|").MatchString(x.readme), "README.md: its row in the table of commands")
	lacks(!tool.HostOnly && !strings.Contains(x.definitions, `"name": `+quoted), "definitions, reference, man page and completions: go run ./packaging fresh")
	lacks(x.scripts[name] == "", "testscript: a script %s.txtar in the directory of its subject", name)
	for _, code := range tool.Codes {
		lacks(notShown[name] != code && !x.shows(name, string(code)), "testscript: a script that calls it and expects its error %s", code)
	}
	touches := tool.Writes || hasPath(tool)
	lacks(touches && !strings.Contains(x.hostile, quoted), "testscript/hostile/hostile_test.go: how it gets a path, in hostileVerbs")
	lacks(touches && !strings.Contains(x.systems, `"tool":`+quoted), "testscript/systems/tables_linux_test.go: a request in systemRequests")
	lacks(tool.Writes && !strings.Contains(x.policy, name), "docs/policy.md: its name in the row of allow_write or allow_delete")
	lacks(tool.Writes && !strings.Contains(x.faults, `"`+name), "faults/scenarios_test.go: a scenario")
	lacks(tool.Writes && !strings.Contains(x.approvals, quoted), "commands/approval_sweep_test.go: random requests of it")
	return missing
}

// shows reports whether a script calls a command and expects an error code.
func (x *tree) shows(cmd, code string) bool {
	calls := regexp.MustCompile(`(?m)fsbox(-\w+)?( --?[\w-]+([= ]\S+)?)* ` + cmd + `\b|"tool": ?"` + cmd + `"|^interfaces ` + cmd + `\b`)
	expects := regexp.MustCompile(`error["']?[: ]+["']?` + code + `\b|` + code + `:`)
	for _, text := range x.scripts {
		if expects.MatchString(text) && calls.MatchString(text) {
			return true
		}
	}
	return false
}

// hasPath reports whether a command names a file or a folder.
func hasPath(tool command.Command) bool {
	for _, f := range command.NewCall(tool).Fields {
		if f.IsPath() {
			return true
		}
	}
	return false
}

// sampled are the commands of which there is a request in requests: TestCommands tells the others.
func sampled() []command.Command {
	return slices.DeleteFunc(All(), func(tool command.Command) bool { return requests[tool.Name] == "" })
}
