package system

import (
	"errors"
	"os"

	"fsbox/sandbox/disk/fserr"

	"golang.org/x/sys/windows"
)

// Flags for opening, which Windows has no use for.
const NonBlocking, NoFollow = 0, 0

// Writable knows nothing: only the attempt tells.
func Writable(string) error { return nil }

// SyncDir does nothing: Windows has no call to sync a folder, and NTFS keeps a journal of its
// names.
func SyncDir(*os.File) error { return nil }

// SyncTakesWriter says that only a file that is open for writing can be synced.
const SyncTakesWriter = true

// LocksDirs says that the system can lock folders: on Windows a file in each is the lock.
const LocksDirs = false

// TryLock locks files. For a folder it always succeeds, since Windows can't lock one. A Windows
// lock also keeps others from reading, so it is taken on a byte past the end of any file.
func TryLock(file *os.File) error {
	if st, err := file.Stat(); err != nil || st.IsDir() {
		return err
	}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return fserr.ErrBusy
	}
	return err
}
