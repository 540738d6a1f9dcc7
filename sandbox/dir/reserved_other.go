//go:build !windows

package dir

// IsReserved is false: only Windows reserves names.
func IsReserved(string) bool { return false }
