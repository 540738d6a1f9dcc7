package cmdline_test

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fsbox/commands"
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/edit"
	"fsbox/commands/grep"
	"fsbox/commands/mkdir"
	"fsbox/commands/read"
	"fsbox/commands/request"
	"fsbox/commands/samples"
	"fsbox/commands/settings"
	"fsbox/commands/version"
	"fsbox/commands/write"
)

// described gives all that a command line came to, in a form that can be compared and read.
func described(inv *cmdline.Line) string {
	var b strings.Builder
	fmt.Fprintf(&b, "settings %+v\nstdin %v done %v\ngiven:", inv.Settings, inv.Stdin, inv.Done)
	for _, f := range settings.Fields() {
		if inv.Given[f.Name] {
			fmt.Fprintf(&b, " %s", f.Name)
		}
	}
	b.WriteByte('\n')
	if inv.JSON != nil {
		fmt.Fprintf(&b, "json %q\n", *inv.JSON)
	}
	if inv.Batch != nil {
		fmt.Fprintf(&b, "batch %+v\n", *inv.Batch)
	}
	if inv.MCP != nil {
		fmt.Fprintf(&b, "mcp %+v\n", *inv.MCP)
	}
	if inv.Call != nil {
		fmt.Fprintf(&b, "%s given %v\n", inv.Call.Command.Name, inv.Call.Given)
		for i := range inv.Call.Value.NumField() {
			v := inv.Call.Value.Field(i)
			if v.Kind() == reflect.Pointer && !v.IsNil() {
				v = v.Elem()
			}
			fmt.Fprintf(&b, "  %s %#v\n", inv.Call.Value.Type().Field(i).Name, v.Interface())
		}
	}
	return b.String()
}

// compareWithKong holds what ParsePlain made of a command line against what kong makes of it.
func compareWithKong(t *testing.T, args []string, all ...command.Command) (taken bool) {
	t.Helper()
	if len(all) == 0 {
		all = commands.All()
	}
	plain, ok := cmdline.ParsePlain(args, all)
	if !ok {
		return false
	}
	kong, fail := cmdline.ParseWithKong(args, all)
	if fail != nil {
		t.Errorf("%q: ParsePlain takes it, kong refuses: %s", args, fail.Message)
		return true
	}
	if got, want := described(plain), described(kong); got != want {
		t.Errorf("%q\nParsePlain:\n%s\nkong:\n%s", args, got, want)
	}
	return true
}

// goodValue is a value that a field takes, whose Go type, with its pointer, is one of
// samples.EveryKind; "" if none is.
func goodValue(f request.Field, t reflect.Type) string {
	if len(f.OneOf) > 0 {
		return f.OneOf[len(f.OneOf)-1]
	}
	every := reflect.TypeFor[samples.EveryKind]()
	fields := request.Fields(every)
	for _, kind := range samples.Kinds() {
		of, _, _ := request.FindField(fields, kind.Field)
		if samples.KindName(every.Field(of.Index).Type) == samples.KindName(t) {
			_, value, _ := strings.Cut(kind.Flag, "=")
			return value
		}
	}
	return ""
}

// TestPlainTakesEveryKind: a value of each type that fields can have, except lists, is read without
// kong, and as kong reads it, and a wrong one isn't.
func TestPlainTakesEveryKind(t *testing.T) {
	cmd := samples.KindsCommand()
	for _, kind := range samples.Kinds() {
		f, _, _ := request.FindField(command.NewCall(cmd).Fields, kind.Field)
		taken := compareWithKong(t, []string{cmd.Name, kind.Flag}, cmd)
		if flag, value, valued := strings.Cut(kind.Flag, "="); valued && f.Kind != reflect.Bool {
			taken = compareWithKong(t, []string{cmd.Name, flag, value}, cmd) && taken
		}
		if isList := f.Kind == reflect.Slice; taken == isList {
			t.Errorf("%s is read without kong: %v", kind.Flag, taken)
		}
		if _, ok := cmdline.ParsePlain([]string{cmd.Name, "--" + f.Flag + "=?"}, []command.Command{cmd}); ok && f.Kind != reflect.String {
			t.Errorf("--%s=? is taken", f.Flag)
		}
	}
}

