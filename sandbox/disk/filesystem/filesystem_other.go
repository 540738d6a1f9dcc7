//go:build !linux

package filesystem

// MountOf is for Linux: see mount_linux.go.
func MountOf(int) MountFacts { return MountFacts{Between: BetweenUnknown} }

// Mounts is for Linux, and so are its functions: see mount_linux.go.
type Mounts struct{}

const MountList = ""

func OpenMounts(string) *Mounts { return nil }

func (*Mounts) Close() {}

func (*Mounts) HasServerNumbers(uint64) bool { return false }

// OfPath is for Linux: see filesystem_linux.go.
func OfPath(string) System { return System{} }

// IsOfSystem is false: only Linux is asked.
func IsOfSystem(string) bool { return false }
