package dir

import (
	"path/filepath"
	"strings"
)

// IsReserved reports names to which Windows gives another meaning: devices (NUL, COM1), alternate
// data streams (a:b), names that end in a blank or a dot.
func IsReserved(name string) bool {
	return strings.ContainsAny(name, `:?*"<>|`) || strings.TrimRight(name, " .") != name || !filepath.IsLocal(name)
}