// Every flag that takes one value, and every switch, is read without kong, and as kong reads it.
// kong's model takes milliseconds to build, so it reads all flags of a command in one line; the
// settings, which are the same for all commands, with the first one.
func TestPlainTakesEveryFlag(t *testing.T) {
	set := reflect.TypeFor[settings.Settings]()
	for i, tool := range commands.All() {
		lines := [3][]string{{tool.Name}, {tool.Name}, {tool.Name}}
		for _, of := range []reflect.Type{set, reflect.TypeOf(tool.New()).Elem()} {
			for _, f := range request.Fields(of) {
				if f.Arg || f.Kind == reflect.Slice || of == set && i > 0 {
					continue
				}
				flag, value := "--"+f.Flag, goodValue(f, of.Field(f.Index).Type)
				if value == "" && f.Kind != reflect.Bool {
					t.Errorf("%s %s: samples.Kinds has no value of its type", tool.Name, flag)
				}
				one := [][]string{{flag, value}, {flag + "=" + value}, {flag + "="}}
				if f.Kind == reflect.Bool {
					one = [][]string{{flag}, {flag + "=false"}}
				}
				for n, args := range one {
					_, taken := cmdline.ParsePlain(append([]string{tool.Name}, args...), commands.All())
					if taken {
						lines[n] = append(lines[n], args...)
					} else if n < 2 {
						t.Errorf("%s %q is left to kong", tool.Name, args)
					}
				}
			}
		}
		for _, args := range lines {
			if !compareWithKong(t, args) {
				t.Errorf("%q is left to kong", args)
			}
		}
	}
}

// The lines that programs write most are never left to kong, whose model takes longer to build than
// they take to answer.
func TestPlainTakesCommonLines(t *testing.T) {
	for _, line := range []string{
		"batch", "batch --max-calls 5", "mcp --root d --structured", "info", "info x", "ls", "ls src --recursive", "check", "mkdir a/b",
		"read x", "read x --start-line 5", "read x --start-line=-5", "read x --start-line -5", "read --path x", "read -- -x", "grep q -i",
		"grep q -C 2", "read x --limit 5", "write x --content-file f", "mkdir x --no_parents", "grep q --case-sensitive=false",
		"read x --start-line 5 --max-lines=10 --line-numbers",
		"--root d read x", "-C d read x", "read x -C d", "read x --root=d", "-C d grep q",
		"grep q", "grep q p", "grep q p --use-regex --max-matches 5", "grep --query-less",
		"write -", "read -", "grep -", "check -", "- read",
		"--root d edit --json {}", "edit --json={}", `read --json {"path":"x"}`, "--json {} read", "read --json=-",
		"--allow-write write x --content y --mode overwrite", "write x --content=--y --if-match e",
		"mkdir x --no-parents", "mkdir x --parents", "grep q --no-case-sensitive", "write x --content y --no-create-parents --no-diff",
	} {
		args := strings.Fields(line)
		taken := compareWithKong(t, args)
		if want := line != "grep --query-less" && line != "- read"; taken != want {
			t.Errorf("ParsePlain takes %q: %v, want %v", line, taken, want)
		}
	}
}

// What kong alone can read, or has to refuse, is left to it.
func TestPlainLeavesTheRest(t *testing.T) {
	for _, line := range []string{
		"", "help", "man", "mcp x", "batch --json {}", "nonsense", "--help", "read --help", "read x --version", "read x y", "read --no-such-flag",
		"read -x",
		"read x --start-line", "read x --start-line five", "read x --start-line 5 --start-line 6",
		"grep q --glob *.go", "mkdir x --no-parents --parents",
		"mkdir x --no-parents=true",
		"read x --no-raw",
		"grep q -", "grep - p", "grep - -", "check - -", "check x", "read - --start-line 5", "read x --json {}", "edit x --edits []",
		"ls --deny x", "ls --timeout soon", "ls --max-read-bytes 5KB",
	} {
		if _, ok := cmdline.ParsePlain(strings.Fields(line), commands.All()); ok {
			t.Errorf("ParsePlain takes %q", line)
		}
	}
}

