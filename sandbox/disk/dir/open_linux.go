package dir

import (
	"fsbox/sandbox/disk/system"

	"golang.org/x/sys/unix"
)

// Open opens the workspace's root, where every other access starts. The operator gave this path:
// links on it are followed. portable takes the implementation with os.Root.
func Open(path string, portable bool) (Folder, error) {
	if portable {
		return openPortable(path)
	}
	fd, err := system.Retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil { // each call looks for a state directory, and often there is none
		return nil, err
	}
	return (&origin{fd: fd}).opened(fd, nil)
}

// lacksCalls reports whether the kernel has no rename that exchanges two names, or none that never
// replaces.
func lacksCalls() bool {
	return !takesFlag(IfFree) || !takesFlag(Swapping)
}
