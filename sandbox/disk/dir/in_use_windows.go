package dir

import (
	"errors"
	"os"
	"time"

	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/windows"
)

// inUseWait is how long a rename waits for another program to close the file that it replaces,
// inUsePause how long it waits between two tries.
const (
	inUseWait  = time.Second
	inUsePause = 2 * time.Millisecond
)

// whileInUse makes a rename to a name in a folder. Windows may refuse to replace a file while
// somebody has it open, as virus scanners and indexers do for a moment: then it is tried again.
func whileInUse(in Folder, name string, rename func() error) error {
	err := rename()
	for limit := time.Now().Add(inUseWait); isInUse(in, name, err); err = rename() {
		if time.Now().After(limit) {
			return &fserr.KindError{Kind: fserr.ErrBusy, Cause: fserr.Bare(err)}
		}
		time.Sleep(inUsePause)
	}
	return err
}

// isInUse tells a file that is in use from one that this user may not replace: the system has the
// same error for both.
func isInUse(in Folder, name string, err error) bool {
	if !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	file, err := in.Open(name, os.O_RDWR)
	if err != nil {
		return errors.Is(err, windows.ERROR_SHARING_VIOLATION)
	}
	file.Close()
	return true
}
