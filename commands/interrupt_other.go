//go:build !linux

package commands

// takeSignals does nothing: it is known to be needed on Linux only.
func takeSignals() {}
