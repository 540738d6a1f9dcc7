package commands

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// invocation is a parsed command line.
type invocation struct {
	settings Settings
	given    map[string]bool // settings that flags gave
	call     *call           // nil for batch and mcp
	batch    *Batch
	mcp      *MCP
	json     *string // --json
	stdin    bool    // "-": requests come on standard input
	dash     bool    // "-" was given instead of a text, which stdin may then hold directly
	done     bool    // help or version was printed
}

// grammar is what kong parses besides the command.
type grammar struct {
	Settings
	JSON    *string          `json:"-" name:"json" placeholder:"OBJECT" help:"The request as one JSON object instead of flags; - reads objects from stdin."`
	Version kong.VersionFlag `json:"-" help:"Show the version."`
}

// parseArgs reads the command line. kong builds its model from struct tags on every start, which
// takes longer than everything else in a call. So plain command lines are read without kong; for
// others only the requested command is registered with it, and all commands only for help.
func parseArgs(args []string, all []Tool, out io.Writer) (*invocation, *Failure) {
	args = tieValues(args, all)
	if inv, ok := parsePlain(args, all); ok {
		return inv, nil
	}
	return parseWithKong(args, all, out)
}

// parseWithKong reads any command line, and says what is wrong with one that is invalid.
func parseWithKong(args []string, all []Tool, out io.Writer) (*invocation, *Failure) {
	if fail := strayFlag(args, all); fail != nil {
		return nil, fail
	}
	name, args := splitCommand(args)
	inv := &invocation{}
	var g grammar
	var text any // the request of a command that prints text
	options := kongOptions(out, func(int) { inv.done = true })
	switch tool, known := findTool(all, name); {
	case known:
		inv.call = newCall(tool)
		var err *Failure
		if args, err = decodeTwins(args, inv.call.fields); err != nil {
			return nil, err
		}
		args, inv.stdin = takeDash(tieText(args, inv.call), inv.call.fields)
		options = append(options, kong.DynamicCommand(tool.Name, tool.Help, "", inv.call.request),
			kong.PostBuild(flagTwins(inv.call, args)), kong.PostBuild(commandPage))
	case name == batchName:
		inv.batch = new(Batch)
		options = append(options, kong.DynamicCommand(batchName, batchHelp, "", inv.batch), kong.PostBuild(commandPage))
	case name == mcpName:
		inv.mcp = new(MCP)
		options = append(options, kong.DynamicCommand(mcpName, mcpHelp, "", inv.mcp), kong.PostBuild(commandPage))
	case name == completionName:
		text = new(Completion)
		options = append(options, kong.DynamicCommand(completionName, completionHelp, "", text), kong.PostBuild(commandPage))
	case name == manName:
		text = new(Man)
		options = append(options, kong.DynamicCommand(manName, manHelp, "", text), kong.PostBuild(commandPage))
	case name == flagsPage && helpAsked(args):
		args, options = []string{"--help"}, append(options, kong.PostBuild(settingsPage))
	case name == errorsPage && helpAsked(args):
		return &invocation{done: true}, printErrors(out)
	case name == "" || strings.HasPrefix(name, "-"):
		options = append(append(options, allCommands(all)...), kong.PostBuild(mapPage))
	default:
		return nil, unknownTool(name, append(toolNames(all), batchName, mcpName, completionName, manName))
	}
	parser, err := kong.New(&g, options...)
	if err != nil {
		return nil, failf(CodeInternal, "%v", err)
	}
	context, err := parser.Parse(args)
	switch {
	case inv.done:
		return inv, nil
	case err != nil:
		return nil, usage(err, name)
	}
	if text != nil {
		inv.done = true
		return inv, document(name, text, all, out)
	}
	inv.settings, inv.json = g.Settings, g.JSON
	return inv, inv.collect(context)
}

// kongOptions say how command lines are read, and where help and version go.
func kongOptions(out io.Writer, exit func(int)) []kong.Option {
	return []kong.Option{
		kong.Name("fsbox"),
		kong.Description(description),
		kong.Vars{"version": versionLine()},
		kong.Writers(out, out),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ValueFormatter(withDefault),
		kong.KindMapper(reflect.String, kong.MapperFunc(takeString)),
		kong.KindMapper(reflect.Int, kong.MapperFunc(takeInteger)),
		kong.KindMapper(reflect.Int64, kong.MapperFunc(takeInteger)),
	}
}

