package cmdline

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/manual"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/commands/verbs/setup"

	"github.com/alecthomas/kong"
)

// Line is a parsed command line.
type Line struct {
	Settings settings.Settings
	Given    map[string]bool // settings that flags gave
	Call     *verb.Call      // nil for batch and mcp
	Batch    *Batch
	MCP      *MCP
	document any     // a Completion or Man; nil for any other command
	JSON     *string // --json
	Stdin    bool    // "-": requests come on standard input
	Dash     bool    // "-" was given where a text goes: stdin has that text, or requests
	Done     bool    // help or version was printed
}

// grammar is what kong parses besides the command.
type grammar struct {
	settings.Settings
	JSON    *string          `json:"-" name:"json" placeholder:"OBJECT" help:"The request as one JSON object instead of flags; - reads objects from stdin."`
	Version kong.VersionFlag `json:"-" help:"Show the version."`
}

// Parse reads the command line. kong builds its model from struct tags on every start, which
// takes longer than everything else in a call. So plain command lines are read without kong; for
// others only the requested command is registered with it, and all commands only for help.
func Parse(args []string, all []verb.Verb, out io.Writer) (*Line, *answer.Failure) {
	args = tieValues(args, all)
	if inv, ok := ParsePlain(args, all); ok {
		return inv, nil
	}
	return ParseWithKong(args, all, out)
}

// ParseWithKong reads any command line, and says what is wrong with one that is invalid.
func ParseWithKong(args []string, all []verb.Verb, out io.Writer) (*Line, *answer.Failure) {
	if fail := strayFlag(args, all); fail != nil {
		return nil, fail
	}
	name, args := SplitCommand(args, all)
	if name == errorsPage && helpAsked(args) {
		return &Line{Done: true}, PrintErrors(out)
	}
	inv := &Line{}
	commands, args, fail := inv.register(name, args, all)
	if fail != nil {
		return nil, fail
	}
	if fail := inv.parse(About(all, name), args, append(kongOptions(out, func(int) { inv.Done = true }), commands...)); fail != nil {
		return nil, fail
	}
	if inv.document != nil && !inv.Done {
		inv.Done = true
		return inv, document(name, inv.document, all, out)
	}
	return inv, nil
}

// parse has kong read the arguments of the command.
func (inv *Line) parse(command *verb.Verb, args []string, options []kong.Option) *answer.Failure {
	var g grammar
	parser, err := kong.New(&g, options...)
	if err != nil {
		return answer.Failf(answer.CodeInternal, "%v", err)
	}
	context, err := parser.Parse(args)
	switch {
	case inv.Done:
		return nil
	case err != nil:
		return usage(err, command)
	}
	inv.Settings, inv.JSON = g.Settings, g.JSON
	return inv.collect(context)
}

// register gives kong the command that a line names, or all of them if it names none. rest are the
// arguments to give kong.
func (inv *Line) register(name string, args []string, all []verb.Verb) (options []kong.Option, rest []string, fail *answer.Failure) {
	if tool, ok := verb.Find(all, name); ok {
		return inv.registerTool(tool, args)
	}
	for _, c := range sideCommands {
		if c.Name == name {
			return []kong.Option{kong.DynamicCommand(c.Name, c.Help, "", inv.start(c.new())),
				kong.PostBuild(func(k *kong.Kong) error { return commandPage(k, &c.Verb) })}, args, nil
		}
	}
	switch {
	case name == FlagsPage && helpAsked(args):
		return []kong.Option{kong.PostBuild(settingsPage)}, []string{"--help"}, nil
	case name == "" || strings.HasPrefix(name, "-"):
		return append(allCommands(all), kong.PostBuild(mapPage)), args, nil
	}
	return nil, nil, verb.Unknown(name, all, append(verb.Names(all), verb.BatchName, verb.MCPName, CompletionName, ManName))
}

func (inv *Line) registerTool(tool verb.Verb, args []string) (options []kong.Option, rest []string, fail *answer.Failure) {
	inv.Call = verb.NewCall(tool)
	if args, fail = decodeBase64Flags(args, inv.Call.Fields); fail != nil {
		return nil, nil, fail
	}
	args, inv.Stdin = takeDash(tieText(args, inv.Call), inv.Call.Fields)
	return []kong.Option{kong.DynamicCommand(tool.Name, tool.Help, "", inv.Call.Request),
		kong.PostBuild(flagAliases(inv.Call, args)), kong.PostBuild(func(k *kong.Kong) error { return commandPage(k, &tool) })}, args, nil
}

// start records which of sideCommands is to run.
func (inv *Line) start(command any) any {
	switch c := command.(type) {
	case *Batch:
		inv.Batch = c
	case *MCP:
		inv.MCP = c
	default:
		inv.document = c
	}
	return command
}

