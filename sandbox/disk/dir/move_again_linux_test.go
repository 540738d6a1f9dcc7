package dir

import (
	"io/fs"
	"testing"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"

	"golang.org/x/sys/unix"
)

// onSMB is a directory on SMB.
type onSMB struct{ Folder }

func (onSMB) System() filesystem.System {
	return filesystem.System{Shared: true, NoExchange: true, LosesTarget: true}
}

// TestMoveAgain: a rename that a server on SMB doesn't make at first is tried again, unless it was made
// and only its answer was lost.
func TestMoveAgain(t *testing.T) {
	for _, test := range []struct {
		name    string
		fails   int  // so many times, with EIO
		isMade  bool // at the first time, after which another machine takes the old name
		taken   bool // by another machine before the second try
		want    error
		tries   int
		renamed bool
	}{
		{"at once", 0, false, false, nil, 1, true},
		{"at the third try", 2, false, false, nil, 3, true},
		{"never", 100, false, false, unix.EIO, moveTries, false},
		{"answer lost", 100, true, false, unix.EIO, 1, true},
		{"gone meanwhile", 1, false, true, unix.EIO, 2, false},
	} {
		in := onSMB{disktest.Open(t, Open, disktest.Grow(t, "a"), false)}
		tries := 0
		err := moveAgain(in, "a", in, "b", func() error {
			tries++
			fails := tries <= test.fails
			if tries == 2 && test.taken {
				disktest.Must(t, in.Remove("a"))
				return unix.ENOENT
			}
			if !fails || test.isMade {
				disktest.Must(t, MoveFree(in.Folder, "a", "b"))
			}
			if test.isMade {
				f, err := in.Create("a", 0o600)
				disktest.Must(t, err)
				f.Close()
			}
			if fails {
				return unix.EIO
			}
			return nil
		})
		if err != test.want || tries != test.tries || Exists(in.Folder, "b") != test.renamed {
			t.Errorf("%s: %v after %d tries, renamed %v", test.name, err, tries, Exists(in.Folder, "b"))
		}
	}
	plain := disktest.Open(t, Open, disktest.Grow(t, "a"), false)
	tries := 0
	err := moveAgain(plain, "a", plain, "b", func() error { tries++; return fs.ErrExist })
	if err != fs.ErrExist || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
}
