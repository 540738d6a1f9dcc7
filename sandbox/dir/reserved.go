package dir

import (
	"path/filepath"
	"runtime"
	"strings"
)

// IsReserved reports whether Windows gives a name another meaning: devices (NUL, COM1), alternate
// data streams (a:b), names that end in a blank or a dot. No other system reserves names.
func IsReserved(name string) bool {
	return runtime.GOOS == "windows" &&
		(strings.ContainsAny(name, `:?*"<>|`) || strings.TrimRight(name, " .") != name || !filepath.IsLocal(name))
}
