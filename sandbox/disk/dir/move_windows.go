package dir

import (
	"errors"
	"io/fs"
	"syscall"
	"unsafe"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"

	"golang.org/x/sys/windows"
)

// Information about a file that can be set, as wdm.h numbers it.
const (
	renameInformation   = 10
	linkInformation     = 11
	renameInformationEx = 65
)

// moveName is Folder.Move.
func moveName(f Folder, name string, to Folder, newName string, how Moving) error {
	if how == Swapping {
		return fserr.ErrUnsupported
	}
	file, err := openToName(f, name, windows.DELETE)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(file)
	if how == IfFree {
		return giveName(file, to, newName, renameInformation, 0)
	}
	err = whileInUse(to, newName, func() error {
		const flags = windows.FILE_RENAME_REPLACE_IF_EXISTS | windows.FILE_RENAME_POSIX_SEMANTICS
		if giveName(file, to, newName, renameInformationEx, flags) == nil {
			return nil
		}
		// FAT and older systems have only this. It replaces no file that is open.
		return giveName(file, to, newName, renameInformation, windows.FILE_RENAME_REPLACE_IF_EXISTS)
	})
	if now, failed := to.Lstat(newName); err != nil && failed == nil && now.Mode.IsDir() {
		return fs.ErrExist // it replaces no folder, and says that this isn't permitted
	}
	return err
}

// linkName is Folder.HardLink.
func linkName(f Folder, name string, to Folder, newName string) error {
	file, err := openToName(f, name, windows.FILE_WRITE_ATTRIBUTES)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(file)
	err = giveName(file, to, newName, linkInformation, 0)
	if err != nil && fserr.IsAny(fserr.Classify(err), errors.ErrUnsupported, fserr.ErrUnsupported, fserr.ErrPermission) {
		return fserr.ErrUnsupported
	}
	return err
}

// openToName opens what has a name in a folder, a link itself.
func openToName(f Folder, name string, access uint32) (file windows.Handle, err error) {
	text, err := windows.NewNTUnicodeString(name)
	if err != nil {
		return 0, err
	}
	at := windows.OBJECT_ATTRIBUTES{RootDirectory: windows.Handle(f.Number()), ObjectName: text}
	at.Length = uint32(unsafe.Sizeof(at))
	access |= windows.SYNCHRONIZE
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	const options = windows.FILE_OPEN_REPARSE_POINT | windows.FILE_OPEN_FOR_BACKUP_INTENT | windows.FILE_SYNCHRONOUS_IO_NONALERT
	var status windows.IO_STATUS_BLOCK
	err = windows.NtCreateFile(&file, access, &at, &status, nil, 0, share, windows.FILE_OPEN, options, 0, 0)
	return file, numberOf(err)
}

// nameInformation is FILE_RENAME_INFORMATION, and FILE_LINK_INFORMATION. Of the flags, the older
// forms have only the first, in one byte.
type nameInformation struct {
	flags  uint32
	folder windows.Handle
	bytes  uint32 // of name
	name   [pathname.MaxName]uint16
}

// giveName gives an open file a name in a folder.
func giveName(file windows.Handle, in Folder, name string, class, flags uint32) error {
	units, err := windows.UTF16FromString(name)
	if err != nil {
		return err
	}
	units = units[:len(units)-1]
	if len(units) > pathname.MaxName {
		return fserr.NameTooLong
	}
	to := nameInformation{flags: flags, folder: windows.Handle(in.Number()), bytes: uint32(2 * len(units))}
	copy(to.name[:], units)
	var status windows.IO_STATUS_BLOCK
	err = windows.NtSetInformationFile(file, &status, (*byte)(unsafe.Pointer(&to)), uint32(unsafe.Sizeof(to)), class)
	return numberOf(err)
}

// numberOf gives an error of these calls the number that the others have for it.
func numberOf(err error) error {
	status, ok := err.(windows.NTStatus)
	switch {
	case !ok:
		return err
	case status == windows.STATUS_NOT_SAME_DEVICE:
		return syscall.EXDEV
	}
	return status.Errno()
}
