//go:build linux && amd64

package faults

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filter is a program for seccomp: a call that has to do with files stops for the tracer, and all
// others, which are the most, don't. To stop at them as well would take twice the time.
func filter() []unix.SockFilter {
	var skip []uint32
	for _, k := range kinds {
		if k.shape == aside {
			skip = append(skip, uint32(k.nr))
		}
	}
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number is the first field of struct seccomp_data
	for i, nr := range skip {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: nr, Jt: uint8(len(skip) - i)})
	}
	return append(program,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}

// install has a process that stands at its first instruction filter its own calls: it is made to
// make the two calls for that, and is then as it was. Threads that it makes inherit the filter.
func install(pid int, program []unix.SockFilter) error {
	var before unix.PtraceRegsAmd64
	if err := unix.PtraceGetRegsAmd64(pid, &before); err != nil {
		return err
	}
	text := make([]byte, 2)
	if _, err := unix.PtracePeekText(pid, uintptr(before.Rip), text); err != nil {
		return err
	}
	if _, err := unix.PtracePokeText(pid, uintptr(before.Rip), []byte{0x0f, 0x05}); err != nil { // the instruction syscall
		return err
	}
	at, err := push(pid, &before, program)
	if err == nil {
		err = makeCall(pid, before, unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0)
	}
	if err == nil {
		err = makeCall(pid, before, unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, at)
	}
	if err != nil {
		return fmt.Errorf("the filter of calls: %w", err)
	}
	if _, err := unix.PtracePokeText(pid, uintptr(before.Rip), text); err != nil {
		return err
	}
	return unix.PtraceSetRegsAmd64(pid, &before)
}

// push writes struct sock_fprog of linux/filter.h below the stack, and after it the program that it
// points to. It returns the address of the struct.
func push(pid int, regs *unix.PtraceRegsAmd64, program []unix.SockFilter) (uint64, error) {
	const header, redZone = 16, 128
	code := unsafe.Slice((*byte)(unsafe.Pointer(&program[0])), len(program)*int(unsafe.Sizeof(program[0])))
	at := (regs.Rsp - redZone - header - uint64(len(code))) &^ 15
	block := binary.LittleEndian.AppendUint64(nil, uint64(len(program)))
	block = binary.LittleEndian.AppendUint64(block, at+header)
	_, err := unix.PtracePokeData(pid, uintptr(at), append(block, code...))
	return at, err
}

// makeCall has the process make one call. It stands at the instruction syscall before.
func makeCall(pid int, regs unix.PtraceRegsAmd64, nr, first, second, third uint64) error {
	regs.Rax, regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8 = nr, first, second, third, 0, 0
	if err := unix.PtraceSetRegsAmd64(pid, &regs); err != nil {
		return err
	}
	if err := unix.PtraceSingleStep(pid); err != nil {
		return err
	}
	if _, err := unix.Wait4(pid, nil, unix.WALL, nil); err != nil {
		return err
	}
	if err := unix.PtraceGetRegsAmd64(pid, &regs); err != nil {
		return err
	}
	if result := int64(regs.Rax); result < 0 {
		return unix.Errno(-result)
	}
	return nil
}