// oddValues are values that one of two parsers might read in its own way.
var oddValues = []string{"", "-", "--", "-x", "a b", "=", "a=b", "a,b", `a\,b`, "'a'", `"a"`, "\xff", "é", "a\nb", "${default}", "@f", "~",
	"010", "0x10", "0b1", "1_000", "2e2", "200.0", "1.5", "+5", " 5", "-5", "9223372036854775807", "9223372036854775808", "9007199254740993.0",
	"true", "false", "no", "10s", "10", "1h1m", "64KiB", "64 KiB", "read", "grep", "batch", "help", "null", "[]", `{"path":"x"}`, "--root",
	"-C"}

// randomLine makes a command line out of a tool's own flags, the settings and odd values, in any
// order.
func randomLine(r *rand.Rand) []string {
	tools := commands.All()
	tool := tools[r.IntN(len(tools))]
	var before, after []string
	for range r.IntN(3) {
		before = append(before, randomFlag(r, reflect.TypeFor[settings.Settings]())...)
	}
	for range r.IntN(5) {
		switch r.IntN(8) {
		case 0, 1:
			after = append(after, randomFlag(r, reflect.TypeFor[settings.Settings]())...)
		case 2, 3, 4:
			after = append(after, randomFlag(r, reflect.TypeOf(tool.New()).Elem())...)
		case 5:
			after = append(after, oddValues[r.IntN(len(oddValues))])
		default:
			after = append(after, "some/path")
		}
	}
	switch r.IntN(12) {
	case 0:
		after = append(after, "--json", `{"path":"x"}`)
	case 1:
		before = append(before, "--json="+oddValues[r.IntN(len(oddValues))])
	case 2:
		after = append(after, "-")
	case 3:
		before = append(before, "-C", "dir")
	case 4:
		after = append(after, "-C", "dir")
	}
	return slices.Concat(before, []string{tool.Name}, after)
}

func randomFlag(r *rand.Rand, of reflect.Type) []string {
	fields := request.Fields(of)
	if len(fields) == 0 {
		return nil
	}
	f := fields[r.IntN(len(fields))]
	value := goodValue(f, of.Field(f.Index).Type)
	if r.IntN(3) == 0 {
		value = oddValues[r.IntN(len(oddValues))]
	}
	switch {
	case f.Kind == reflect.Bool && r.IntN(4) > 0:
		return []string{"--" + f.Flag}
	case r.IntN(2) == 0:
		return []string{"--" + f.Flag + "=" + value}
	}
	return []string{"--" + f.Flag, value}
}

var plainLines = flag.Int("plain-lines", 1000, "random command lines that are read with kong and without; .ci/sweep takes 4,000")

func TestPlainAgreesWithKong(t *testing.T) {
	lines := sized(*plainLines)
	r := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range lines {
		if compareWithKong(t, randomLine(r)) {
			taken++
		}
		if t.Failed() {
			return // one line is enough to look at
		}
	}
	if taken < lines/4 {
		t.Errorf("ParsePlain took %d of %d lines: too few to show anything", taken, lines)
	}
}

