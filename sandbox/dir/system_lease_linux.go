package dir

import "golang.org/x/sys/unix"

// IsSettled asks for a read lease, which the kernel refuses while anybody has the file open for
// writing, and returns the lease.
func (h fdHandle) IsSettled() bool {
	if _, err := unix.FcntlInt(uintptr(h), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return false
	}
	_, err := unix.FcntlInt(uintptr(h), unix.F_SETLEASE, unix.F_UNLCK)
	return err == nil
}
