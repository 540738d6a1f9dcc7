package cmdline

import (
	"reflect"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/textio"
)

// SplitCommand finds the command among the arguments, and decides what -C means: after a command
// with such a field it is that; before the command, or after any other command, it is the root.
func SplitCommand(args []string, all []verb.Verb) (name string, rest []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C" && i+1 < len(args):
			i++
			rest = append(rest, "--root="+args[i])
		case strings.HasPrefix(a, "-C") && a != "-C":
			rest = append(rest, "--root="+a[len("-C"):])
		case a == "help" && i+1 < len(args):
			name, rest = SplitCommand(append(rest, args[i+1:]...), all)
			return name, append(rest, "--help")
		case a == "help":
			return "", append(rest, "--help")
		case !strings.HasPrefix(a, "-") || a == "-":
			return a, append(append(rest, a), argumentsOf(a, args[i+1:], all)...)
		case !takesNoValue(a) && i+1 < len(args):
			rest = append(rest, a, args[i+1])
			i++
		default:
			rest = append(rest, a)
		}
	}
	return "", rest
}

// strayFlag finds a flag before the command that isn't a setting. What follows it could be its
// value or the command, so the line can't be read.
func strayFlag(args []string, all []verb.Verb) *answer.Failure {
	settings := request.Fields(reflect.TypeFor[settings.Settings]())
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-") && args[i] != "-" && args[i] != "--"; i++ {
		flag, _, _ := strings.Cut(args[i], "=")
		name := request.KeyOf(strings.TrimPrefix(flag, "--"))
		_, _, known := request.FindField(settings, name)
		switch {
		case flag == "-h", name == "help", name == "version", strings.HasPrefix(flag, "-C") && flag != "-C":
		case flag == "-C", (known || name == "json") && !takesNoValue(args[i]):
			i++
		case !known && name != "json":
			return strayFailure(flag, args, settings, all)
		}
	}
	return nil
}

func strayFailure(flag string, args []string, settings []request.Field, all []verb.Verb) *answer.Failure {
	name := flag // short flags are aliases: -A
	if long, ok := strings.CutPrefix(flag, "--"); ok {
		name = request.KeyOf(long)
	}
	of := ""
	for _, t := range all {
		_, _, has := request.FindField(verb.NewCall(t).Fields, name)
		if has && (of == "" || slices.Contains(args, t.Name)) {
			of = t.Name
		}
	}
	if of != "" {
		return answer.Failf(answer.CodeInvalidInput, "%s comes before the command", flag).
			WithHint("only settings do; the flags of a command come after its name: fsbox %s %s", of, flag)
	}
	f := answer.Failf(answer.CodeInvalidInput, "unknown flag %s", flag)
	if nearest := textio.Nearest(name, request.Names(settings)); nearest != "" {
		return f.WithHint("did you mean --%s?", request.FlagOf(nearest))
	}
	if slices.Contains([]string{"-v", "-V", "--verbose"}, flag) {
		return f.WithHint("did you mean --version?")
	}
	return f.WithHint("see fsbox --help")
}

// takesContext reports whether -C is a field of a command.
func takesContext(fields []request.Field) bool {
	_, _, ok := request.FindField(fields, "-C")
	return ok
}

// argumentsOf gives the arguments after a command, with -C replaced by --root, unless it means
// something else there. Everything after "--" stays.
func argumentsOf(command string, args []string, all []verb.Verb) []string {
	if t, ok := verb.Find(all, command); ok && takesContext(verb.NewCall(t).Fields) {
		return args
	}
	out := make([]string, 0, len(args))
	for i, a := range args {
		switch {
		case a == "--":
			return append(out, args[i:]...)
		case a == "-C":
			out = append(out, "--root")
		case strings.HasPrefix(a, "-C"):
			out = append(out, "--root="+a[len("-C"):])
		default:
			out = append(out, a)
		}
	}
	return out
}

// takesNoValue reports whether the next argument is never the value of a flag.
func takesNoValue(flag string) bool {
	name := request.KeyOf(strings.TrimLeft(flag, "-"))
	if strings.Contains(flag, "=") {
		return true
	}
	for _, f := range request.Fields(reflect.TypeFor[settings.Settings]()) {
		if f.Name == name {
			return f.Kind == reflect.Bool
		}
	}
	return name != "json"
}
