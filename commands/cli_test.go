package commands

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/edit"
	"fsbox/commands/grep"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"

	"github.com/alecthomas/kong"
)

// declarations are all structs whose tags declare flags and keys.
func declarations() map[string]any {
	all := map[string]any{"settings": new(settings.Settings), "batch": new(cmdline.Batch)}
	for _, tool := range All() {
		all[tool.Name] = tool.New()
	}
	return all
}

var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Each field's tags make sense: its name, its help, its default, the words it takes.
func TestTags(t *testing.T) {
	for tool, filled := range declarations() {
		v := reflect.ValueOf(filled).Elem()
		for i := range v.NumField() {
			sf := v.Type().Field(i)
			if help := sf.Tag.Get("help"); help == "" || !strings.HasSuffix(help, ".") && !strings.HasSuffix(help, "...") &&
				!strings.HasSuffix(help, ").") {
				t.Errorf("%s: the help of %s is %q", tool, sf.Name, help)
			}
			for _, forbidden := range []string{"required", "env", "enum", "xor"} {
				if _, ok := sf.Tag.Lookup(forbidden); ok {
					t.Errorf("%s: %s has the tag %q, which acts before JSON is read", tool, sf.Name, forbidden)
				}
			}
			if sf.Type.Kind() == reflect.Slice && sf.Type.Elem().Kind() == reflect.String && sf.Tag.Get("sep") != "none" {
				t.Errorf("%s: %s would be cut at commas", tool, sf.Name)
			}
			if sf.Tag.Get("json") == "" {
				t.Errorf("%s: %s has no json tag", tool, sf.Name)
			}
		}
		fields := request.Fields(v.Type())
		request.SetDefaults(v, fields)
		given := map[string]bool{}
		for _, f := range fields {
			given[f.Name] = f.Need
			checkTags(t, tool, f, v.Field(f.Index))
		}
		if fail := request.CheckFields(v, fields, given, nil); tool != "settings" && fail != nil {
			t.Errorf("%s: its defaults are refused: %s", tool, fail.Message)
		}
		for _, method := range []string{"Validate", "BeforeApply", "AfterApply", "BeforeReset"} {
			if _, ok := reflect.TypeOf(filled).MethodByName(method); ok {
				t.Errorf("%s has a method %s, which kong calls before JSON is read", tool, method)
			}
		}
	}
}

func checkTags(t *testing.T, tool string, f request.Field, v reflect.Value) {
	t.Helper()
	if !f.Habit && !snakeCase.MatchString(f.Name) {
		t.Errorf("%s: %q is not snake case", tool, f.Name)
	}
	if f.Arg && v.Kind() != reflect.String {
		t.Errorf("%s: the positional %q is no string", tool, f.Name)
	}
	if f.Cap != "" && f.Cap != "results" && f.Cap != "output" && f.Cap != "context" {
		t.Errorf("%s: %q has the unknown cap %q", tool, f.Name, f.Cap)
	}
	if request.IsInteger(v.Kind()) && f.Type != request.DurationType && !f.HasDef {
		t.Errorf("%s: the number %q has no default, so it can't be omitted", tool, f.Name)
	}
	var words []string
	for _, allowed := range f.OneOf {
		if word, _, alias := strings.Cut(allowed, "="); !alias {
			words = append(words, word)
		}
	}
	for _, allowed := range f.OneOf {
		if _, means, alias := strings.Cut(allowed, "="); alias && !slices.Contains(words, means) {
			t.Errorf("%s: %q of %q means no word that is allowed", tool, allowed, f.Name)
		}
	}
	if words != nil && !slices.Contains(words, f.Def) {
		t.Errorf("%s: the default %q of %q is none of %v", tool, f.Def, f.Name, words)
	}
}

// No name means two fields, whether it is a name, an alias, a raw bytes field or a short flag.
func TestNamesAreUnique(t *testing.T) {
	for tool, filled := range declarations() {
		of := reflect.TypeOf(filled).Elem()
		taken := map[string]string{"json": "the global flag", "help": "the global flag", "version": "the global flag"}
		if tool != "settings" {
			for _, f := range settings.Fields() {
				taken[f.Name] = "the setting"
			}
		}
		take := func(name, by string) {
			name = strings.ReplaceAll(name, "-", "_")
			if other, ok := taken[name]; ok {
				t.Errorf("%s: %q is a name of %s and of %s", tool, name, other, by)
			}
			taken[name] = by
		}
		for _, f := range request.Fields(of) {
			take(f.Flag, f.Name)
			if f.IsPath() {
				take(f.Name+words.Base64Suffix, f.Name)
			}
			for _, alias := range f.Aliases {
				if strings.ReplaceAll(f.Flag, "-", "_") != alias { // in JSON it is an alias, as a flag the name
					take(alias, f.Name)
				}
			}
			if short := of.Field(f.Index).Tag.Get("short"); short != "" {
				take("short "+short, f.Name)
			}
		}
	}
	taken := map[string]bool{command.BatchName: true}
	for _, tool := range All() {
		for _, name := range append([]string{tool.Name}, tool.Aliases...) {
			name = words.Loose(name)
			if taken[name] {
				t.Errorf("the tool name %q is taken twice", name)
			}
			taken[name] = true
		}
		if !strings.HasSuffix(tool.Help, ".") {
			t.Errorf("%s: help %q", tool.Name, tool.Help)
		}
	}
}

