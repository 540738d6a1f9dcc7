package commands

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
)

// Every command has examples, and each is a command line that is understood.
func TestExamples(t *testing.T) {
	for _, cmd := range append(command.Names(All()), command.BatchName) {
		all := cmdline.About(OfLine(), cmd).Examples
		if len(all) == 0 {
			t.Errorf("%s has no example", cmd)
		}
		for _, example := range all {
			args := shellWords(t, example)
			inv, fail := cmdline.Parse(args, All(), io.Discard)
			switch {
			case fail != nil:
				t.Errorf("%s: %s, %s", example, fail.Message, fail.Hint)
			case args[0] != cmd:
				t.Errorf("%s is an example of %s", example, cmd)
			case inv.Call == nil || inv.Call.LacksArgument(): // it comes on stdin
				if !strings.Contains(example, "| fsbox") && !strings.Contains(example, "<") {
					t.Errorf("%s lacks an argument", example)
				}
			default:
				if fail := request.CheckFields(inv.Call.Value, inv.Call.Fields, inv.Call.Given, nil); fail != nil {
					t.Errorf("%s: %s", example, fail.Message)
				}
			}
		}
	}
}

// shellWords gives the arguments of fsbox in a line for the shell, with no more of its grammar than
// the examples need.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	_, line, found := strings.Cut(line, "fsbox ")
	if !found {
		t.Fatalf("%q doesn't call fsbox", line)
	}
	line, _, _ = strings.Cut(line, " <")
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

// Help shows the default of every flag and argument that has one.
func TestHelpShowsDefaults(t *testing.T) {
	for _, tool := range All() {
		var out strings.Builder
		if _, fail := cmdline.Parse([]string{tool.Name, "--help"}, All(), &out); fail != nil {
			t.Fatal(fail)
		}
		if tool.Name == "check" { // and of every setting
			if _, fail := cmdline.Parse([]string{"help", cmdline.FlagsPage}, All(), &out); fail != nil {
				t.Fatal(fail)
			}
		}
		help := strings.Join(strings.Fields(out.String()), " ")
		fields := command.NewCall(tool).Fields
		if tool.Name == "check" {
			fields = settings.Fields()
		}
		for _, f := range fields {
			shown := "Default: " + f.Def + "."
			switch {
			case f.Def == "" || f.Def == "0":
				continue
			case f.Def == "." && f.Name == "root":
				shown = "Default: the current directory."
			case f.Def == ".":
				shown = "Default: the root."
			}
			_, of, _ := strings.Cut(help, "--"+f.Flag+"=")
			if f.Kind == reflect.Bool {
				_, of, _ = strings.Cut(help, "--[no-]"+f.Flag+" ")
			}
			of, _, _ = strings.Cut(of, " --")
			if f.Arg {
				_, of, _ = strings.Cut(help, "Arguments:")
				of, _, _ = strings.Cut(of, "Flags:")
			}
			if !strings.Contains(of, shown) && !strings.Contains(of, "("+f.Def+")") && !strings.Contains(of, f.Def+" (default)") {
				t.Errorf("%s: the help of %s doesn't show %q: %s", tool.Name, f.Name, f.Def, of)
			}
		}
	}
}