const description = "File tools for AI agents inside one workspace folder. Every call answers one JSON object on one line."

// kongOptions say how command lines are read, and where help and version go.
func kongOptions(out io.Writer, exit func(int)) []kong.Option {
	return []kong.Option{
		kong.Name("fsbox"),
		kong.Description(description),
		kong.Vars{"version": setup.VersionLine()},
		kong.Writers(out, out),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ValueFormatter(manual.WithDefault),
		kong.NamedMapper("items", kong.MapperFunc(takeItems)),
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
	n, ok := request.ParseInteger(target.Type(), fmt.Sprint(token.Value))
	if !ok && request.IsHuge(fmt.Sprint(token.Value)) {
		return fmt.Errorf("expected %s but got %q", request.ShorterInteger, token.Value)
	}
	if !ok {
		return fmt.Errorf("expected an integer but got %q", token.Value)
	}
	target.SetInt(n)
	return nil
}

// takeDash removes the "-" from the arguments of a command that has no positional for it, and
// reports whether it was there.
func takeDash(args []string, fields []request.Field) (rest []string, stdin bool) {
	at := slices.Index(args, "-")
	if at < 0 || slices.ContainsFunc(fields, func(f request.Field) bool { return f.Arg }) {
		return args, false
	}
	return slices.Delete(slices.Clone(args), at, at+1), true
}

// tieText handles an argument that begins with "--- ", as a diff does. It can't be a flag, since no
// flag has a blank in its name, so it is joined to the flag of the text field.
func tieText(args []string, c *verb.Call) []string {
	at := slices.IndexFunc(c.Fields, func(f request.Field) bool { return f.Arg })
	if _, ok := c.Request.(verb.TextRequest); !ok || at < 0 {
		return args
	}
	flag := "--" + c.Fields[at].Flag
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

// decodeBase64Flags replaces --path-base64 and similar flags by the plain flag with the decoded
// name.
func decodeBase64Flags(args []string, fields []request.Field) ([]string, *answer.Failure) {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...), nil
		}
		flag, value, hasValue := strings.Cut(args[i], "=")
		name := request.KeyOf(strings.TrimPrefix(flag, "--"))
		f, isBase64, ok := request.FindField(fields, name)
		if !strings.HasPrefix(flag, "--") || !ok || !isBase64 {
			out = append(out, args[i])
			continue
		}
		if !hasValue && i+1 < len(args) {
			i++
			value = args[i]
		}
		path, err := request.DecodeBase64(flag, value)
		if err != nil {
			return nil, err
		}
		out = append(out, "--"+f.Flag+"="+path)
	}
	return out, nil
}

// collect records what the command line gave, and whether the request itself comes as JSON.
func (inv *Line) collect(context *kong.Context) *answer.Failure {
	inv.Given = map[string]bool{}
	command, positions, objects := map[string]bool{}, []string(nil), 0
	for _, step := range context.Path {
		switch {
		case step.Flag != nil && slices.Contains(context.Model.Flags, step.Flag):
			// a setting may be given twice, and the last one counts: a script may add its own to a
			// user's
			inv.Given[request.KeyOf(step.Flag.Name)] = true
			if step.Flag.Name == "json" {
				objects++
			}
		case step.Flag != nil:
			if fail := inv.takeFlag(step.Flag, command); fail != nil {
				return fail
			}
		case step.Positional != nil:
			positions = append(positions, request.KeyOf(step.Positional.Name))
			command[request.KeyOf(step.Positional.Name)] = true
			inv.Stdin = inv.Stdin || step.Positional.Target.Kind() == reflect.String && step.Positional.Target.String() == "-"
		}
	}
	switch {
	case objects > 1:
		return answer.Failf(answer.CodeInvalidInput, "--json is given twice").WithHint("send several requests on standard input")
	case inv.Call == nil && inv.JSON != nil:
		return answer.Failf(answer.CodeInvalidInput, "batch and mcp read their requests from standard input and take no --json")
	case inv.Call == nil:
		return nil
	}
	inv.Call.Given = command
	return inv.chooseSource(positions)
}

// takeFlag records a flag of the command.
func (inv *Line) takeFlag(flag *kong.Flag, command map[string]bool) *answer.Failure {
	name := request.KeyOf(flag.Name)
	if f, ok := plainField(inv.callFields(), flag.Name); ok {
		name = f.Name
	} else if f, _, ok := request.FindField(inv.callFields(), name); ok {
		name = f.Name // the flag may be an alias
	}
	if command[name] && !flag.IsSlice() { // given twice, by one name or by two
		return answer.Failf(answer.CodeInvalidInput, "--%s is given twice", flag.Name)
	}
	command[name] = true
	return nil
}

