package sandbox

import (
	"errors"
	"testing"

	"fsbox/sandbox/disk/fserr"
)

// TestParseOnWindows has paths with a volume, with a share of another computer, and of devices.
func TestParseOnWindows(t *testing.T) {
	for root, asks := range map[string]map[string]error{
		`C:\w\project`: {
			`C:\w\project\a`: nil, `c:/w/project/a`: nil, `C:\w\other`: fserr.ErrOutside, `D:\w\project\a`: fserr.ErrOutside, `\etc`: fserr.ErrOutside,
			`\\server\share\a`: fserr.PathDevice, `//server/share/a`: fserr.PathDevice, `\\?\C:\w\project\a`: fserr.PathDevice,
			`\\.\PIPE\a`: fserr.PathDevice, `\??\C:\w\project\a`: fserr.PathDevice, `\\server\..\a`: fserr.ErrTraversal, `//`: fserr.PathDevice, `C:a`: fserr.NameReserved,
		},
		`\\server\share\ws`: {`\\server\share\ws\a`: nil, `\\server\share\other`: fserr.PathDevice, `C:\w`: fserr.ErrOutside},
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
