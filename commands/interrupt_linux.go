package commands

import (
	"runtime"
	"syscall"
	"unsafe"
)

// takeSignals makes this thread take pending signals that the kernel gave to a thread which hangs
// in a system call. The kernel gives a signal to one thread, preferably the first, and asks no
// other if that one can't take it. Changing the signal mask of a thread makes it look for pending
// signals.
func takeSignals() {
	runtime.LockOSThread() // both calls must be made by the same thread
	defer runtime.UnlockOSThread()
	const block, restore = 0, 2 // SIG_BLOCK, SIG_SETMASK
	any, before := uint64(1)<<(syscall.SIGWINCH-1), uint64(0)
	if changeMask(block, &any, &before) == 0 {
		_ = changeMask(restore, &before, nil) // can't fail: the mask came from the kernel
	}
}

func changeMask(how uintptr, set, before *uint64) syscall.Errno {
	const size = 8 // size of a mask in bytes
	_, _, err := syscall.Syscall6(syscall.SYS_RT_SIGPROCMASK, how, uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(before)), size, 0, 0)
	return err
}
