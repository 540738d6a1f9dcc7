package pathname

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/windows"
)

// MaxName is how many UTF-16 units a name may have on every file system of Windows.
const MaxName = 255

// Unfit says which rule a name breaks that Windows takes for something else: devices (NUL, COM1),
// alternate data streams (a:b), names that end in a blank or a dot, and bytes that aren't text, of
// which many would become one name.
func Unfit(name string) error {
	if strings.ContainsAny(name, `:?*"<>|`) || strings.TrimRight(name, " .") != name || !filepath.IsLocal(name) {
		return fserr.NameReserved
	}
	if len(name) <= MaxName && utf8.ValidString(name) {
		return nil
	}
	units, err := windows.UTF16FromString(name)
	switch {
	case err != nil || windows.UTF16ToString(units) != name:
		return fserr.NameUnfit
	case len(units)-1 > MaxName:
		return fserr.NameTooLong
	}
	return nil
}

// IsDevicePath reports whether an absolute path, with slashes, leads to another computer
// (//server/share) or to a device (//./PIPE, //?/C:, /??/C:).
func IsDevicePath(absolute string) bool {
	return strings.HasPrefix(absolute, "//") || strings.HasPrefix(absolute, "/??/")
}
