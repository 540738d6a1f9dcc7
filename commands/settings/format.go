package settings

import (
	"reflect"

	"fsbox/commands/answer"
	"fsbox/commands/request"
)

// FormatOf is the format for a failure that comes before the settings are complete: as flags gave
// it, else the environment. The config file is asked as well unless it may be on a dead mount.
func FormatOf(s Settings, given map[string]bool, system Environment, asksFile bool) string {
	if !given["format"] {
		s.Format, _ = system.Variable("format")
	}
	if s.Format == "" && asksFile {
		if _, err := s.gather(request.Fields(reflect.TypeFor[Settings]()), map[string]bool{"config": given["config"]}, system); err != nil {
			s.Format = ""
		}
	}
	return answer.KnownFormat(s.Format)
}
