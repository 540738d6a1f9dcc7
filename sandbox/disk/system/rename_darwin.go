package system

import "golang.org/x/sys/unix"

// RenameWith is a rename that never replaces what has the new name: it fails, or exchanges the two.
func RenameWith(swaps bool, from int, name string, to int, newName string) error {
	flag := uint32(unix.RENAME_EXCL)
	if swaps {
		flag = unix.RENAME_SWAP
	}
	return unix.RenameatxNp(from, name, to, newName, flag)
}
