package system

import "golang.org/x/sys/unix"

// RenameWith is a rename that never replaces what has the new name: it fails, or exchanges the two.
func RenameWith(swaps bool, from int, name string, to int, newName string) error {
	flag := uint(unix.RENAME_NOREPLACE)
	if swaps {
		flag = unix.RENAME_EXCHANGE
	}
	return unix.Renameat2(from, name, to, newName, flag)
}