// Other ways to write a command line come to the same as the plain one.
func TestOtherSpellings(t *testing.T) {
	for _, tt := range []struct{ line, plain string }{
		{"read x --start_line 5", "read x --start-line 5"},
		{"read x --limit 5", "read x --max-lines 5"},
		{"read --path x", "read x"},
		{"read --file_path=x", "read x"},
		{"read --file-path x", "read x"},
		{"read --path-base64 eA==", "read x"},
		{"read --path_base64=eA==", "read x"},
		{"read --path-base64 Yf8=", "read a\xff"},
		{"read --path=a\xff", "read a\xff"},
		{"read a\xff --limit 5", "read a\xff --max-lines 5"},
		{"read -- x", "read x"},
		{"read x --max_lines 010", "read x --max-lines 010"},
		{"read x --max_lines 2e2", "read x --max-lines 2e2"},
		{"read x --limit 9007199254740991", "read x --max-lines 9007199254740991"},
		{"ls -Cd x", "ls x --root d"},
		{"-Cd ls x", "--root d ls x"},
		{"ls --max_results=5 x", "ls --max-results 5 x"},
		{"--max_results 5 ls x", "--max-results 5 ls x"},
		{"grep --pattern q --path p", "grep q p"},
		{"grep --query=q p", "grep q p"},
		{"grep q -A 1 -B 2 -C 3", "grep q --after 1 --before 2 --context 3"},
		{"grep q --head-limit 3 -w", "grep q --max-matches 3 --whole-word"},
		{"edit x --old_string a --new-string b --replaceAll", "edit x --expected-text a --replacement-text b --replace-all"},
		{"edit x --oldString a --newString=b", "edit x --expected-text a --replacement-text b"},
		{"write x --file_text a\xff", "write x --content a\xff"},
		{"mkdir x --parents=true", "mkdir x --parents"},
	} {
		want, ok := cmdline.ParsePlain(strings.Split(tt.plain, " "), commands.All())
		if !ok {
			t.Errorf("%q is not plain", tt.plain)
			continue
		}
		args := strings.Split(tt.line, " ")
		got, fail := cmdline.Parse(args, commands.All(), io.Discard)
		if fail != nil {
			t.Errorf("%q: %s", tt.line, fail.Message)
			continue
		}
		compareWithKong(t, args)
		if described(got) != described(want) {
			t.Errorf("%q\n%s\n%q\n%s", tt.line, described(got), tt.plain, described(want))
		}
	}
}

// Lists and switches that are turned off are for kong alone.
func TestKongValues(t *testing.T) {
	for _, tt := range []struct {
		args []string
		get  func(r command.Request) any
		want any
	}{
		{[]string{"grep", "q", "--glob", "*.{a,b}", "--glob=c\xff"}, func(r command.Request) any { return r.(*grep.Request).Glob },
			[]string{"*.{a,b}", "c\xff"}},
		{[]string{"grep", "q", "--no-case-sensitive"}, func(r command.Request) any { return r.(*grep.Request).CaseSensitive }, false},
		{[]string{"grep", "q", "--case-sensitive=false"}, func(r command.Request) any { return r.(*grep.Request).CaseSensitive }, false},
		{[]string{"grep", "q", "-i"}, func(r command.Request) any { return r.(*grep.Request).IgnoreCase }, true},
		{[]string{"mkdir", "x", "--no-parents"}, func(r command.Request) any { return r.(*mkdir.Request).Parents }, false},
		{[]string{"mkdir", "x", "--parents=false"}, func(r command.Request) any { return r.(*mkdir.Request).Parents }, false},
		{[]string{"write", "x", "--content", "- item"}, func(r command.Request) any { return *r.(*write.Request).Content }, "- item"},
		{[]string{"write", "x", "--content", "---\ntitle: x\n"}, func(r command.Request) any { return *r.(*write.Request).Content },
			"---\ntitle: x\n"},
		{[]string{"grep", "q", "-A", "-1"}, func(r command.Request) any { return r.(*grep.Request).After }, int64(-1)},
		{[]string{"grep", "--query=-x"}, func(r command.Request) any { return r.(*grep.Request).Query }, "-x"},
		{[]string{"grep", "--", "-x"}, func(r command.Request) any { return r.(*grep.Request).Query }, "-x"},
		{[]string{"read", "x", "--limit", "1", "--start-line=-10"}, func(r command.Request) any { return r.(*read.Request).StartLine },
			int64(-10)},
		{[]string{"write", "x", "--content-file", "-"}, func(r command.Request) any { return r.(*write.Request).ContentFile }, "-"},
		{[]string{"edit", "x", "--edits", `[{"old_str":"a","new_str":"b"}]`},
			func(r command.Request) any { return *r.(*edit.Request).Edits[0].ExpectedText },
			"a"},
	} {
		inv, fail := cmdline.Parse(tt.args, commands.All(), io.Discard)
		if fail != nil {
			t.Errorf("%q: %s", tt.args, fail.Message)
		} else if got := tt.get(inv.Call.Request); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %#v, want %#v", tt.args, got, tt.want)
		}
	}
}

