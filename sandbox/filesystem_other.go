//go:build !linux

package sandbox

// fileSystem tells nothing here: see filesystem_linux.go.
func fileSystem(folder) (kind string, mayLack bool) { return "", false }
