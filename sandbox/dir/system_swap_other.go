//go:build !darwin

package dir

import "os"

// swapNames reports whether an os.Root can't exchange two names in one step.
func swapNames(*os.Root, string, *os.Root, string) error { return ErrUnsupported }
