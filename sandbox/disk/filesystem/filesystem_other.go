//go:build !linux

package filesystem

// MountOf is for Linux: see mount_linux.go.
func MountOf(int) MountFacts { return MountFacts{Between: BetweenUnknown} }

// OfPath is for Linux: see filesystem_linux.go.
func OfPath(string) System { return System{} }

// IsOfSystem is false: only Linux is asked.
func IsOfSystem(string) bool { return false }
