package dir

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const nonBlocking = 0

func mayAccess(st fs.FileInfo) (readable, writable bool) { return true, st.Mode()&0o200 != 0 }

// syncFolder does nothing: Windows has no way to sync a folder, NTFS journals its names itself.
func syncFolder(*os.File) error { return nil }

// tryLock locks files. With a folder it always succeeds: Windows can't lock one, and parallel edits there are caught by if_match
// alone. A lock keeps others from reading as well, so it is on a byte that no file has.
func tryLock(file *os.File) error {
	if st, err := file.Stat(); err != nil || st.IsDir() {
		return err
	}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}

// chownLike does nothing: a new file inherits its owner and its access list from the folder.
func chownLike(*os.File, Info) error { return nil }

func identityFrom(st fs.FileInfo) (Identity, uint64) { return Identity{}, 1 }
