//go:build !windows

package pathname

// Unfit is nil: the file system decides which names it takes. Only Windows gives some another
// meaning.
func Unfit(string) error { return nil }

// IsDevicePath is false: a path names another computer or a device on Windows alone.
func IsDevicePath(string) bool { return false }
