//go:build !darwin

package dir

import "os"

// swapNames always fails: only macOS can exchange two names of an os.Root in one step.
func swapNames(*os.Root, string, *os.Root, string) error { return ErrUnsupported }
