package cmdline

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/textio"
)

// argument is one argument of a command line together with its value, under the name that its field
// has, whichever of its names was written.
type argument struct {
	field   *request.Field // nil where the argument isn't known to be a field's
	setting bool           // the field is one of the settings
	value   string         // or all of an argument that isn't known
}

// text is the argument as kong gets it.
func (a argument) text() string {
	if a.field == nil {
		return a.value
	}
	return "--" + a.field.Flag + "=" + a.value
}

// arguments is a command line, cut into its parts. Values are still texts.
type arguments struct {
	args      []string // all of them
	all       []command.Command
	cmd       string
	named     bool            // there is a command, known or not
	call      *command.Call   // of a tool, nil for any other command
	target    any             // the struct that the command fills, nil if the command isn't known
	document  bool            // the command only prints something for people
	fields    []request.Field // of target
	list      []argument
	unnamed   []string // values without a flag, in order
	positions []string // the fields that they are for
	given     map[string]bool
	page      string // helpFlag or versionFlag, if the line asks for one of them instead of work
	json      *string
	stdin     bool // "-" is given: requests come on standard input
	fail      *answer.Failure
}

const helpFlag, versionFlag, rootFlag = "--help", "--version", "-C"

// cut takes a command line apart. It goes on after a mistake, of which the first is kept: how the
// answer looks, and where it goes, may be said further on.
func cut(args []string, all []command.Command) *arguments {
	a := &arguments{args: args, all: all, given: map[string]bool{}}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			for _, word := range args {
				a.word(word)
			}
			args = nil
		case strings.HasPrefix(arg, "-") && arg != "-" && !isProse(arg):
			if arg[1] != '-' {
				args = append(a.single(arg), args...)
				arg, args = args[0], args[1:]
			}
			args = a.flag(arg, args)
		default:
			a.word(arg)
		}
	}
	a.placeUnnamed()
	return a
}

// failf keeps the first mistake.
func (a *arguments) failf(hint, format string, values ...any) {
	if a.fail == nil {
		a.fail = answer.Failf(answer.CodeInvalidInput, format, values...).WithHint("%s", hint)
	}
}

// word takes an argument that is no flag: the command, or a value.
func (a *arguments) word(text string) {
	switch {
	case a.named:
		a.unnamed = append(a.unnamed, text)
		return
	case text == "help":
		a.page = helpFlag
		return
	}
	a.named, a.cmd = true, text
	if t, ok := command.Find(a.all, text); ok {
		a.call = command.NewCall(t)
		a.target, a.fields = a.call.Request, a.call.LineFields
	} else if side, ok := findSide(text); ok {
		a.target, a.document = side.new(), side.group == groupSetUp
		filled := reflect.ValueOf(a.target).Elem()
		a.fields = request.TagsOf(filled.Type()).LineFields
		request.SetDefaults(filled, a.fields)
	}
}

// single takes short flags that are written together apart: -iw is -i -w, and -A1 is -A=1.
func (a *arguments) single(arg string) (flags []string) {
	for len(arg) > 2 && arg[1] != '-' && arg[2] != '=' {
		f, _, _ := a.find(arg[:2])
		switch {
		case f == nil, f.Kind == reflect.Bool && arg[2] == '-': // no flag is called "-"
			return append(flags, arg)
		case f.Kind != reflect.Bool:
			return append(flags, arg[:2]+"="+arg[2:])
		}
		flags, arg = append(flags, arg[:2]), "-"+arg[2:]
	}
	return append(flags, arg)
}

// flag takes a flag, with the value that follows it. It returns what is left.
func (a *arguments) flag(arg string, rest []string) []string {
	name, value, valued := strings.Cut(arg, "=")
	if name == helpFlag || name == "-h" || name == versionFlag {
		a.page = name
		return rest
	}
	f, setting, negated := a.find(name)
	switch {
	case f == nil && a.named:
		a.list = append(a.list, argument{value: arg})
		return rest
	case f == nil:
		a.stray(name)
		return rest
	case negated && valued:
		a.failf("", "%s takes no value", name)
		return rest
	case f.Kind == reflect.Bool && !valued:
		value = strconv.FormatBool(!negated)
	case !valued && (len(rest) == 0 || strings.HasPrefix(rest[0], "-") && !isValue(rest[0], f)):
		a.failf("use --"+f.Flag+"=-x for a value that starts with a dash", "--%s needs a value", f.Flag)
		return rest
	case !valued:
		value, rest = rest[0], rest[1:]
	}
	a.add(f, setting, value, name)
	return rest
}

