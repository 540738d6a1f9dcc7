//go:build !linux

package sandbox

// FileSystem tells nothing here: see filesystem_linux.go.
func (w *Workspace) FileSystem() (kind string, mayLack bool) { return "", false }
