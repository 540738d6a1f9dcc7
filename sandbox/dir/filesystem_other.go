//go:build !linux

package dir

// FileSystem tells nothing here: see filesystem_linux.go.
func FileSystem(Folder) (kind string, mayLack bool) { return "", false }