// find looks up a flag by any of its names: its own, with "_" for "-", an alias, that of a raw
// bytes field for names that aren't UTF-8. A switch that is on by default may be negated, with
// "no-" before it.
func (a *arguments) find(flag string) (f *request.Field, setting, negated bool) {
	if flag == rootFlag {
		if _, _, taken := request.FindField(a.fields, flag); !taken {
			flag = "--root"
		}
	}
	name, long := strings.CutPrefix(flag, "--")
	if !long {
		return anyName(a.fields, flag), false, false
	}
	if name == jsonField.Flag {
		return &jsonField, true, false
	}
	if f = ownName(settings.Fields(), name); f != nil {
		return f, true, false
	}
	if f = ownName(a.fields, request.FlagOf(name)); f != nil {
		return f, false, false
	}
	key := request.KeyOf(name)
	if f = anyName(settings.Fields(), key); f != nil {
		return f, true, false
	}
	if f = anyName(a.fields, key); f != nil {
		return f, false, false
	}
	if positive, no := strings.CutPrefix(key, "no_"); no {
		if f = anyName(a.fields, positive); f != nil && f.Kind == reflect.Bool && f.Def == "true" {
			return f, false, true
		}
	}
	return nil, false, false
}

// ownName finds a field by the name of its flag, nil for none.
func ownName(fields []request.Field, flag string) *request.Field {
	for i := range fields {
		if fields[i].Flag == flag {
			return &fields[i]
		}
	}
	return nil
}

// anyName finds a field by any name, nil for none.
func anyName(fields []request.Field, name string) *request.Field {
	if f, _, ok := request.FindField(fields, name); ok {
		return &f
	}
	return nil
}

// jsonField is the flag for the request as one JSON object. It goes with the settings, although it
// is none.
var jsonField = request.Field{Name: "json", Flag: "json", Kind: reflect.String}

// isValue tells whether an argument that begins with "-" can be the value of the flag before it. It
// is taken for another flag, unless it is a number or a text such as "- item".
func isValue(arg string, of *request.Field) bool {
	return arg == "-" || isNegative(arg) || of.Kind == reflect.String && isProse(arg)
}

// isNegative reports whether an argument that begins with "-" is a number.
func isNegative(arg string) bool {
	_, err := strconv.ParseUint(arg[1:], 10, 64)
	return err == nil
}

// isProse reports whether an argument that begins with "-" is text, such as a list item or a diff:
// a blank follows the dashes, and no flag has a blank in its name.
func isProse(arg string) bool {
	rest := strings.TrimLeft(arg, "-")
	return rest != "" && request.IsBlank(rest[0])
}

// add adds a value of a field, which was given by a flag.
func (a *arguments) add(f *request.Field, setting bool, value, flag string) {
	if f.IsPath() && strings.HasPrefix(flag, "--") && request.KeyOf(flag[2:]) == f.Name+words.Base64Suffix {
		decoded, fail := request.DecodeBase64(flag, value)
		if a.fail == nil {
			a.fail = fail
		}
		value = decoded
	}
	switch {
	case f.Name == jsonField.Name && a.json != nil:
		a.failf("send several requests on standard input", "--json is given twice")
	case f.Name == jsonField.Name:
		a.json = &value
		return
	case !setting && a.given[f.Name] && !f.Repeats: // by one name or by two
		a.failf("", "--%s is given twice", f.Flag)
	case !setting:
		a.given[f.Name] = true
	}
	a.list = append(a.list, argument{f, setting, value})
}

// placeUnnamed gives the values without a flag to the positionals that no flag gave. Those that are
// left follow a "--", so that kong takes none of them for a flag.
func (a *arguments) placeUnnamed() {
	var free []*request.Field
	var surplus []argument
	takesNone := true
	for i := range a.fields {
		if f := &a.fields[i]; f.Arg {
			takesNone = false
			if !a.given[f.Name] {
				free = append(free, f)
			}
		}
	}
	for i, value := range a.unnamed {
		switch {
		case i < len(free):
			a.positions = append(a.positions, free[i].Name)
			a.stdin = a.stdin || value == "-"
			a.add(free[i], false, value, "")
		case value == "-" && takesNone && !a.stdin && !a.document:
			a.stdin = true
		default:
			surplus = append(surplus, argument{value: value})
		}
	}
	if len(surplus) > 0 {
		a.list = append(append(a.list, argument{value: "--"}), surplus...)
	}
}

// stray tells what is wrong with a flag before the command that isn't a setting. What follows it
// could be its value or the command, so the line can't be read.
func (a *arguments) stray(flag string) {
	name, of := flag, "" // short flags are aliases: -A
	if long, ok := strings.CutPrefix(flag, "--"); ok {
		name = request.KeyOf(long)
	}
	for _, t := range a.all {
		if _, _, has := request.FindField(command.NewCall(t).Fields, name); has && (of == "" || slices.Contains(a.args, t.Name)) {
			of = t.Name
		}
	}
	nearest := textio.Nearest(name, request.Names(settings.Fields()))
	switch {
	case of != "":
		a.failf("write fsbox "+of+" "+flag, "%s must come after the command", flag)
	case nearest != "":
		a.failf("did you mean --"+request.FlagOf(nearest)+"?", "unknown flag %s", flag)
	case slices.Contains([]string{"-v", "-V", "--verbose"}, flag):
		a.failf("did you mean --version?", "unknown flag %s", flag)
	default:
		a.failf("see fsbox --help", "unknown flag %s", flag)
	}
}
