//go:build unix && !linux && !darwin && !freebsd && !netbsd && !ios

package dir

import "syscall"

func changeTime(st *syscall.Stat_t) int64 { return st.Ctim.Nano() }
