package confine

import (
	"math"

	"golang.org/x/sys/unix"
)

// The descriptors of this process have the lowest numbers that were free when they were opened.
// After so many free ones in a row there is none of them. Without close_range, which Linux has
// since 5.9, no more than mostInherited are looked at.
const (
	freeInARow    = 32
	mostInherited = 1024
)

// CloseInherited closes the descriptors above 2 that the parent process left open: a folder among
// them would be a way out of the workspace. They are those without the close-on-exec flag, which
// everything has that this process opens itself.
func CloseInherited() {
	free, next := 0, 3
	for ; free < freeInARow; next++ {
		free = closeIfInherited(next, free)
	}
	if unix.CloseRange(uint(next), math.MaxInt32, 0) == nil {
		return
	}
	for ; next < mostInherited; next++ {
		closeIfInherited(next, 0)
	}
}

// closeIfInherited counts the free numbers in a row.
func closeIfInherited(fd, free int) int {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	switch {
	case err != nil:
		return free + 1
	case flags&unix.FD_CLOEXEC == 0:
		_ = unix.Close(fd)
	}
	return 0
}
