package sandbox

import (
	"path/filepath"
	"strings"
)

func toSlash(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// sameText compares paths the way the system does.
func sameText(a, b string) bool { return strings.EqualFold(a, b) }

// foldsCase says whether file names are compared without case.
const foldsCase = true

// reserved reports names that Windows gives another meaning: devices (NUL, COM1), alternate data streams (a:b), names that
// end in a blank or a dot.
func reserved(name string) bool {
	return strings.ContainsAny(name, `:?*"<>|`) || strings.TrimRight(name, " .") != name || !filepath.IsLocal(name)
}
