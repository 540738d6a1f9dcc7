package main

import (
	"os"
	"syscall"
)

// peakMemory is the most memory that an ended process had, in bytes. The kernel starts counting
// before the program is loaded: no process that this one starts has less than this one had then.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
