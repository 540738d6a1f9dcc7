package testscript

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Lack takes away the system calls of the list in LackVariable, for good and in all threads.
func Lack() {
	list := os.Getenv(LackVariable)
	if list == "" {
		return
	}
	program, err := lacking(list)
	if err == nil {
		err = install(program)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "can't take system calls away:", err)
		os.Exit(3)
	}
}

// A call that can be taken away: all of it, or only with certain bits in one of its arguments.
type call struct {
	number   uintptr
	argument uint32 // counted from 0, with bits
	bits     uint32 // 0: whatever the arguments
	errno    unix.Errno
}

var calls = map[string]call{
	"openat2":          {number: unix.SYS_OPENAT2, errno: unix.ENOSYS},
	"statx":            {number: unix.SYS_STATX, errno: unix.ENOSYS},
	"renameat2":        {number: unix.SYS_RENAMEAT2, errno: unix.ENOSYS},
	"rename-flags":     {number: unix.SYS_RENAMEAT2, argument: 4, bits: ^uint32(0), errno: unix.EINVAL},
	"rename-exchange":  {number: unix.SYS_RENAMEAT2, argument: 4, bits: unix.RENAME_EXCHANGE, errno: unix.EPERM},
	"rename-noreplace": {number: unix.SYS_RENAMEAT2, argument: 4, bits: unix.RENAME_NOREPLACE, errno: unix.EPERM},
	"linkat":           {number: unix.SYS_LINKAT, errno: unix.EPERM},
	"fchmod":           {number: unix.SYS_FCHMOD, errno: unix.EPERM},
	"fchmodat":         {number: unix.SYS_FCHMODAT, errno: unix.EPERM},
	"landlock":         {number: unix.SYS_LANDLOCK_CREATE_RULESET, errno: unix.ENOSYS},
}

var errnos = map[string]unix.Errno{
	"ENOSYS": unix.ENOSYS, "EPERM": unix.EPERM, "EACCES": unix.EACCES, "EINVAL": unix.EINVAL,
	"EOPNOTSUPP": unix.EOPNOTSUPP, "EISDIR": unix.EISDIR, "EIO": unix.EIO,
}

// Offsets in the kernel's struct seccomp_data, of a call's number and of the lower half of its
// first argument.
const (
	offsetNumber    = 0
	offsetArguments = 16
)

// lackable reports whether Lack knows all that a list names.
func lackable(list string) error {
	_, err := lacking(list)
	return err
}

// lacking is the filter for a list such as linkat=EPERM,rename-flags.
func lacking(list string) ([]unix.SockFilter, error) {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	var program []unix.SockFilter
	for item := range strings.SplitSeq(list, ",") {
		name, answer, found := strings.Cut(item, "=")
		c, known := calls[name]
		if found {
			c.errno = errnos[answer]
		}
		if !known || c.errno == 0 {
			return nil, fmt.Errorf("unknown system call or error: %q", item)
		}
		body := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(c.errno)}}
		if c.bits != 0 {
			body = append([]unix.SockFilter{load(offsetArguments + 8*c.argument),
				{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: c.bits, Jf: 1}}, body...)
		}
		program = append(program, load(offsetNumber),
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: uint32(c.number), Jf: uint8(len(body))})
		program = append(program, body...)
	}
	return append(program, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}), nil
}

func install(program []unix.SockFilter) error {
	runtime.LockOSThread() // no_new_privs is set for this thread, from which the filter then goes to all
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(program)
	switch {
	case errno != 0:
		return errno
	case thread != 0:
		return errors.New("a thread has another filter")
	}
	return nil
}
