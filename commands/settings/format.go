package settings

import (
	"reflect"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/request"
)

// EarlyFormat is the format for a failure that comes before the settings are complete: as the
// arguments have it, else the environment.
func EarlyFormat(args []string, system Environment) string {
	if format, ok := lastFlag(args, "--format"); ok {
		return answer.KnownFormat(format)
	}
	format, _ := system.Variable("format")
	return answer.KnownFormat(format)
}

// SettledFormat is EarlyFormat for a failure that is not about a dead mount, so that the config
// file can be asked as well.
func SettledFormat(args []string, system Environment) string {
	var s Settings
	v, given := reflect.ValueOf(&s).Elem(), map[string]bool{}
	if request.SetDefaults(v, request.Fields(v.Type())) != nil {
		return answer.FormatJSON
	}
	if format, ok := lastFlag(args, "--format"); ok {
		s.Format, given["format"] = format, true
	}
	s.Config, given["config"] = lastFlag(args, "--config")
	if _, err := s.gather(request.Fields(v.Type()), given, system); err != nil {
		return EarlyFormat(args, system)
	}
	return answer.KnownFormat(s.Format)
}

// lastFlag finds the last value of a flag in arguments that could not be parsed.
func lastFlag(args []string, flag string) (value string, found bool) {
	for i, arg := range args {
		switch name, tied, ok := strings.Cut(arg, "="); {
		case arg == "--":
			return value, found
		case name == flag && ok:
			value, found = tied, true
		case arg == flag && i+1 < len(args):
			value, found = args[i+1], true
		}
	}
	return value, found
}
