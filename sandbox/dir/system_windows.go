package dir

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const nonBlocking, noFollow = 0, 0

func hostWritable(string) error { return nil }

// syncFolder does nothing: Windows has no call to sync a folder, and NTFS keeps a journal of its
// names.
func syncFolder(*os.File) error { return nil }

// SyncTakesWriter says that only a file that is open for writing can be synced.
const SyncTakesWriter = true

// foldersLock says that the system can lock folders: on Windows a file in each is the lock.
const foldersLock = false

// tryLock locks files. For a folder it always succeeds, since Windows can't lock one. A Windows
// lock also keeps others from reading, so it is taken on a byte past the end of any file.
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
