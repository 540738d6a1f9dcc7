//go:build unix && !linux && !darwin

package system

import "golang.org/x/sys/unix"

// RenameWith always fails: only Linux and macOS have such a rename.
func RenameWith(bool, int, string, int, string) error { return unix.ENOSYS }
