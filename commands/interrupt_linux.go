package commands

import (
	"runtime"
	"syscall"
	"unsafe"
)

// takeSignals has this thread take signals that wait for one which hangs in the system: the kernel hands a signal to one thread,
// preferably the first, and asks no other if that can't take it. A change of its signal mask makes a thread look.
func takeSignals() {
	runtime.LockOSThread() // both calls are to be about one thread
	defer runtime.UnlockOSThread()
	const block, restore = 0, 2 // SIG_BLOCK, SIG_SETMASK
	any, before := uint64(1)<<(syscall.SIGWINCH-1), uint64(0)
	if changeMask(block, &any, &before) == 0 {
		_ = changeMask(restore, &before, nil) // it is a mask that the kernel gave
	}
}

func changeMask(how uintptr, set, before *uint64) syscall.Errno {
	const size = 8 // bytes of a mask
	_, _, err := syscall.Syscall6(syscall.SYS_RT_SIGPROCMASK, how, uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(before)), size, 0, 0)
	return err
}
