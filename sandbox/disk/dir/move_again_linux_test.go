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
		how     Moving
		fails   int  // so many times, with EIO
		isMade  bool // at the first time, after which another machine takes the old name
		gone    bool // by another machine before the second try
		want    error
		tries   int
		renamed bool
	}{
		{"at once", IfFree, 0, false, false, nil, 1, true},
		{"at the third try", IfFree, 2, false, false, nil, 3, true},
		{"at the third try", Over, 2, false, false, nil, 3, true},
		{"answer lost", IfFree, 100, true, false, unix.EIO, 2, true},
		{"answer lost", Over, 100, true, false, unix.EIO, 1, true},
		{"gone meanwhile", IfFree, 1, false, true, unix.EIO, 2, false},
	} {
		in := onSMB{disktest.Open(t, Open, disktest.Grow(t, "a"), false)}
		tries := 0
		err := moveAgain(in, "a", in, "b", test.how, func() error {
			tries++
			if tries == 2 && test.gone {
				disktest.Must(t, in.Remove("a"))
			}
			if tries <= test.fails && !test.isMade {
				return unix.EIO
			}
			err := in.Folder.Move("a", in.Folder, "b", test.how)
			if test.isMade && tries == 1 {
				f, err := in.Create("a", 0o600)
				disktest.Must(t, err)
				f.Close()
				return unix.EIO
			}
			return err
		})
		if err != test.want || tries != test.tries || Exists(in.Folder, "b") != test.renamed {
			t.Errorf("%s: %v after %d tries, renamed %v", test.name, err, tries, Exists(in.Folder, "b"))
		}
	}
	plain := disktest.Open(t, Open, disktest.Grow(t, "a"), false)
	tries := 0
	err := moveAgain(plain, "a", plain, "b", IfFree, func() error { tries++; return fs.ErrExist })
	if err != fs.ErrExist || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
}
