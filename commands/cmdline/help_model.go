package cmdline

import (
	"io"
	"reflect"
	"strings"

	"fsbox/commands/manual"
	"fsbox/commands/request"
	"fsbox/commands/verb"

	"github.com/alecthomas/kong"
)

// describeProgram gives the command line to those who write about it, from the model that kong
// makes of the structs.
func describeProgram(all []verb.Verb) (*manual.Program, error) {
	var g grammar
	options := append(kongOptions(io.Discard, func(int) {}), allCommands(all)...)
	k, err := kong.New(&g, options...)
	if err != nil {
		return nil, err
	}
	p := &manual.Program{Name: k.Model.Name, Help: description, Options: optionsOf(k.Model.Flags), Codes: codeGroups()}
	for _, node := range k.Model.Children {
		about := About(all, node.Name)
		c := manual.Command{Name: node.Name, Help: node.Help, Text: about.Text, Usage: node.Summary(), Options: optionsOf(node.Flags),
			Examples: about.Examples, Codes: CodeNames(about.Codes)}
		for _, value := range node.Positional {
			c.Operands = append(c.Operands, manual.Operand{Name: value.Name, Help: withDefault(value), Value: operandValue(value, all)})
		}
		p.Commands = append(p.Commands, c)
	}
	return p, nil
}

func optionsOf(flags []*kong.Flag) []manual.Option {
	var out []manual.Option
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		o := manual.Option{Name: f.Name, Help: withDefault(f.Value), OnByDef: f.Tag.Negatable != "", Section: "General", Value: valueOf(f)}
		if f.Short != 0 {
			o.Short = string(f.Short)
		}
		if f.Group != nil {
			o.Section = f.Group.Key
		}
		out = append(out, o)
	}
	return out
}

// valueOf says what a shell can offer as a flag's value.
func valueOf(f *kong.Flag) manual.Value {
	v := manual.Value{Name: f.PlaceHolder, Kind: manual.Text,
		Words: request.PlainWords(request.SplitList(f.Tag.Get("oneof") + f.Tag.Get("words")))}
	if v.Name == "" {
		v.Name = strings.ToUpper(f.Name)
	}
	switch {
	case f.IsBool():
		return manual.Value{}
	case len(v.Words) > 0:
		v.Kind = manual.Word
	case v.Name == "FILE", strings.HasPrefix(f.Name, "path"):
		v.Kind = manual.File
	case v.Name == "DIR":
		v.Kind = manual.Folder
	}
	return v
}

func operandValue(value *kong.Value, all []verb.Verb) manual.Value {
	v := manual.Value{Name: value.Name, Kind: manual.Text, Words: request.PlainWords(request.SplitList(value.Tag.Get("oneof")))}
	if value.Name == "tool" {
		v.Words = verb.Names(verb.ForModels(all))
	}
	if len(v.Words) > 0 {
		v.Kind = manual.Word
	} else if (request.Field{Name: value.Name, Kind: reflect.String}).IsPath() {
		v.Kind = manual.File
	}
	return v
}

// withDefault adds the default to the help of a flag, unless the help names it already.
func withDefault(value *kong.Value) string {
	switch {
	case !value.HasDefault, value.Default == "", value.Default == "0", kong.HasInterpolatedVar(value.OrigHelp, "default"):
		return value.Help
	case value.Default == "." && value.Name == "root":
		return value.Help + " Default: the current folder."
	case value.Default == ".":
		return value.Help + " Default: the root."
	}
	return value.Help + " Default: " + value.Default + "."
}
