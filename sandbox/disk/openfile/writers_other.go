//go:build !linux

package openfile

// TellsWriters says that the system can't tell whether a file is settled: see Handle.
const TellsWriters = false

// NamedOf can't tell: only Linux does.
func NamedOf(int) Named { return NamesThis }
