package commands

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/hint"
	"fsbox/commands/request"

	"github.com/rogpeppe/go-internal/txtar"
)

// No answer to any request of the tables sends the caller to a tool that --tools leaves out, or
// names a field that no definition of this process has and that the request didn't have.
// With -short only two choices of tools are tried.
func TestAdviceCanBeFollowed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("hints have a tenth of a second, in which Wine looks at few files")
	}
	requests := tableRequests(t, "mistakes.table")
	requests = append(requests, tableRequests(t, "habits.table")...)
	all := [][]string{
		nil,
		{"--tools", "read"},
		{"--tools", "grep"},
		{"--tools", "edit"},
		{"--tools", "read,edit"},
		{"--tools", "glob,write"},
		{"--tools", "ls,patch,undo"},
		{"--tools", "info,append,move"},
		{"--tools=-ls,-edit,-write"},
		{"--tools=-grep,-glob,-read"},
		{"--tools", "grep", "--all-fields"},
		{"--tools", "read,write,delete", "--all-fields"},
	}
	every := 3
	switch {
	case testing.Short():
		every = 6
	case *everyCase:
		every = 1
	}
	for i := every - 1; i < len(all); i += every {
		flags := all[i]
		t.Run(strings.Join(flags, " "), func(t *testing.T) { sweep(t, flags, requests) })
	}
}

// tableRequest is a call of one of our tools, and the files of its workspace.
type tableRequest struct {
	where, tool, arguments string
	files                  []txtar.File
	fresh                  bool // the first of a section
}

// tableRequests reads the calls of a table.
func tableRequests(t *testing.T, name string) (all []tableRequest) {
	content, err := os.ReadFile(filepath.Join("..", "testscript", "requests", name))
	if err != nil {
		t.Fatal(err)
	}
	table, fresh, number := txtar.Parse(content), false, 0
	for line := range strings.Lines(string(table.Comment)) {
		number++
		tool, arguments, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case tool == "#":
			fresh = true
			continue
		case !ok || tool == "" || strings.ContainsAny(tool[:1], "\t/=>$"):
			continue
		}
		if _, ours, ok := strings.Cut(tool, "="); ok {
			tool = ours
		}
		all = append(all, tableRequest{fmt.Sprintf("%s:%d", name, number), tool, arguments, table.Files, fresh})
		fresh = false
	}
	return all
}

func sweep(t *testing.T, flags []string, requests []tableRequest) {
	root := filepath.Join(t.TempDir(), "ws")
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	open := []string{"--root", root, "--allow-write", "--allow-delete", "--no-fsync", "--no-backup"}
	c := startMCPNamed(t, "claude-code", append(open, flags...)...)
	v, seen := vocabularyOf(t, c, slices.Contains(flags, "--all-fields")), map[*regexp.Regexp]int{}
	for _, r := range requests {
		if r.fresh {
			for _, f := range r.files {
				if rest, ok := strings.CutPrefix(f.Name, "ws/"); ok {
					writeFile(t, filepath.Join(root, filepath.FromSlash(rest)), string(f.Data))
				}
			}
		}
		arguments := strings.ReplaceAll(r.arguments, "ROOT", filepath.ToSlash(root))
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, r.tool, arguments))
		for _, said := range advised(t, c.next(t)) {
			for _, kind := range advices {
				if kind.MatchString(said) {
					seen[kind]++
				}
			}
			if strings.HasPrefix(said, "hint: ") && needlessQuotes.MatchString(said) {
				t.Errorf("%s: %s %s: quotes around a name that needs none: %s", r.where, r.tool, r.arguments, said)
			}
			for _, wrong := range v.cannotFollow(r, said) {
				t.Errorf("%s: %s %s: names %s: %s", r.where, r.tool, r.arguments, wrong, said)
			}
		}
	}
	for _, kind := range advices {
		if flags == nil && seen[kind] < 10 {
			t.Errorf("only %d lines match %v: advised doesn't find them where the text form has them", seen[kind], kind)
		}
	}
}

