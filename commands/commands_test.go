package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/samples"
)

// TestCommands asks each command, field and error code for all that belongs to it besides its code,
// and lists what is missing. The tests of each thing are elsewhere: this one tells what to add.
func TestCommands(t *testing.T) {
	t.Parallel()
	tree := readTree(t)
	missing := slices.Concat(tree.uncoded(), overweight(t), tooLong(t))
	for _, tool := range All() {
		missing = slices.Concat(missing, undeclared(tool), tree.unwritten(tool))
	}
	if !testing.Short() {
		missing = append(missing, withoutEffect(t)...)
	}
	if len(missing) > 0 {
		t.Errorf("%d things are missing:\n%s", len(missing), strings.Join(missing, "\n"))
	}
	if stale := stalePages(t); len(stale) > 0 {
		only := ""
		if len(missing) == 0 {
			only = "nothing else is missing; "
		}
		t.Errorf("%s%s: out of date: %s", only, strings.Join(stale, ", "), updateCommand)
	}
}

// frontPageWords is what README.md may have: what a person reads in five minutes.
const frontPageWords = 1200

// tooLong is README.md, with the rows that -update adds, if it has more words. It logs how many are
// left.
func tooLong(t *testing.T) (missing []string) {
	t.Helper()
	left := frontPageWords - len(strings.Fields(frontPage(t).text))
	t.Logf("README.md: %d of %d words are left", left, frontPageWords)
	if left < 0 {
		missing = append(missing, fmt.Sprintf("README.md, with a row for each command, has %d words more than its %d: shorten it by hand; "+
			"what isn't for a first reading belongs into docs", -left, frontPageWords))
	}
	return missing
}

// undeclared is what the declaration of a command lacks.
func undeclared(tool command.Command) (missing []string) {
	lacks := func(isMissing bool, format string, args ...any) {
		if isMissing {
			missing = append(missing, fmt.Sprintf("commands/%s/%[1]s.go: %s", tool.Name, fmt.Sprintf(format, args...)))
		}
	}
	lacks(tool.Help == "", "in Command, Help: \"Do it.\", one sentence for the list of commands")
	lacks(!tool.HostOnly && tool.Title == "", "in Command, Title: \"Do it\", what the user of an MCP client sees")
	lacks(tool.Text == "", "in Command, Text: what it does and when to use it, for people and models")
	lacks(len(tool.Examples) == 0, "in Command, Examples: []string{\"fsbox %s ...\"}, command lines", tool.Name)
	lacks(len(tool.Results) == 0, "in Command, Results: []answer.Result{(*Result)(nil)}, each type that Run returns")
	for _, r := range tool.Results {
		_, hasText := r.(answer.TextWriter)
		lacks(!hasText,
			"func (r *Result) WriteText(t *answer.Text, a answer.Answer), the text form of %T: go doc ./commands/answer Text", r)
	}
	changes := func(r answer.Result) bool { _, ok := r.(command.Changer); return ok }
	lacks(tool.Writes && !slices.ContainsFunc(tool.Results, changes),
		"func (r *Result) Change() command.Change, of one of its results: from it an approval is made")
	fields := reflect.TypeOf(tool.New()).Elem()
	for _, f := range command.NewCall(tool).Fields {
		lacks(request.TypeOf(f.Type).Name == "",
			"in Request, %s: a field can't be a %s: go doc ./commands/request Type has those that it can be", f.Name, f.Type)
		lacks(fields.Field(f.Index).Tag.Get("help") == "", "in Request, %s: the tag help:\"...\", for people and models", f.Name)
	}
	return missing
}

// overweight are the definitions of all tools, if they take more than a model should pay for. It
// logs how many bytes are left.
func overweight(t *testing.T) (missing []string) {
	t.Helper()
	for _, most := range mostDefined {
		left := most.bytes - definedBytes(t, most.permissions)
		which := "that only read"
		if most.permissions.AllowWrite {
			which = "with every permission"
		}
		t.Logf("the definitions of the tools %s: %d of %d bytes are left", which, left, most.bytes)
		if left < 0 {
			missing = append(missing, fmt.Sprintf("the definitions of the tools %s take %d bytes more than their %d: set the tag rare on a field "+
				"that a model hardly ever needs, OptIn in the declaration of a command that few need, or shorten Text and help",
				which, -left, most.bytes))
		}
	}
	return missing
}

// notShown are codes that no script of a command brings about: a tree of that size would be needed.
var notShown = map[string]answer.Code{"move": answer.CodeFileTooLarge}

