//go:build !linux

package dir

// Open opens the workspace's root, where every other access starts. The operator gave this path:
// links on it are followed.
func Open(path string, _ bool) (Folder, error) { return openPortable(path) }

// CopyUp does nothing: only Linux has overlay file systems.
func CopyUp(Folder) {}

// DescriptorOf is for Linux.
func DescriptorOf(Folder) (fd int, ok bool) { return -1, false }
