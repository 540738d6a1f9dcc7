package system

import "golang.org/x/sys/unix"

// isSMB reports whether an open file is on SMB, where a lock that another machine has is EACCES.
func isSMB(fd int) bool {
	var st unix.Statfs_t
	err := IgnoreInterrupts(func() error { return unix.Fstatfs(fd, &st) })
	return err == nil && (uint32(st.Type) == unix.CIFS_SUPER_MAGIC || uint32(st.Type) == unix.SMB2_SUPER_MAGIC)
}
