//go:build !linux

package confine

// ABI is 0: there is no Landlock here.
func ABI() int { return 0 }

// Available returns an error that wraps ErrUnsupported.
func Available() error { return &Error{"confinement", ErrUnsupported} }

// Apply returns an error that wraps ErrUnsupported.
func Apply([]Folder) (Level, error) { return Level{}, &Error{"confinement", ErrUnsupported} }

// Refuses is false: nothing is confined.
func Refuses(string) (bool, error) { return false, nil }

// CloseInherited does nothing here.
func CloseInherited() {}
