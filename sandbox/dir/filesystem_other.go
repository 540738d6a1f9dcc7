//go:build !linux

package dir

// FileSystem knows nothing on this system: see filesystem_linux.go.
func FileSystem(Folder) (kind string, mayLack bool) { return "", false }
