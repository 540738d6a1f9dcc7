//go:build !linux

package filesystem

// MountOf is for Linux: see mount_linux.go.
func MountOf(int) MountFacts { return MountFacts{Between: BetweenUnknown} }

// Mounts is for Linux, and so are its functions: see mount_linux.go.
type Mounts struct{}

func OpenMounts() *Mounts { return nil }

func (*Mounts) Close() {}

func (*Mounts) HasNumbers(uint64) bool { return true }

func MountID(int) uint64 { return 0 }

// OfPath is for Linux: see filesystem_linux.go.
func OfPath(string) System { return System{} }

// IsOfSystem is false: only Linux is asked.
func IsOfSystem(string) bool { return false }
