//go:build unix

package rights

import (
	"os"

	"fsbox/sandbox/disk/stat"

	"golang.org/x/sys/unix"
)

// May reports whether this process has a right to a name in a folder, which is open as a
// descriptor and as an os.Root.
func May(_ *os.Root, folder int, name string, right Right) bool {
	return unix.Faccessat(folder, name, uint32(right), unix.AT_EACCESS) == nil
}

func ChownTo(file *os.File, owner stat.Info) error { return file.Chown(int(owner.UID), int(owner.GID)) }