// tree is what of the repository has something about each command.
type tree struct {
	faults, hostile, approvals, otherNames string
	codes, documented                      string              // the page of codes, and the same with the rows that -update adds
	scripts                                map[string]string   // by name
	effects, unmarked                      map[string][]string // fields that lack a line, or a place in a fingerprint
	declaredCodes                          []answer.Code
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
	x := &tree{faults: read("../faults/scenarios_test.go"),
		hostile: read("../testscript/hostile/hostile_test.go"), approvals: read("approval_sweep_test.go"),
		otherNames: read("hint/tools.txt"), codes: read("../docs/codes.md"), scripts: map[string]string{},
		effects: map[string][]string{}, unmarked: map[string][]string{}}
	x.documented = withCodes(x.codes, readRepository(t, failureFile))
	for _, tool := range All() {
		x.effects[tool.Name], x.unmarked[tool.Name] = lackEffects(t, tool), unmarked(t, tool)
	}
	for name, of := range declared(t, "answer") {
		if of == "Code" {
			x.declaredCodes = append(x.declaredCodes, codeOf(t, name))
		}
	}
	slices.Sort(x.declaredCodes)
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
	const inEffects = "commands/effects_test.go: in "
	lacks(!tool.HostOnly && len(tool.Aliases) == 0 && !strings.Contains(x.otherNames, quoted),
		"commands/%s/%[1]s.go: in Command, Aliases: []string{...}, what other programs call such a tool; or a line in commands/hint/tools.txt "+
			"with a hint that says %[2]s", name, quoted)
	lacks(samples.Requests[name] == "",
		"commands/samples/samples.go: in Requests, %s: `{...}`, a request that succeeds where there are the files file and dir/file", quoted)
	lacks(!tool.HostOnly && searched[name] == "",
		inEffects+"searched, %s: words that the first 160 characters of its Text have", quoted)
	first := strings.ToLower(tool.Text[:min(len(tool.Text), 160)]) // hosts search there, and some show no more
	for word := range strings.FieldsSeq(searched[name]) {
		lacks(!strings.Contains(first, word), "commands/%s/%[1]s.go: in Command, Text: its first 160 characters have no %q, by which, as "+
			inEffects+"searched, somebody may search it", name, word)
	}
	for _, field := range x.effects[name] {
		lacks(true,
			inEffects+"effects, a line \"%s %s {...} => VALUE\": a request, and a value of the field with which its answer is "+
				"another one", name, field)
	}
	for _, field := range x.unmarked[name] {
		lacks(true,
			"commands/%s: in Fingerprint of its Request, the field %s; or "+inEffects+"samePage, why a cursor is good for any "+
				"value of it", name, field)
	}
	lacks(x.scripts[name] == "",
		"testscript: a script %s.txtar in the directory of its subject; go doc ./testscript has what it can say", name)
	for _, code := range tool.Codes {
		lacks(notShown[name] != code && !x.shows(name, string(code)),
			"testscript: in a script, a line \"! fsbox %s ...\" and after it \"json .error %s\"", name, code)
	}
	lacks((tool.Writes || hasOtherPath(tool)) && !strings.Contains(x.hostile, quoted),
		"testscript/hostile/hostile_test.go: in hostileCommands, how %s gets a path", quoted)
	lacks(tool.Writes && !strings.Contains(x.faults, `"`+name), "faults/scenarios_test.go: a scenario of %s", quoted)
	lacks(tool.Writes && !strings.Contains(x.approvals, quoted), "commands/approval_sweep_test.go: random requests of %s", quoted)
	return missing
}

// uncoded is what the repository doesn't have about an error code, and where it belongs; and each
// code that a script expects and that isn't one.
func (x *tree) uncoded() (missing []string) {
	expected := regexp.MustCompile(`(?m)^(?:\[[^\]]*\] *)*json (?:-line \d+ )?\.?error '?([a-z_]+)'?\s*$`)
	shown, known := map[string]bool{}, map[string]bool{}
	for name, text := range x.scripts {
		lines, _, _ := strings.Cut(text, "\n-- ") // after them come the files of the script
		for _, m := range expected.FindAllStringSubmatch(lines, -1) {
			shown[m[1]] = true
			if !slices.Contains(x.declaredCodes, answer.Code(m[1])) {
				missing = append(missing, fmt.Sprintf("%s.txtar expects the error %s, and there is no such code", name, m[1]))
			}
		}
	}
	for _, g := range answer.CodeGroups() {
		for _, code := range g.Codes {
			known[string(code)] = g.OfAll || slices.ContainsFunc(All(), func(tool command.Command) bool { return slices.Contains(tool.Codes, code) })
		}
	}
	for _, code := range x.declaredCodes {
		lacks := func(isMissing bool, what string) {
			if isMissing {
				missing = append(missing, string(code)+": "+what)
			}
		}
		declared, grouped := known[string(code)]
		lacks(!grouped,
			"commands/answer/failure.go: its constant in a line of CodeGroups; in IsRetryable there, if the same request may succeed later")
		lacks(grouped && !declared,
			"commands/NAME/NAME.go of the command that answers with it: in Command, Codes: []answer.Code{...}, its constant")
		lacks(!rowOfCode(string(code)).MatchString(x.documented),
			"commands/answer/failure.go: beside its constant, // and what it means: -update makes a row "+
				"in docs/codes.md of it")
		lacks(!shown[string(code)],
			"testscript: in a script of that command, \"! fsbox ...\", \"status 1\", \"json .error "+string(code)+"\" and "+
				"\"json .hint '...'\"")
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(x.codes, -1) {
		if !slices.Contains(x.declaredCodes, answer.Code(row[1])) {
			missing = append(missing, "docs/codes.md promises the code "+row[1]+", and commands/answer/failure.go has none: callers may wait for it")
		}
	}
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

// hasOtherPath reports whether a path has another name than usual.
func hasOtherPath(tool command.Command) bool {
	return slices.ContainsFunc(command.NewCall(tool).Fields, func(f request.Field) bool { return f.IsPath() && f.Name != "path" })
}

// sampled are the commands of which there is a request in requests: TestCommands tells the others.
func sampled() []command.Command {
	return slices.DeleteFunc(All(), func(tool command.Command) bool { return samples.Requests[tool.Name] == "" })
}
