package cmdline

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/manual"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/version"
	"fsbox/commands/words"

	"github.com/alecthomas/kong"
	"github.com/go-json-experiment/json/jsontext"
)

// grammar is what kong parses besides the command.
type grammar struct {
	settings.Settings
	JSON    *string          `json:"-" name:"json" placeholder:"OBJECT" help:"The request as one JSON object instead of flags; - reads objects from stdin."`
	Version kong.VersionFlag `json:"-" help:"Show the version."`
}

// readWithKong has kong fill the structs of the settings and of the command, and say what is wrong
// with a value. Each argument has the name of its flag in it, positionals as well, so kong has
// nothing else to find out than the values.
func (a *arguments) readWithKong(into *settings.Settings) *answer.Failure {
	var g grammar
	options := append(kongOptions(io.Discard), kong.NoDefaultHelp(),
		kong.DynamicCommand(a.cmd, "", "", a.target), kong.PostBuild(flagsOnly))
	parser, err := kong.New(&g, options...)
	if err != nil {
		return answer.Failf(answer.CodeInternal, "%v", err)
	}
	args := append([]string{a.cmd}, words.Mapped(a.list, argument.text)...)
	if _, err := parser.Parse(args); err != nil {
		return usage(err, About(a.all, a.cmd))
	}
	*into = g.Settings
	return nil
}

// flagsOnly makes a flag of each positional.
func flagsOnly(k *kong.Kong) error {
	node := k.Model.Children[0]
	for _, value := range node.Positional {
		value.Flag = &kong.Flag{Value: value, Hidden: true}
		node.Flags = append(node.Flags, value.Flag)
	}
	node.Positional = nil
	return nil
}

const description = "File tools for AI agents inside one workspace directory. By default, each call prints one JSON object on one line."

// kongOptions say how command lines are read, and where help and version go.
func kongOptions(out io.Writer) []kong.Option {
	return []kong.Option{
		kong.Name("fsbox"),
		kong.Description(description),
		kong.Vars{"version": version.Line()},
		kong.Writers(out, out),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ValueFormatter(manual.WithDefault),
		kong.NamedMapper("items", kong.MapperFunc(takeItems)),
		kong.KindMapper(reflect.String, kong.MapperFunc(takeString)),
		kong.KindMapper(reflect.Int, kong.MapperFunc(takeInteger)),
		kong.KindMapper(reflect.Int64, kong.MapperFunc(takeInteger)),
		kong.TypeMapper(request.DurationType, kong.MapperFunc(takeInteger)),
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

// takeInteger reads integers and durations the same way as JSON requests and the environment do.
// kong itself reads 010 as 8.
func takeInteger(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("int")
	if err != nil {
		return err
	}
	n, ok := request.ParseInteger(target.Type(), fmt.Sprint(token.Value))
	if !ok {
		want := request.TypeOf(target.Type()).Want
		if target.Type() != request.DurationType && request.IsHuge(fmt.Sprint(token.Value)) {
			want = request.ShorterInteger
		}
		return fmt.Errorf("expected %s but got %q", want, token.Value)
	}
	target.SetInt(n)
	return nil
}

// takeItems reads the value of --edits, which is JSON, and that of --view-range, which may lack
// brackets.
func takeItems(ctx *kong.DecodeContext, target reflect.Value) error {
	name := request.KeyOf(ctx.Value.Name)
	token, err := ctx.Scan.PopValue(name)
	if err != nil {
		return err
	}
	text, want := fmt.Sprint(token.Value), "a JSON array of edits"
	if target.Type().Elem().Kind() == reflect.Int64 {
		text, want = "["+strings.Trim(text, "[]")+"]", "two line numbers, such as 5,10"
	}
	if value := jsontext.Value(text); !value.IsValid() || value.Kind() != '[' && value.Kind() != '{' {
		return errors.New("expected " + want)
	}
	if fail := request.Coerce(target, jsontext.Value(text), name); fail != nil {
		return fail
	}
	return nil
}

// usage turns kong's error about a command line into a failure.
func usage(err error, cmd *command.Command) *answer.Failure {
	if _, ok := errors.AsType[*kong.ParseError](err); !ok {
		return answer.Failf(answer.CodeInternal, "%v", err)
	}
	text, similar, found := strings.Cut(err.Error(), ", did you mean ")
	f := answer.Failf(answer.CodeInvalidInput, "%s", text)
	if stray, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		f = answer.Failf(answer.CodeInvalidInput, "unexpected argument %q", stray)
	}
	flag := strings.TrimPrefix(text, "unknown flag ")
	name := request.KeyOf(strings.TrimLeft(flag, "-"))
	if hint := lineHint(cmd, text, flag, name); hint != "" {
		return f.WithHint("%s", hint)
	}
	if found && len(name) > 1 { // a single letter is too little to guess from
		return f.WithHint("did you mean %s", similar)
	}
	if len(name) == 1 {
		return f.WithHint("see fsbox %s --help; put arguments that start with - after --", cmd.Name)
	}
	return f.WithHint("see fsbox %s --help", cmd.Name)
}

// lineHint says what to give instead of a flag or an argument that a command doesn't take, "" if
// that isn't known.
func lineHint(cmd *command.Command, text, flag, name string) string {
	if hint := cmd.Habit(flag); hint != "" {
		return hint
	}
	switch {
	case strings.HasPrefix(text, "unexpected argument"):
		return cmd.Extra
	case strings.HasPrefix(text, "--context: "):
		return "the root is set with --root, or with -C before the command; after it, -C is --context"
	case cmd.New == nil: // one of sideCommands
		return ""
	}
	return request.ElsewhereFlag(name, command.NewCall(*cmd).Fields)
}
