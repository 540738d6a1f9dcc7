package sandbox

import (
	"errors"
	"testing"

	"fsbox/sandbox/dir"
)

// TestParseOnWindows has paths with a volume, with a share of another computer, and of devices.
func TestParseOnWindows(t *testing.T) {
	for root, asks := range map[string]map[string]error{
		`C:\w\project`: {
			`C:\w\project\a`: nil, `c:/w/project/a`: nil, `C:\w\other`: dir.ErrOutside, `D:\w\project\a`: dir.ErrOutside, `\etc`: dir.ErrOutside,
			`\\server\share\a`: dir.PathDevice, `//server/share/a`: dir.PathDevice, `\\?\C:\w\project\a`: dir.PathDevice,
			`\\.\PIPE\a`: dir.PathDevice, `\??\C:\w\project\a`: dir.PathDevice, `\\server\..\a`: dir.ErrTraversal, `//`: dir.PathDevice, `C:a`: dir.NameReserved,
		},
		`\\server\share\ws`: {`\\server\share\ws\a`: nil, `\\server\share\other`: dir.PathDevice, `C:\w`: dir.ErrOutside},
	} {
		w := &Workspace{finder: finder{given: root, real: func() string { return root }}}
		for ask, want := range asks {
			r, err := w.parse(ask)
			if !errors.Is(err, want) || err == nil && r.asked != "a" {
				t.Errorf("%q below %q: %q, %v, want %v", ask, root, r.asked, err, want)
			}
		}
	}
}
