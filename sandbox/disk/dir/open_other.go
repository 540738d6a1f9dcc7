//go:build !linux

package dir

// Open opens the workspace's root, where every other access starts. The operator gave this path:
// links on it are followed.
func Open(path string, _ bool) (Folder, error) { return openPortable(path) }

// lacksCalls is for Linux: see filesystem_linux.go.
func lacksCalls() bool { return false }
