//go:build !windows

package sandbox

// reserved is false: only Windows reserves names.
func reserved(string) bool { return false }
