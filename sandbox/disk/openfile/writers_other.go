//go:build !linux

package openfile

// TellsWriters says that the system can't tell whether a file is settled: see Handle.
const TellsWriters = false
