//go:build unix

package dir

import (
	"os"

	"golang.org/x/sys/unix"
)

// mayAccess reports whether this process has a right to a name in a folder, which is open as a
// descriptor and as an os.Root.
func mayAccess(_ *os.Root, folder int, name string, right Right) bool {
	return unix.Faccessat(folder, name, uint32(right), unix.AT_EACCESS) == nil
}

func chownTo(file *os.File, owner Info) error { return file.Chown(int(owner.UID), int(owner.GID)) }
