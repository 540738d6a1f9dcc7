//go:build !linux

package dir

// TellsWriters says that the system can't tell whether a file is settled: see Handle.
const TellsWriters = false
