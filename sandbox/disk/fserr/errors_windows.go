package fserr

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// kindOfNumber finds the kind for an error number of Windows for which package syscall knows no
// common name, or one that is too wide: nil if there is none.
func kindOfNumber(err error) error {
	number, ok := errors.AsType[syscall.Errno](err)
	if !ok {
		return nil
	}
	switch number {
	case windows.ERROR_DIR_NOT_EMPTY: // package syscall takes it for fs.ErrExist
		return ErrNotEmpty
	case windows.ERROR_DIRECTORY:
		return ErrNotFolder
	case windows.ERROR_WRITE_PROTECT:
		return ErrReadOnly
	case windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, windows.ERROR_FILE_TOO_LARGE:
		return ErrNoSpace
	case windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_DELETE_PENDING, windows.ERROR_USER_MAPPED_FILE,
		windows.ERROR_NOT_READY, windows.ERROR_BUSY:
		return ErrBusy // another program has the file open, or the disk isn't there yet
	case windows.ERROR_TOO_MANY_OPEN_FILES:
		return ErrOpenFiles
	case windows.ERROR_FILENAME_EXCED_RANGE:
		return NameTooLong
	case windows.ERROR_INVALID_NAME, windows.ERROR_BAD_PATHNAME:
		return NameUnfit
	case windows.ERROR_INVALID_FUNCTION:
		return ErrUnsupported
	}
	return nil
}
