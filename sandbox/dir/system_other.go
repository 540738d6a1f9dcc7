//go:build !linux

package dir

import "time"

// Open opens the workspace's root, where every other access starts. The operator gave this path:
// links on it are followed.
func Open(path string, _ bool) (Folder, error) { return openPortable(path) }

// TellsWriters says that the system can't tell whether a file is settled: see Handle.
const TellsWriters = false

// MountOf is for Linux: see mount_linux.go.
func MountOf(Folder) MountFacts { return MountFacts{Between: BetweenUnknown} }

// HostSystem is for Linux: see filesystem_linux.go.
func HostSystem(string) System { return System{} }

// lacksCalls is for Linux: see filesystem_linux.go.
func lacksCalls() bool { return false }

func readAttributes(int) (Attributes, error)              { return nil, nil }
func writeAttributes(int, Attributes) (Attributes, error) { return nil, nil }

// FileClock is the time, in nanoseconds since 1970, that a file changed now would get, or slightly
// earlier: 20 ms are more than one tick of any system.
func FileClock() int64 { return time.Now().Add(-20 * time.Millisecond).UnixNano() }
