package confine

import "golang.org/x/sys/unix"

// mostInherited bounds the numbers of descriptors that are looked at: one call tells of all of them
// which are open, and a parent that leaves more open than this is not to be expected.
const mostInherited = 1024

// CloseInherited closes the descriptors above 2 that the parent process left open: a folder among
// them would be a way out of the workspace. They are those without the close-on-exec flag, which
// everything has that this process opens itself.
func CloseInherited() {
	var all [mostInherited - 3]unix.PollFd
	most := len(all)
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil && limit.Cur < mostInherited {
		most = max(int(limit.Cur)-3, 0) // poll takes no more than may be open
	}
	for i := range all {
		all[i].Fd = int32(i + 3)
	}
	if _, err := unix.Poll(all[:most], 0); err != nil {
		return
	}
	for _, p := range all[:most] {
		if p.Revents&unix.POLLNVAL != 0 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(p.Fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(int(p.Fd))
		}
	}
}