// A field that no flag gives has the same default whichever way it is called.
func TestDefaultsAreThoseOfJSON(t *testing.T) {
	for _, tool := range commands.All() {
		inv, fail := cmdline.ParseWithKong([]string{tool.Name}, commands.All())
		if fail != nil {
			t.Fatalf("%s: %s", tool.Name, fail.Message)
		}
		byJSON := command.NewCall(tool)
		if fail := byJSON.Decode(request.Object{}); fail != nil {
			t.Fatalf("%s: %s", tool.Name, fail.Message)
		}
		if !reflect.DeepEqual(inv.Call.Request, byJSON.Request) {
			t.Errorf("%s: flags give %+v, JSON gives %+v", tool.Name, inv.Call.Request, byJSON.Request)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct {
		line, message, hint string
		code                answer.Code
	}{
		{"", "no command given", "see fsbox --help", answer.CodeInvalidInput},
		{"--root d", "no command given", "see fsbox --help", answer.CodeInvalidInput},
		{"--nope read x", "unknown flag --nope", "see fsbox --help", answer.CodeInvalidInput},
		{"--nope", "unknown flag --nope", "see fsbox --help", answer.CodeInvalidInput},
		{"-x", "unknown flag -x", "see fsbox --help", answer.CodeInvalidInput},
		{"--rot=d ls", "unknown flag --rot", "did you mean --root?", answer.CodeInvalidInput},
		{"--max-lines 1 read x", "--max-lines must come after the command",
			"write fsbox read --max-lines", answer.CodeInvalidInput},
		{"--root d --glob=*.go grep x", "--glob must come after the command",
			"write fsbox grep --glob", answer.CodeInvalidInput},
		{"-A 1 grep x", "-A must come after the command", "write fsbox grep -A",
			answer.CodeInvalidInput},
		{"mcp /home/me/project", `unexpected argument "/home/me/project"`,
			"the workspace is one directory, set with --root: fsbox mcp --root DIR", answer.CodeInvalidInput},
		{"batch project", `unexpected argument "project"`, "requests are read from standard input; the workspace is set with --root",
			answer.CodeInvalidInput},
		{"read --json {} --json {}", "--json is given twice", "send several requests on standard input", answer.CodeInvalidInput},
		{"read --json={} --timeout=1s --json={}", "--json is given twice", "send several requests on standard input", answer.CodeInvalidInput},
		{"--json {} read --json {}", "--json is given twice", "send several requests on standard input", answer.CodeInvalidInput},
		{"read x --start-line", "--start-line needs a value", `use --start-line=-x for a value that starts with a dash`, answer.CodeInvalidInput},
		{"read x --encoding --raw", "--encoding needs a value", `use --encoding=-x for a value that starts with a dash`, answer.CodeInvalidInput},
		{"grep -A -B x", "--after needs a value", `use --after=-x for a value that starts with a dash`, answer.CodeInvalidInput},
		{"read x --max-lines 99999999999999999999", `--max-lines: expected an integer of at most 15 digits but got "99999999999999999999"`,
			"see fsbox read --help", answer.CodeInvalidInput},
		{"raed x", `unknown command "raed"`, `did you mean "read"?`, answer.CodeUnknownTool},
		{"read_file x", `unknown command "read_file"`, `it is called "read" here`, answer.CodeUnknownTool},
		{"read x --limit 3 --max-lines 4", "--max-lines is given twice", "", answer.CodeInvalidInput},
		{"read x --raw --raw", "--raw is given twice", "", answer.CodeInvalidInput},
		{"read - --json {}", "--json and standard input are mutually exclusive", "", answer.CodeInvalidInput},
		{"read x --start-lin 5", "unknown flag --start-lin", `did you mean "--start-line"?`, answer.CodeInvalidInput},
		{"read x --start-line five", `--start-line: expected an integer but got "five"`, "see fsbox read --help", answer.CodeInvalidInput},
		{"grep x -C src", `--context: expected an integer but got "src"`,
			"the root is set with --root, or with -C before the command; after it, -C is --context", answer.CodeInvalidInput},
		{"read x --limit 0x10", `--max-lines: expected an integer but got "0x10"`, "see fsbox read --help", answer.CodeInvalidInput},
		{"read x --max-lines 1.5", `--max-lines: expected an integer but got "1.5"`, "see fsbox read --help", answer.CodeInvalidInput},
		{"read --path-base64 *", `"--path-base64" is not base64`, "", answer.CodeInvalidInput},
		{"read - x", "", "", answer.CodeInvalidInput},
		{"grep - x", `"-" means requests on standard input and can't be an argument`, `a file called "-" is "./-"`, answer.CodeInvalidInput},
		{"grep - -", `"-" means requests on standard input and can't be an argument`, `a file called "-" is "./-"`, answer.CodeInvalidInput},
		{"read - --start-line 5", "flags and a JSON request are mutually exclusive",
			"put everything in the JSON object; settings such as --root work with both", answer.CodeInvalidInput},
		{"read x --json {}", "flags and a JSON request are mutually exclusive",
			"put everything in the JSON object; settings such as --root work with both", answer.CodeInvalidInput},
		{"edit x --edits {\"a\":1}", `--edits: in "edits[0]": unknown field "a"`, "see fsbox edit --help", answer.CodeInvalidInput},
		{"edit x --edits [\"\xff\"]", "--edits: expected a JSON array of edits", "see fsbox edit --help", answer.CodeInvalidInput},
		{"edit x --edits [7]", `--edits: "edits[0]" must be an object, not a number`, "see fsbox edit --help", answer.CodeInvalidInput},
	} {
		_, fail := cmdline.Parse(strings.Fields(tt.line), commands.All(), io.Discard)
		switch {
		case fail == nil:
			t.Errorf("%q: no failure", tt.line)
		case fail.Code != tt.code || tt.message != "" && (fail.Message != tt.message || fail.Hint != tt.hint):
			t.Errorf("%q: %s %q, hint %q", tt.line, fail.Code, fail.Message, fail.Hint)
		}
	}
}

// Help and version are printed for people; nothing runs then.
func TestHelp(t *testing.T) {
	for _, tt := range []struct{ line, shows string }{
		{"--help", "Usage: fsbox <command>"},
		{"help", "Usage: fsbox <command>"},
		{"--version", version.Info().Version},
		{"read --help", "Usage: fsbox read [<path>] [flags]"},
		{"help read", "Usage: fsbox read [<path>] [flags]"},
		{"batch --help", "--max-calls=N"},
	} {
		var out strings.Builder
		inv, fail := cmdline.Parse(strings.Fields(tt.line), commands.All(), &out)
		if fail != nil || !inv.Done {
			t.Errorf("%q: %+v, %v", tt.line, inv, fail)
		}
		if !strings.Contains(out.String(), tt.shows) {
			t.Errorf("%q doesn't show %q:\n%s", tt.line, tt.shows, out.String())
		}
	}
}

// The groups of help have one order, whichever place a command has among all.
func TestHelpGroups(t *testing.T) {
	all := commands.OfLine()
	slices.Reverse(all)
	var out strings.Builder
	if _, fail := cmdline.Parse([]string{"--help"}, all, &out); fail != nil {
		t.Fatal(fail.Message)
	}
	last := -1
	for _, group := range []string{"Look", "Change", "Set up", "Serve", "Flags:"} {
		at := strings.Index(out.String(), "\n"+group+"\n")
		if at < last {
			t.Errorf("%s isn't in its place:\n%s", group, out.String())
		}
		last = at
	}
}
