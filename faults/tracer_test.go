//go:build linux && amd64

package faults

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// tracer follows one process through its system calls.
type tracer struct {
	*outcome
	pid     int
	base    string
	decide  func(call) verdict
	failing map[int]syscall.Errno // threads in a call that is to fail, and how
	made    map[uint64]int        // how many calls of each number
	begun   bool
	hung    atomic.Bool
}

// loop handles stops until the process has ended.
func (t *tracer) loop() error {
	for {
		var status unix.WaitStatus
		tid, err := unix.Wait4(-t.pid, &status, unix.WALL, nil) // its process group: all its threads, and no other process
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case status.Stopped():
			if err := t.stopped(tid, status); err != nil && !errors.Is(err, unix.ESRCH) { // killed meanwhile
				return err
			}
		case tid == t.pid: // the first thread is reported last
			t.status = syscall.WaitStatus(status)
			return nil
		}
	}
}

// stopped handles one stop and lets the thread go on to its next call that has to do with files.
func (t *tracer) stopped(tid int, status unix.WaitStatus) error {
	signal := int(status.StopSignal())
	switch {
	case status.TrapCause() == unix.PTRACE_EVENT_SECCOMP: // filter stops it before a call
		if fails, err := t.entering(tid); fails || err != nil {
			return errors.Join(err, unix.PtraceSyscall(tid, 0))
		}
		signal = 0
	case signal == int(unix.SIGTRAP|0x80): // after a call: PTRACE_O_TRACESYSGOOD sets that bit
		if err := t.leaving(tid); err != nil {
			return err
		}
		signal = 0
	case signal == int(unix.SIGTRAP) || signal == int(unix.SIGSTOP): // a thread was made, or begins
		signal = 0
	}
	return unix.PtraceCont(tid, signal)
}

// callInfo is struct ptrace_syscall_info of linux/ptrace.h, as far as it is read here.
type callInfo struct {
	op   uint8
	_    [7]byte
	_    [2]uint64 // instruction and stack pointer
	nr   uint64
	args [6]uint64
	_    [4]uint64
}

const ptraceGetSyscall = 0x420e // the request that fills one

// entering handles a call before it is made. It reports whether it is to fail.
func (t *tracer) entering(tid int) (fails bool, err error) {
	var info callInfo
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, ptraceGetSyscall, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return false, errno
	}
	kind := kindOf(info.nr)
	object, ofFiles := t.object(tid, kind.shape, &info)
	if !ofFiles {
		return false, nil
	}
	c := call{n: len(t.calls), nr: info.nr, name: kind.name, object: object}
	if info.nr == unix.SYS_RENAMEAT2 {
		c.flags = info.args[4]
	}
	if t.begun = t.begun || c.begins(); !t.begun {
		return false, nil
	}
	c.nth = t.made[c.nr]
	t.made[c.nr]++
	t.calls = append(t.calls, c)
	v := t.decide(c)
	switch {
	case v.kill:
		return false, unix.Kill(t.pid, unix.SIGKILL)
	case v.errno != 0:
		t.failing[tid] = v.errno
		if v.made {
			return true, nil
		}
		return true, t.suppress(tid, c)
	}
	return false, nil
}

// begins tells the first call that counts. Until the program opens the workspace, or its own state
// folder, it does no harm.
func (c call) begins() bool {
	return strings.HasPrefix(c.name, "open") && (c.object == "ws" || strings.HasPrefix(c.object, "home/.local"))
}

// suppress keeps a call from being made. Only close is made all the same: on Linux it closes even
// where it fails.
func (t *tracer) suppress(tid int, c call) error {
	if c.nr == unix.SYS_CLOSE {
		return nil
	}
	var regs unix.PtraceRegsAmd64
	if err := unix.PtraceGetRegsAmd64(tid, &regs); err != nil {
		return err
	}
	regs.Orig_rax = ^uint64(0) // no such call
	return unix.PtraceSetRegsAmd64(tid, &regs)
}

// leaving gives the error as the answer of a call that is to fail.
func (t *tracer) leaving(tid int) error {
	errno := t.failing[tid]
	delete(t.failing, tid)
	var regs unix.PtraceRegsAmd64
	if err := unix.PtraceGetRegsAmd64(tid, &regs); err != nil {
		return err
	}
	regs.Rax = uint64(-int64(errno))
	return unix.PtraceSetRegsAmd64(tid, &regs)
}

// object says what a call is about. ofFiles is false for descriptors that aren't files, such as the
// runtime's own.
func (t *tracer) object(tid int, s shape, info *callInfo) (name string, ofFiles bool) {
	switch s {
	case onDescriptor:
		name = t.descriptor(tid, info.args[0])
		return name, !isRuntimes(name)
	case onPath:
		return t.relative(text(tid, info.args[0])), true
	case onPathAt:
		return t.relative(text(tid, info.args[1])), true
	case onTwoPaths:
		return t.relative(text(tid, info.args[1])) + ", " + t.relative(text(tid, info.args[3])), true
	}
	return "", true
}

// isRuntimes reports descriptors of Go's own: its poller, and the limits on processors, which it
// reads when it likes.
func isRuntimes(name string) bool {
	return strings.HasPrefix(name, "anon_inode:") || strings.HasPrefix(name, "pipe:") || strings.HasPrefix(name, "/sys/fs/cgroup/")
}

func (t *tracer) descriptor(tid int, fd uint64) string {
	name, err := os.Readlink("/proc/" + strconv.Itoa(tid) + "/fd/" + strconv.Itoa(int(int32(fd))))
	if err != nil {
		return "closed"
	}
	return t.relative(name)
}

func (t *tracer) relative(path string) string { return strings.TrimPrefix(path, t.base+"/") }

// text reads a string of the traced process, at most 256 bytes of it.
func text(tid int, address uint64) string {
	var b [256]byte
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	remote := []unix.RemoteIovec{{Base: uintptr(address), Len: len(b)}}
	n, err := unix.ProcessVMReadv(tid, local, remote, 0)
	if err != nil || n <= 0 {
		return "?"
	}
	s, _, _ := strings.Cut(string(b[:n]), "\x00")
	return s
}
