package cmdline

import (
	"fsbox/commands/request"
	"fsbox/commands/verb"
	"reflect"
	"strings"
)

// ParsePlain reads the command lines that programs write: long flags by their own names,
// positionals, "-". It reports any other line as not plain, and then kong reads it. Building kong's
// model takes longer than the rest of an info call. A test checks that both read lines alike.
func ParsePlain(args []string, all []verb.Verb) (*Line, bool) {
	p := plainParser{inv: &Line{Given: map[string]bool{}}, all: all}
	p.settings = reflect.ValueOf(&p.inv.Settings).Elem()
	p.fields = request.Fields(p.settings.Type())
	if request.SetDefaults(p.settings, p.fields) != nil {
		return nil, false
	}
	for p.args = args; len(p.args) > 0; {
		if !p.take() {
			return nil, false
		}
	}
	return p.inv, p.inv.Call != nil && p.finish()
}

// plainParser is what parsePlain has read, and what is left to read.
type plainParser struct {
	inv       *Line
	all       []verb.Verb
	settings  reflect.Value
	fields    []request.Field // of the settings
	args      []string
	positions []string // the positionals that have a value already
}

// take reads one argument, with its value if it has one.
func (p *plainParser) take() bool {
	arg := p.args[0]
	p.args = p.args[1:]
	name, long := strings.CutPrefix(arg, "--")
	switch {
	case long:
		return p.flag(name)
	case arg == "-C" && (p.inv.Call == nil || !takesContext(p.inv.Call.Fields)):
		return p.flag("root")
	case strings.HasPrefix(arg, "-") && arg != "-":
		return false
	case p.inv.Call == nil:
		return p.command(arg)
	}
	return p.position(arg)
}

func (p *plainParser) command(name string) bool {
	tool, ok := verb.Find(p.all, name)
	if !ok {
		return false
	}
	c := verb.NewCall(tool)
	c.Given = map[string]bool{}
	p.inv.Call = c
	return request.SetDefaults(c.Value, c.Fields) == nil
}

func (p *plainParser) flag(text string) bool {
	name, value, hasValue := strings.Cut(text, "=")
	if name == "json" && p.inv.JSON != nil {
		return false
	}
	if name == "json" {
		value, ok := p.value(value, hasValue)
		p.inv.JSON = &value
		return ok
	}
	if f, ok := plainField(p.fields, name); ok {
		return p.set(p.settings, f, value, hasValue, p.inv.Given)
	}
	if p.inv.Call == nil {
		return false
	}
	if yes, no := strings.CutPrefix(name, "no-"); no && !hasValue && p.switchOff(yes) {
		return true
	}
	f, ok := plainField(p.inv.Call.Fields, name)
	return ok && !f.Arg && p.set(p.inv.Call.Value, f, value, hasValue, p.inv.Call.Given)
}

// switchOff takes --no-NAME for a flag that is on by default.
func (p *plainParser) switchOff(name string) bool {
	f, ok := plainField(p.inv.Call.Fields, name)
	if !ok || f.Kind != reflect.Bool || f.Def != "true" || p.inv.Call.Given[f.Name] {
		return false
	}
	p.inv.Call.Given[f.Name] = true
	p.inv.Call.Value.Field(f.Index).SetBool(false)
	return true
}

// plainField finds a flag by its own name. Aliases are left to kong.
func plainField(fields []request.Field, name string) (request.Field, bool) {
	for _, f := range fields {
		if f.Flag == name {
			return f, true
		}
	}
	return request.Field{}, false
}

// value is what follows the flag, if it can't be taken for a flag itself.
func (p *plainParser) value(inline string, hasValue bool) (string, bool) {
	if hasValue {
		return inline, true
	}
	if len(p.args) == 0 || strings.HasPrefix(p.args[0], "-") {
		return "", false
	}
	value := p.args[0]
	p.args = p.args[1:]
	return value, true
}

func (p *plainParser) set(v reflect.Value, f request.Field, inline string, hasValue bool, given map[string]bool) bool {
	target := v.Field(f.Index)
	switch {
	case given[f.Name] || f.Kind == reflect.Slice || (f.Kind == reflect.Bool && hasValue):
		return false
	case f.Kind == reflect.Bool:
		given[f.Name] = true
		target.SetBool(true)
		return true
	}
	value, ok := p.value(inline, hasValue)
	given[f.Name] = true
	return ok && request.CoerceText(target, value, f.Name) == nil
}

// position gives the command its next positional.
func (p *plainParser) position(arg string) bool {
	seen := 0
	for _, f := range p.inv.Call.Fields {
		if !f.Arg {
			continue
		}
		if seen == len(p.positions) {
			p.positions = append(p.positions, f.Name)
			p.inv.Call.Given[f.Name] = true
			p.inv.Call.Value.Field(f.Index).SetString(arg)
			return true
		}
		seen++
	}
	if arg == "-" && seen == 0 && !p.inv.Stdin { // a command without positionals
		p.inv.Stdin = true
		return true
	}
	return false
}

// finish decides where the request comes from. If something is wrong it returns false, and
// ParseWithKong reports it.
func (p *plainParser) finish() bool {
	for _, f := range p.inv.Call.Fields {
		p.inv.Stdin = p.inv.Stdin || f.Arg && p.inv.Call.Given[f.Name] && p.inv.Call.Value.Field(f.Index).String() == "-"
	}
	return p.inv.chooseSource(p.positions) == nil
}
