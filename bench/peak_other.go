//go:build !linux

package main

import "os"

// peakMemory is known on Linux only: units and meaning differ elsewhere.
func peakMemory(*os.ProcessState) int64 { return 0 }