// chooseSource decides where the request comes from: flags, --json or standard input. positions are
// the positionals that the command line has.
func (inv *Line) chooseSource(positions []string) *answer.Failure {
	given := inv.Call.Given
	switch {
	case inv.Stdin && len(positions) == 1:
		delete(given, positions[0])
		inv.textOnStdin(positions[0], len(given) > 0)
	case inv.Stdin && len(positions) > 1:
		return answer.Failf(answer.CodeInvalidInput, `"-" means requests on standard input and can't be an argument`).
			WithHint(`a file called "-" is "./-"`)
	}
	if inv.JSON != nil && *inv.JSON == "-" {
		inv.Stdin, inv.JSON = true, nil
	}
	switch {
	case inv.Stdin && inv.JSON != nil:
		return answer.Failf(answer.CodeInvalidInput, "a request comes by --json or on standard input, not both")
	case (inv.Stdin || inv.JSON != nil) && len(given) > 0:
		return answer.Failf(answer.CodeInvalidInput, "a request comes as flags or as JSON, not as both").
			WithHint("put everything into the JSON object; settings such as --root go with either")
	}
	return nil
}

func (inv *Line) callFields() []request.Field {
	if inv.Call == nil {
		return nil
	}
	return inv.Call.Fields
}

// textOnStdin decides what "-" means where a text is expected: standard input may hold either that
// text or requests. If there are other flags too, it can only be the text.
func (inv *Line) textOnStdin(argument string, flags bool) {
	text, ok := inv.Call.Request.(verb.TextRequest)
	f, _, known := request.FindField(inv.Call.Fields, argument)
	if !ok || !known {
		return
	}
	inv.Call.Value.Field(f.Index).SetString("")
	inv.Dash = true
	if flags && text.LacksText() {
		text.TakeStdin()
		inv.Stdin = false
	}
}

const NoCommand = "no command is given"

// usage turns kong's error about a command line into a failure.
func usage(err error, command *verb.Verb) *answer.Failure {
	if _, ok := errors.AsType[*kong.ParseError](err); !ok {
		return answer.Failf(answer.CodeInternal, "%v", err)
	}
	if strings.HasPrefix(err.Error(), "expected one of") || command.Name == "" {
		return answer.Failf(answer.CodeInvalidInput, NoCommand).WithHint("see fsbox --help")
	}
	text, similar, found := strings.Cut(err.Error(), ", did you mean ")
	if flag, ok := lacksValue(text); ok {
		return answer.Failf(answer.CodeInvalidInput, "%s needs a value", flag).WithHint(`one that begins with "-" is tied to it: %s=-x`, flag)
	}
	f := answer.Failf(answer.CodeInvalidInput, "%s", text)
	if stray, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		f = answer.Failf(answer.CodeInvalidInput, "unexpected argument %q", stray)
	}
	flag := strings.TrimPrefix(text, "unknown flag ")
	name := request.KeyOf(strings.TrimLeft(flag, "-"))
	if hint := lineHint(command, text, flag, name); hint != "" {
		return f.WithHint("%s", hint)
	}
	if found && len(name) > 1 { // a single letter is too little to guess from
		return f.WithHint("did you mean %s?", withoutUnderscores(similar))
	}
	if len(name) == 1 {
		return f.WithHint("see fsbox %s --help; a name that begins with - is written ./-%s", command.Name, name)
	}
	return f.WithHint("see fsbox %s --help", command.Name)
}

// lineHint says what to give instead of a flag or an argument that a command doesn't take, "" if
// that isn't known.
func lineHint(command *verb.Verb, text, flag, name string) string {
	if hint := command.Habit(flag); hint != "" {
		return hint
	}
	switch {
	case command.New == nil: // one of sideCommands
		return ""
	case strings.HasPrefix(text, "unexpected argument"):
		return command.Extra
	}
	return request.ElsewhereFlag(name, verb.NewCall(*command).Fields)
}

// lacksValue finds the flag without a value in kong's message: it is the last argument, or another
// flag follows it.
func lacksValue(text string) (flag string, ok bool) {
	flag, text, ok = strings.Cut(text, ": expected ")
	return flag, ok && strings.HasPrefix(flag, "--") && (strings.HasSuffix(text, "(<EOL>)") || strings.Contains(text, "flag); perhaps try "))
}

// withoutUnderscores removes the flags with "_" from what kong suggests, such as: one of
// "--start-line", "--start_line"? Each of them is there with "-" as well.
func withoutUnderscores(flags string) string {
	flags = strings.TrimSuffix(strings.TrimPrefix(flags, "one of "), "?")
	plain := slices.DeleteFunc(strings.Split(flags, ", "), func(name string) bool { return strings.Contains(name, "_") })
	if len(plain) == 0 {
		return flags
	}
	return strings.Join(plain, " or ")
}