// advices are the lines that a sweep has to see many of: hints, warnings, first and last notes.
var advices = []*regexp.Regexp{regexp.MustCompile("^hint: "), regexp.MustCompile("^warning: "),
	regexp.MustCompile(`^\[.*(continue with|there are more)`), regexp.MustCompile(`^\[(omitted|cut|no |nothing)`)}

// needlessQuotes are around a field: some hosts show each as \" or more.
var needlessQuotes = regexp.MustCompile(`"[a-z]+(_[a-z]+)+"([^:]|$)`)

// advised are the lines of an answer that come from fsbox, and are about what to do.
func advised(t *testing.T, line string) (all []string) {
	var answer struct {
		Result struct {
			IsError bool
			Content []struct{ Text string }
		}
		Error struct{ Message string }
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	all = append(all, answer.Error.Message)
	for _, c := range answer.Result.Content {
		lines := strings.Split(strings.TrimSuffix(c.Text, "\n"), "\n")
		for i, l := range lines {
			isNote := strings.HasPrefix(l, "[") && (i == 0 || i == len(lines)-1)
			if isNote || strings.HasPrefix(l, "hint: ") || strings.HasPrefix(l, "warning: ") || i == 0 && answer.Result.IsError {
				all = append(all, l)
			}
		}
	}
	return all
}

// vocabulary is what a client was told of, and what it wasn't.
type vocabulary struct {
	fields map[string]map[string][]string // of each of them, with their other names
	told   map[string][]string            // the fields that each defined tool has
}

func vocabularyOf(t *testing.T, c *pipedClient, all bool) *vocabulary {
	v := &vocabulary{fields: map[string]map[string][]string{}, told: map[string][]string{}}
	for _, one := range command.ForModels(All()) {
		v.fields[one.Name] = map[string][]string{}
		for _, f := range request.Fields(reflect.TypeOf(one.New()).Elem()) {
			v.fields[one.Name][f.Name] = f.Aliases
		}
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct {
					Properties map[string]struct {
						Items struct{ Properties map[string]any }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(c.next(t)), &list); err != nil || len(list.Result.Tools) == 0 {
		t.Fatal(err, list)
	}
	for _, tool := range list.Result.Tools {
		for name, p := range tool.InputSchema.Properties {
			v.told[tool.Name] = append(v.told[tool.Name], name)
			for inner := range p.Items.Properties {
				v.told[tool.Name] = append(v.told[tool.Name], inner)
			}
		}
	}
	return v
}

// sweepWord is a text in quotes, or a word.
var sweepWord = regexp.MustCompile(`"[^"]*"|[^\s",;:()?\[\]{}=.]+`)

// cannotFollow are the names in a text of tools that are left out, and of fields that aren't
// defined.
func (v *vocabulary) cannotFollow(r tableRequest, said string) (wrong []string) {
	last, isTool := "", func(word string, quoted bool) bool { return command.IsNamed(command.ForModels(All()), word, quoted) }
	if strings.HasSuffix(said, " is not available: the operator excluded it") {
		return nil // it names what was asked for
	}
	for _, name := range hint.ToolsIn(said, isTool) {
		if _, defined := v.told[name]; !defined && !strings.Contains(r.arguments, name) && !strings.Contains(said, "was "+name) {
			wrong = append(wrong, "the tool "+name)
		}
	}
	for _, word := range sweepWord.FindAllString(said, -1) {
		name := strings.Trim(word, `"`)
		quoted := len(name) != len(word)
		_, defined := v.told[name]
		isName := quoted || strings.Contains(name, "_") || name != "to" && (last == "set" || last == "with" || last == "without")
		if isName && !defined && v.hides(r.tool, name) && !strings.Contains(r.arguments, `"`+name+`"`) {
			wrong = append(wrong, "the field "+name)
		}
		last = word
	}
	return wrong
}

// hides reports whether a name is one of a field, and of none that is told.
func (v *vocabulary) hides(tool, name string) bool {
	if _, own := v.fields[tool][name]; own && v.told[tool] != nil {
		return !slices.Contains(v.told[tool], name)
	}
	is := false
	for other, fields := range v.fields {
		_, has := fields[name]
		is = is || has
		if slices.Contains(v.told[other], name) {
			return false
		}
	}
	return is
}
