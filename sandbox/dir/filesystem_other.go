//go:build !linux

package dir

// MountOf is for Linux: see mount_linux.go.
func MountOf(int) MountFacts { return MountFacts{Between: BetweenUnknown} }

// HostSystem is for Linux: see filesystem_linux.go.
func HostSystem(string) System { return System{} }
