//go:build darwin || freebsd || netbsd || ios

package stat

import "syscall"

// changeTime is the time of the last change, in nanoseconds since 1970.
func changeTime(st *syscall.Stat_t) int64 { return st.Ctimespec.Nano() }