// kong makes a flag of every field, by its own name, and a position of every positional.
func TestFlagsExist(t *testing.T) {
	for _, tool := range All() {
		var none struct{}
		k, err := kong.New(&none, kong.Vars{"version": ""}, kong.DynamicCommand(tool.Name, tool.Help, "", tool.New()))
		if err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		have := map[string]bool{}
		for _, flag := range k.Model.Children[0].Flags {
			have["--"+flag.Name] = true
		}
		for _, value := range k.Model.Children[0].Positional {
			have[value.Name] = true
		}
		for _, f := range request.Fields(reflect.TypeOf(tool.New()).Elem()) {
			name := "--" + f.Flag
			if f.Arg {
				name = f.Name
			}
			if !have[name] {
				t.Errorf("%s has no %s", tool.Name, name)
			}
		}
	}
}

// promisedAliases are names that models bring along from other tools: "TOOL name: alias ...", * for
// all tools.
const promisedAliases = `
* path: file_path filePath filepath dirPath dir_path dirpath filename notebook_path paths
* expected_text: old_text old_string oldString oldText old_str
* replacement_text: new_text new_string newString newText new_str
* replace_all: replaceAll allow_multiple
grep query: pattern
read max_lines: limit
grep max_matches: head_limit limit total_max_matches
grep glob: include include_pattern file_pattern
grep file_type: type
grep after: -A
grep before: -B
grep context: -C
grep whole_word: -w
ls max_entries: limit
patch patch: patchText patch_text input
* content: contents file_text text
`

func TestAliases(t *testing.T) {
	structs := declarations()
	delete(structs, "settings")
	structs["edit item"] = new(edit.Item)
	checked := 0
	for line := range strings.Lines(strings.TrimSpace(promisedAliases)) {
		head, aliases, _ := strings.Cut(strings.TrimSpace(line), ": ")
		tool, name, _ := strings.Cut(head, " ")
		for structName, filled := range structs {
			fields := request.Fields(reflect.TypeOf(filled).Elem())
			if !slices.Contains(request.Names(fields), name) || tool != "*" && tool != structName {
				continue
			}
			for alias := range strings.FieldsSeq(aliases) {
				checked++
				if f, _, ok := request.FindField(fields, alias); !ok || f.Name != name {
					t.Errorf("%s: %q doesn't mean %q", structName, alias, name)
				}
			}
		}
	}
	if checked < 70 {
		t.Errorf("only %d aliases were checked", checked)
	}
}

// promisedTools are names that models bring along from other programs. They are written down apart
// from the declarations, so that none goes away unnoticed.
var promisedTools = map[string]string{
	"read": "read_file file_read view cat Read", "write": "write_file file_write Write", "append": "append_file",
	"edit": "edit_file apply_text_edit multiedit MultiEdit replace str_replace",
	"ls":   "list_dir list_directory file_list list_files LS",
	"info": "get_path_info get_file_info", "grep": "search_text search grep_search rg", "mkdir": "create_directory",
	"copy": "copy_file", "move": "move_file rename", "delete": "delete_file file_delete remove",
	"glob": "find find_files Glob", "patch": "apply_patch ApplyPatch",
}

// Every name of a tool is found in each spelling, and an alias is no command on a command line.
func TestToolAliases(t *testing.T) {
	for name := range promisedTools {
		if _, ok := command.Find(All(), name); !ok {
			t.Errorf("there is no command %q", name)
		}
	}
	for _, tool := range All() {
		for _, alias := range slices.Concat([]string{tool.Name}, tool.Aliases, strings.Fields(promisedTools[tool.Name])) {
			joined := strings.ReplaceAll(alias, "_", "")
			for _, name := range []string{alias, strings.ToUpper(alias), strings.ReplaceAll(alias, "_", "-"), joined,
				strings.ToUpper(joined[:1]) + joined[1:]} {
				if found, ok := command.FindLoosely(All(), name); !ok || found.Name != tool.Name {
					t.Errorf("%q is %q, not %q", name, found.Name, tool.Name)
				}
			}
			if _, ok := command.Find(All(), alias); ok && alias != tool.Name {
				t.Errorf("%q is a command", alias)
			}
		}
	}
}

// The words that other tools use for output_mode are taken by grep.
func TestValueAliases(t *testing.T) {
	for word, means := range map[string]string{"content": "matches", "files_with_matches": "files", "count": "counts", "matches": "matches"} {
		tool, _ := command.Find(All(), "grep")
		c := command.NewCall(tool)
		o, _ := request.ParseObject(fmt.Appendf(nil, `{"query":"x","output_mode":%q}`, word))
		if fail := c.Decode(o); fail != nil {
			t.Fatal(fail)
		}
		fail := request.CheckFields(c.Value, c.Fields, c.Given, nil)
		if got := c.Request.(*grep.Request).OutputMode; fail != nil || got != means {
			t.Errorf("%q means %q, %v", word, got, fail)
		}
	}
}

// commandNames are all commands, as a hint lists them.
func commandNames() string {
	var all []string
	for _, tool := range All() {
		all = append(all, tool.Name)
	}
	return strings.Join(append(all, command.BatchName, command.MCPName), ", ")
}

func TestUnknownTool(t *testing.T) {
	for name, hint := range map[string]string{
		"raed": `did you mean "read"?`, "READ": `it is called "read" here`, "mcp__x__read_file": `it is called "read" here`,
		"bash":      "there is no shell, and no program is run; read, ls, glob and grep look at files; edit, patch and write change them",
		"greep":     `did you mean "grep"?`,
		"appendix":  `did you mean "append"?`,
		"something": "known tools: " + commandNames(),
	} {
		f := command.Unknown(name, All(), All(), command.BatchName, command.MCPName)
		if f.Code != answer.CodeUnknownTool || f.Hint != hint || f.Message != fmt.Sprintf("there is no tool %q", name) {
			t.Errorf("%q: %+v", name, f)
		}
	}
}
