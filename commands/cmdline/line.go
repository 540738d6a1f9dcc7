package cmdline

import (
	"io"
	"reflect"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
)

// Line is a parsed command line.
type Line struct {
	Command  string
	Settings settings.Settings
	Given    map[string]bool // settings that flags gave
	Call     *command.Call   // nil for commands that aren't tools
	Batch    *Batch
	MCP      *MCP
	JSON     *string // --json
	Stdin    bool    // "-": requests come on standard input
	Dash     bool    // "-" was given where a text goes: stdin has that text, or requests
	Done     bool    // help, version, completion or man was printed
}

// Parse reads the command line. kong builds its model from struct tags on every start: with it, a
// read takes 34 % more processor time (2026-11-29). So it reads values only where one isn't plain,
// and knows only the requested command then, all commands only for help. Also with a failure the
// line has its command, and the settings as far as they could be read.
func Parse(args []string, all []command.Command, out io.Writer) (*Line, *answer.Failure) {
	a := cut(args, all)
	inv, plain := a.line()
	switch {
	case a.fail != nil:
		return inv, a.fail
	case a.page != "":
		inv.Done = true
		return inv, a.showPage(out)
	case !a.named:
		return inv, answer.Failf(answer.CodeInvalidInput, NoCommand).WithHint("see fsbox --help")
	case a.target == nil:
		return inv, a.unknown()
	}
	if !plain {
		if fail := a.readWithKong(&inv.Settings); fail != nil {
			return inv, fail
		}
	}
	switch {
	case a.call == nil:
		return inv, inv.takeSide(a, out)
	case inv.Stdin, inv.JSON != nil:
		return inv, inv.chooseSource(a.positions)
	}
	return inv, nil
}

const NoCommand = "no command given"

// line fills in the values that are plain, and tells whether all are: no flag is unknown or a list.
func (a *arguments) line() (inv *Line, plain bool) {
	inv = &Line{Command: a.cmd, Given: map[string]bool{}, Call: a.call, JSON: a.json, Stdin: a.stdin}
	set, filled := reflect.ValueOf(&inv.Settings).Elem(), reflect.Value{}
	request.SetDefaults(set, settings.Fields())
	if a.call != nil {
		a.call.Given = a.given
	}
	if a.target != nil {
		filled = reflect.ValueOf(a.target).Elem()
	}
	plain = true
	for _, arg := range a.list {
		of := filled
		if arg.setting {
			of, inv.Given[arg.field.Name] = set, true
		}
		isPlain := arg.field != nil && arg.field.Kind != reflect.Slice && of.IsValid()
		plain = isPlain && request.CoerceText(of.Field(arg.field.Index), arg.value, arg.field.Name) == nil && plain
	}
	return inv, plain
}

// takeSide takes a command that isn't a tool. It carries out those that only print something for
// people.
func (inv *Line) takeSide(a *arguments, out io.Writer) *answer.Failure {
	switch {
	case inv.JSON != nil && a.document:
		return answer.Failf(answer.CodeInvalidInput, "%s takes no --json", a.cmd)
	case inv.JSON != nil:
		return answer.Failf(answer.CodeInvalidInput, "batch and mcp read their requests from standard input and take no --json")
	case a.document:
		inv.Done = true
		return printDocument(a.target, a.all, out)
	}
	inv.Batch, _ = a.target.(*Batch)
	inv.MCP, _ = a.target.(*MCP)
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
		return answer.Failf(answer.CodeInvalidInput, "--json and standard input are mutually exclusive")
	case (inv.Stdin || inv.JSON != nil) && len(given) > 0:
		return answer.Failf(answer.CodeInvalidInput, "flags and a JSON request are mutually exclusive").
			WithHint("put everything in the JSON object; settings such as --root work with both")
	}
	return nil
}

// textOnStdin decides what "-" means where a text is expected: standard input may hold either that
// text or requests. If there are other flags too, it can only be the text.
func (inv *Line) textOnStdin(argument string, flags bool) {
	text, ok := inv.Call.Request.(command.TextRequest)
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