// takeString takes an argument byte for byte. kong itself decodes it as JSON, where bytes that
// aren't UTF-8 become U+FFFD.
func takeString(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	target.SetString(fmt.Sprint(token.Value))
	return nil
}

// takeInteger reads integers the same way as JSON requests and the environment do. kong itself
// reads 010 as 8.
func takeInteger(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("int")
	if err != nil {
		return err
	}
	n, ok := parseInteger(target.Type(), fmt.Sprint(token.Value))
	if !ok && isHuge(fmt.Sprint(token.Value)) {
		return fmt.Errorf("expected %s but got %q", shorterInteger, token.Value)
	}
	if !ok {
		return fmt.Errorf("expected an integer but got %q", token.Value)
	}
	target.SetInt(n)
	return nil
}

// takeDash removes the "-" from the arguments of a command that has no positional for it.
func takeDash(args []string, fields []field) (rest []string, stdin bool) {
	at := slices.Index(args, "-")
	if at < 0 || slices.ContainsFunc(fields, func(f field) bool { return f.arg }) {
		return args, false
	}
	return slices.Delete(slices.Clone(args), at, at+1), true
}

// tieText handles an argument that begins with "--- ", as a diff does. It can't be a flag, since no
// flag has a blank in its name, so it is joined to the flag of the text field.
func tieText(args []string, c *call) []string {
	at := slices.IndexFunc(c.fields, func(f field) bool { return f.arg })
	if _, ok := c.request.(textRequest); !ok || at < 0 {
		return args
	}
	flag := "--" + c.fields[at].flag()
	out := make([]string, 0, len(args))
	for i, a := range args {
		switch {
		case a == "--":
			return append(out, args[i:]...)
		case !strings.HasPrefix(a, "--- "):
			out = append(out, a)
		case i > 0 && args[i-1] == flag:
			out[len(out)-1] += "=" + a
		default:
			out = append(out, flag+"="+a)
		}
	}
	return out
}

// decodeTwins replaces --path-base64 and similar flags by the plain flag with the decoded name.
func decodeTwins(args []string, fields []field) ([]string, *Failure) {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...), nil
		}
		flag, value, hasValue := strings.Cut(args[i], "=")
		name := strings.ReplaceAll(strings.TrimPrefix(flag, "--"), "-", "_")
		f, isBase64, ok := findField(fields, name)
		if !strings.HasPrefix(flag, "--") || !ok || !isBase64 {
			out = append(out, args[i])
			continue
		}
		if !hasValue && i+1 < len(args) {
			i++
			value = args[i]
		}
		path, err := decodeBase64(flag, value)
		if err != nil {
			return nil, err
		}
		out = append(out, "--"+f.flag()+"="+path)
	}
	return out, nil
}

// collect records what the command line gave, and whether the request itself comes as JSON.
func (inv *invocation) collect(context *kong.Context) *Failure {
	inv.given = map[string]bool{}
	command := map[string]bool{}
	positions, objects := 0, 0
	for _, step := range context.Path {
		switch {
		case step.Flag != nil:
			name := strings.ReplaceAll(step.Flag.Name, "-", "_")
			if name == "json" {
				objects++
			}
			if isOf(step.Flag, context.Model.Flags) {
				inv.given[name] = true // of a setting the last one counts: scripts add theirs to those of a person
				continue
			}
			if f, _, ok := findField(inv.callFields(), name); ok {
				name = f.name // the flag may be called otherwise
			}
			if command[name] && !step.Flag.IsSlice() { // given twice, by one name or by two
				return failf(CodeInvalidInput, "--%s is given twice", step.Flag.Name)
			}
			command[name] = true
		case step.Positional != nil:
			command[strings.ReplaceAll(step.Positional.Name, "-", "_")] = true
			positions++
			if step.Positional.Target.Kind() == reflect.String && step.Positional.Target.String() == "-" {
				inv.stdin = true
			}
		}
	}
	switch {
	case objects > 1:
		return failf(CodeInvalidInput, "--json is given twice").hint("send several requests on standard input")
	case inv.call == nil && inv.json != nil:
		return failf(CodeInvalidInput, "batch and mcp read their requests from standard input and take no --json")
	case inv.call == nil:
		return nil
	}
	if inv.stdin && positions == 1 {
		name := firstPositional(context)
		delete(command, name)
		inv.textOnStdin(name, len(command) > 0)
	} else if inv.stdin && positions > 1 {
		return failf(CodeInvalidInput, `"-" means requests on standard input and can't be an argument`).
			hint(`a file called "-" is "./-"`)
	}
	inv.call.given = command
	if inv.json != nil && *inv.json == "-" {
		inv.stdin, inv.json = true, nil
	}
	if inv.stdin && inv.json != nil {
		return failf(CodeInvalidInput, "a request comes by --json or on standard input, not both")
	}
	if (inv.stdin || inv.json != nil) && len(command) > 0 {
		return failf(CodeInvalidInput, "a request comes as flags or as JSON, not as both").
			hint("put everything into the JSON object; settings such as --root go with either")
	}
	return nil
}

