package settings

import (
	"reflect"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/request"
)

// FormatOf is the format for a failure that comes before the settings are complete: as the
// arguments have it, else the environment. The config file is asked as well unless it may be on a
// dead mount.
func FormatOf(args []string, system Environment, asksFile bool) string {
	format, found := lastFlag(args, "--format")
	if !found {
		format, found = system.Variable("format")
	}
	if !found && asksFile {
		var s Settings
		named, given := lastFlag(args, "--config")
		s.Config = named
		if _, err := s.gather(request.Fields(reflect.TypeFor[Settings]()), map[string]bool{"config": given}, system); err == nil {
			format = s.Format
		}
	}
	return answer.KnownFormat(format)
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
