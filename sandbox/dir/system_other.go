//go:build !linux

package dir

import "time"

// Open opens the workspace's root, where every other access starts. The operator gave this path:
// links on it are followed.
func Open(path string, _ bool) (Folder, error) { return openPortable(path) }

// DescriptorOf is for Linux.
func DescriptorOf(Folder) (fd int, ok bool) { return -1, false }

// CopyUp does nothing: only Linux has overlay file systems.
func CopyUp(Folder) {}

// FileSystem knows nothing on this system: see filesystem_linux.go.
func FileSystem(Folder) (kind string, mayLack bool) { return "", false }

// NextData gives from: only on Linux is it known where the holes of a file end.
func (f *File) NextData(from int64) int64 { return from }

func readAttributes(int) (Attributes, error) { return nil, nil }
func writeAttributes(int, Attributes) error  { return nil }

// FileClock is the time, in nanoseconds since 1970, that a file changed now would get, or slightly
// earlier: 20 ms are more than one tick of any system.
func FileClock() int64 { return time.Now().Add(-20 * time.Millisecond).UnixNano() }
