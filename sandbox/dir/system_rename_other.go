//go:build unix && !linux && !darwin

package dir

import "golang.org/x/sys/unix"

// renameWith always fails: only Linux and macOS have such a rename.
func renameWith(bool, int, string, int, string) error { return unix.ENOSYS }