func (inv *invocation) callFields() []field {
	if inv.call == nil {
		return nil
	}
	return inv.call.fields
}

// textOnStdin decides what "-" means where a text is expected: standard input may hold either that
// text or requests. If there are other flags too, it can only be the text.
func (inv *invocation) textOnStdin(argument string, flags bool) {
	request, ok := inv.call.request.(textRequest)
	f, _, known := findField(inv.call.fields, argument)
	if !ok || !known {
		return
	}
	inv.call.value.Field(f.index).SetString("")
	inv.dash = true
	if flags && request.lacksText() {
		request.takeStdin()
		inv.stdin = false
	}
}

func firstPositional(context *kong.Context) string {
	for _, step := range context.Path {
		if step.Positional != nil {
			return strings.ReplaceAll(step.Positional.Name, "-", "_")
		}
	}
	return ""
}

func isOf(flag *kong.Flag, flags []*kong.Flag) bool {
	for _, f := range flags {
		if f == flag {
			return true
		}
	}
	return false
}

const noCommand = "no command is given"

// usage turns kong's error about a command line into a failure.
func usage(err error, command string) *Failure {
	var parse *kong.ParseError
	if !errors.As(err, &parse) {
		return failf(CodeInternal, "%v", err)
	}
	if strings.HasPrefix(err.Error(), "expected one of") || command == "" {
		return failf(CodeInvalidInput, noCommand).hint("see fsbox --help")
	}
	text, like, found := strings.Cut(err.Error(), ", did you mean ")
	if flag, ok := lacksValue(text); ok {
		return failf(CodeInvalidInput, "%s needs a value", flag).hint(`one that begins with "-" is tied to it: %s=-x`, flag)
	}
	f := failf(CodeInvalidInput, "%s", text)
	flag := strings.TrimPrefix(text, "unknown flag ")
	name := strings.ReplaceAll(strings.TrimLeft(flag, "-"), "-", "_")
	if hint := flagHabit(command, flag); hint != "" {
		return f.hint("%s", hint)
	}
	if tool, ok := findTool(Tools(), command); ok {
		advice := elsewhere(name, newCall(tool).fields)
		if strings.HasPrefix(text, "unexpected argument") {
			advice = extraArgument(command)
		}
		if advice != "" {
			return f.hint("%s", advice)
		}
	}
	if found && len(name) > 1 { // a single letter is too little to guess from
		return f.hint("did you mean %s?", withoutTwins(like))
	}
	return f.hint("see %s", fmt.Sprintf("fsbox %s --help", command))
}

// extraArgument says what to do with an argument more than a command takes, "" if that isn't plain.
func extraArgument(command string) string {
	switch command {
	case "grep":
		return "path is one file or folder: leave it out and choose files with --glob, or send a request for each; a query with blanks goes in quotes"
	case "read", "ls", "info", "mkdir", "delete":
		return onePath
	case "glob":
		return "a pattern goes in quotes, so that the shell leaves it as it is"
	case "write", "append":
		return "the text goes into --content, or with --content-file - on standard input"
	case "edit":
		return "the texts go into --expected-text and --replacement-text"
	}
	return ""
}

// lacksValue finds the flag that has no value: it is the last argument, or another flag follows it.
func lacksValue(text string) (flag string, ok bool) {
	flag, text, ok = strings.Cut(text, ": expected ")
	return flag, ok && strings.HasPrefix(flag, "--") && (strings.HasSuffix(text, "(<EOL>)") || strings.Contains(text, "flag); perhaps try "))
}

// withoutTwins takes the flags with "_" out of kong's "one of "--start-line", "--start_line"?":
// each has a twin with "-".
func withoutTwins(like string) string {
	like = strings.TrimSuffix(strings.TrimPrefix(like, "one of "), "?")
	all := strings.Split(like, ", ")
	plain := slices.DeleteFunc(all, func(name string) bool { return strings.Contains(name, "_") })
	if len(plain) == 0 {
		return like
	}
	return strings.Join(plain, " or ")
}
