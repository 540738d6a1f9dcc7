//go:build unix && !linux

package system

// isSMB reports whether a lock that another machine has is EACCES.
func isSMB(int) bool { return false }
